// Other folders of the account whose files cannot be read. Their declarations are unknown, so nothing may be deleted.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { unreadableHint } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DraftPlan } from './draftPlan.ts';

/** Returns an error for each such folder, if the plan deletes undeclared objects. */
export function unreadFolders({ input, pruning }: DraftPlan): readonly Diagnostic[] {
  const isDeleting = pruning.deletes.some(({ desired }) => desired === undefined);
  if (!isDeleting) return [];
  return (input.others ?? []).flatMap(({ unreadable, ...other }): Diagnostic[] =>
    unreadable === undefined
      ? []
      : [
          {
            code: 'FOLDER_UNREADABLE',
            severity: 'error',
            message: `the files of ${quoted(other.name)} for the same account cannot be read, so it is unknown what may be deleted: ${unreadable}`,
            hint: `${unreadableHint(other, input.folder)}; or plan without --prune`,
          },
        ],
  );
}
