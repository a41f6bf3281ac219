// Warnings for objects that an undo restored, that no file declares, and that the plan leaves in the account.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { shortRun } from '../../model/runName.ts';
import { broughtBackBy } from '../pruning/undeclaredChanges.ts';
import type { DraftPlan } from './draftPlan.ts';

/** The warnings for objects that an undo restored, if no file declares them and the plan does not delete them. */
export function broughtBack({ pruning, context }: DraftPlan): readonly Diagnostic[] {
  const gone = new Set(pruning.deletes.map(({ live }) => live));
  return pruning.undeclared.flatMap(({ live, change: { address, type } }): Diagnostic[] => {
    const undone = live && broughtBackBy(live, context);
    if (type !== 'delete' || undone === undefined || gone.has(live)) return [];
    const by =
      undone.run === undefined ? 'an undo' : `the undo of the apply ${shortRun(undone.run)}`;
    return [
      {
        code: 'BROUGHT_BACK',
        severity: 'warning',
        message: `${address} was brought back by ${by}; no file declares it, and it stays in the account`,
        hint: 'delete it with `apply --prune removed --base auto`; to keep it, declare it',
      },
    ];
  });
}
