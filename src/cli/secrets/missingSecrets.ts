// Secrets that an apply will need, opened before its first write: half an apply is worse than none.

import { type SecretSources, secretOpener } from '../../carryOut.ts';
import { byPlace } from '../../engine/reading.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { EarlierRun } from '../../model/journal.ts';
import type { Action, Plan } from '../../model/plan.ts';
import { type PlacedSecret, secretsIn } from '../../model/secret.ts';
import { quoted } from '../../model/visible.ts';
import { printFindings, stopOnErrors } from '../desired.ts';
import type { Io } from '../io.ts';

/** Throws a `Stop` where a secret that the run will send cannot be opened; every such secret is printed. */
export async function refuseMissingSecrets(
  plan: Plan,
  inputs: SecretSources,
  earlier: EarlierRun | undefined,
  io: Io,
): Promise<void> {
  const open = secretOpener(inputs);
  const diagnostics: Diagnostic[] = [];
  for (const action of plan.actions) {
    if (action.verb === 'delete' || earlier?.done.has(action.id)) continue;
    for (const placed of secretsIn(action.fields)) {
      const opened = await open(placed.secret);
      if (typeof opened !== 'string') diagnostics.push(missing(plan, action, placed, opened));
    }
  }
  printFindings(byPlace(diagnostics), io);
  stopOnErrors(diagnostics);
}

function missing(
  { changes }: Plan,
  { address }: Action,
  { path }: PlacedSecret,
  fault: Pick<Diagnostic, 'message' | 'hint'> & { readonly code: string },
): Diagnostic {
  const at = changes.find(change => change.address === address)?.at;
  return {
    code: fault.code === 'SECRET_UNREADABLE' ? 'SECRET_UNREADABLE' : 'SECRET_UNDEFINED',
    severity: 'error',
    message: `${quoted(path.join('.'))} of ${address}: ${fault.message}`,
    ...(at && { at }),
    ...(fault.hint !== undefined && { hint: fault.hint }),
  };
}
