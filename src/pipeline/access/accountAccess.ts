// The present access of an account, without regard to the files.

import type { AccessState } from '../../access/state/accessState.ts';
import { stateOfLive } from '../../access/state/stateOfLive.ts';
import type { FetchOptions } from '../../api/account/fetch.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { labelledIdsIn } from '../../engine/plan/labelledIds.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import type { LabelledId } from '../../model/idLabels.ts';
import { readForState } from './readForAccess.ts';
import { temporaryNotes } from './temporaryServices.ts';

/**
 * The access state of an account, and the findings about its dialect. If a finding is an error,
 * there is no state.
 */
interface FoundState {
  readonly findings: readonly Diagnostic[];
  readonly state?: AccessState;
  /** Objects that the state identifies by their ids, with their names. */
  readonly called?: readonly LabelledId[];
}

/** Reads the part of an account on which access depends, without regard to the files. */
export async function accessStateOf(
  kinds: KindTable,
  transport: ReadTransport,
  options: FetchOptions & { readonly dialect: DialectChoice },
): Promise<FoundState> {
  const { live, unavailable, findings } = await readForState({ kinds, transport }, options);
  if (hasErrors(findings)) return { findings };
  const { temporaryIn } = await import('../auditLog.ts');
  // The API does not show whether a machine created a service. So the output lists such services,
  // even if nothing is judged.
  const notes = temporaryNotes(await temporaryIn(live, kinds, transport));
  return {
    findings: [...findings, ...notes],
    called: labelledIdsIn(live, kinds),
    state: stateOfLive(live, unavailable),
  };
}
