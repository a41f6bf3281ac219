// Reports the objects that a plan would adopt, for a first check of an existing account.
import { readTransport, type TransportOptions } from '../../api/transport/transport.ts';
import { markWith } from '../../apply/secrets/mark.ts';
import { InvariantError } from '../../model/errors.ts';
import { jsonText } from '../../model/text/jsonText.ts';
import { adoptionFor } from '../../pipeline/exporting/adoptionFor.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { adoptionDocument, adoptionText } from '../../report/adoptionText.ts';
import { styleFor } from '../colour.ts';
import { printFindings, stopOnErrors } from '../findings.ts';
import type { AccountFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { progressOn } from '../progress.ts';

/** The desired state, and the account that may already have objects in it. */
interface AdoptionSources {
  readonly tools: Schemas;
  readonly state: DesiredState;
  readonly connection: TransportOptions;
}

/** The report on the desired state, as text or as a JSON document. */
export async function adoptionReport(
  { tools, state, connection }: AdoptionSources,
  flags: AccountFlags & { readonly format: string },
  io: Io,
): Promise<string> {
  const progress = progressOn(io);
  const mark = markWith(connection.token, io.env);
  const account = { kinds: tools.kinds, transport: readTransport(connection) };
  const { adoption, findings } = await adoptionFor(state, account, {
    dialect: flags.dialect ?? state.project.dialect ?? 'auto',
    now: io.now(),
    ...(mark && { mark }),
    concurrency: flags.concurrency,
    onProgress: progress.fetching,
    onHidden: value => io.secrets.add(value),
  }).finally(progress.clear);
  printFindings(findings, io);
  stopOnErrors(findings);
  if (!adoption) throw new InvariantError('there is no adoption, and no error says why');
  return flags.format === 'json'
    ? jsonText(adoptionDocument(adoption, tools.kinds))
    : adoptionText(adoption, tools.kinds, styleFor(io.stdout, io));
}
