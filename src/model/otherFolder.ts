// The declarations of other folders of the repository for the same account.
import type { Guards } from './guards.ts';
import type { Desired } from './object.ts';
import type { RecordedId } from './recordedBase.ts';
import { shellWord } from './text/shellWord.ts';
import { quoted } from './text/visible.ts';

/** Another folder of desired state of the account. */
export interface OtherFolder {
  /** The name of the folder, or else its path in the repository. */
  readonly name: string;
  /** The declarations in the files of the folder. */
  readonly files: readonly Desired[];
  /**
   * Whether `files` are those of the checked-out commit, and the checkout has others: both count as declared, and a declaration
   * here as well is no second one.
   */
  readonly isCommitted?: true;
  /** The declarations in the recorded base of the folder. */
  readonly base: readonly Desired[];
  /** The meaning of names in that base. */
  readonly ids?: readonly RecordedId[];
  /** The guards in the files and in the base of the folder, signed or not, because guards only make a run stricter. */
  readonly guards?: readonly Guards[];
  /** The commit of that base. */
  readonly commit?: string;
  /** Whether the folder has a base but, in git, no longer any files under its name. */
  readonly isGone?: true;
  /** The folder that has its files now, if a base is left of a folder with another name. */
  readonly heldBy?: string;
  /** The reason why the files of the folder cannot be read: its declarations are then unknown. */
  readonly unreadable?: string;
  /** The name by which its base is forgotten, if that base is what cannot be read. */
  readonly unreadableBase?: string;
  /** Whether the files cannot be read in a run that deletes nothing: such a run does not stop because of it. */
  readonly isUnread?: true;
}

/** All declarations of other folders. */
export const declaredIn = (others: readonly OtherFolder[]): readonly Desired[] =>
  others.flatMap(({ files, base }) => [...files, ...base]);

/** Whether the declarations of other folders may be incomplete, because files of a folder cannot be read. */
export const incompleteIn = (
  others: readonly OtherFolder[],
): { readonly isIncomplete: boolean } => ({
  isIncomplete: others.some(({ unreadable, isUnread }) => unreadable !== undefined || isUnread),
});

/**
 * What to do about a folder that cannot be read, before what else the plan may do. `folder` is that of the plan: the base of a
 * folder that is gone is forgotten from there.
 */
export const unreadableHint = (
  { name, unreadableBase }: Pick<OtherFolder, 'name' | 'unreadableBase'>,
  folder: string,
): string =>
  unreadableBase === undefined
    ? `fix ${quoted(name)}, or set the variables that it needs`
    : `put back the commit that ${quoted(name)} had, or if its folder is gone, forget it with \`meshform base forget ${shellWord(unreadableBase)} ${shellWord(folder)}\`: what only it declares then stays in the account`;
