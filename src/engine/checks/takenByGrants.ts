// Existing objects that a file of grants would take over. A reviewer of `grants/` approves only new objects with an end time.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import { quoted } from '../../model/text/visible.ts';
import { isRecorded, ownGrants } from '../pruning/ownGrants.ts';
import type { Pair } from '../types/pairing.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * Errors for objects that files of grants declare but did not create. Ended objects are left out,
 * because another check prevents their removal.
 */
export function takenByGrants({
  pairing,
  changes,
  input,
  run,
  context,
}: DraftPlan): readonly Diagnostic[] {
  const granted = pairing.pairs.filter(
    ({ desired }) => desired.isGrant && !run.isMarkedForDeletion(desired),
  );
  if (granted.length === 0) return [];
  const isOwn = ownGrants(input, pairing);
  const changed = new Set(changes.flatMap(({ live }) => live ?? []));
  const taken = granted.filter(pair => !isOwn(pair, changed.has(pair.live)));
  const known = isRecorded(input, pairing);
  // All parts of an object are declared in one place.
  const byPlace = new Map(taken.toReversed().map(pair => [pair.desired.at, pair] as const));
  return [...byPlace.values()].map(pair => refused(pair, context.wholeOf(pair.desired), known));
}

function refused(
  { desired: { kind, key, at }, live }: Pair,
  whole: string | undefined,
  isKnown: boolean,
): Diagnostic {
  const address = addressOf(kind, (whole ?? key) as typeof key);
  return {
    code: 'GRANT_REFUSED',
    severity: 'error',
    message: `${address} is under \`grants/\`, and the account has it already (${quoted(live.id)}): ${isKnown ? 'no record shows that this file created it' : 'no base shows that this file created it, and it differs from its declaration'}`,
    at,
    hint: isKnown
      ? 'give the grant a name that nothing in the account has, or delete or rename that object in the account'
      : 'give the grant a name that nothing in the account has; if this file created it, plan with `--base`, which shows that, or undo the change in the account',
  };
}
