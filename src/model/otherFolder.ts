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
   * Whether `files` are those of the checked-out commit, and the working tree has different files. Both versions count as
   * declared. An object that is in both is not declared twice.
   */
  readonly isCommitted?: true;
  /** The declarations in the recorded base of the folder. */
  readonly base: readonly Desired[];
  /** The live objects to which names in that base refer. */
  readonly ids?: readonly RecordedId[];
  /**
   * The guards in the files and in the base of the folder, with or without a signature, because guards only make a run stricter.
   */
  readonly guards?: readonly Guards[];
  /** The commit of that base. */
  readonly commit?: string;
  /** Whether the folder has a base but, in git, no longer any files under its name. */
  readonly isGone?: true;
  /** The folder that has the files now. Present if only the base of a renamed folder remains under the former name. */
  readonly heldBy?: string;
  /** The reason why the files of the folder cannot be read. Then its declarations are unknown. */
  readonly unreadable?: string;
  /** If its base cannot be read: the name with which `base forget` removes that base. */
  readonly unreadableBase?: string;
  /** Whether the files cannot be read, in a run that deletes nothing and therefore does not stop. */
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
 * How to repair a folder that cannot be read, which comes before everything else. `folder` is the folder of the plan: `base
 * forget` runs there.
 */
export const unreadableHint = (
  { name, unreadableBase }: Pick<OtherFolder, 'name' | 'unreadableBase'>,
  folder: string,
): string =>
  unreadableBase === undefined
    ? `fix ${quoted(name)}, or set the variables that it needs`
    : `restore the commit of ${quoted(name)}, or if its folder is gone, forget it with \`meshform base forget ${shellWord(unreadableBase)} ${shellWord(folder)}\`: objects that only this base declares then stay in the account`;
