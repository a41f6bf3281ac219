// Warnings for objects whose end time is no longer in any file. If there is no base, only a journal
// contains the end time.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { timeText } from '../../model/ending.ts';
import { shortRun } from '../../model/runName.ts';
import { endsOfJournals } from '../pruning/endsOfJournals.ts';
import type { DraftPlan } from './draftPlan.ts';

/**
 * Warnings for objects that the plan leaves in the account, if only a journal contains their end
 * time.
 */
export function endsNotDeclared({
  input,
  run: { isForgotten, isSelected },
  pairing: { unpaired },
  pruning,
  declaredBy,
  context,
}: DraftPlan): readonly Diagnostic[] {
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  return endsOfJournals(unpaired, input).flatMap(({ live, made, until }): Diagnostic[] => {
    const named = { kind: live.kind, key: context.keyOf(live) };
    const isKnown = gone.has(live) || declaredBy(live) !== undefined;
    if (isKnown || isForgotten(named) || !isSelected(named)) return [];
    const by = `the apply ${shortRun(made.run)} created it with the end ${timeText(until)}`;
    return [
      {
        code: 'END_NOT_DECLARED',
        severity: 'warning',
        message: `${context.addressOf(live)} stays, although no file declares it any more: ${by}`,
        hint: '`meshform expire` deletes it once it has ended, on a machine that has the journal; to end it now, delete it in the account; to keep it, declare it',
      },
    ];
  });
}
