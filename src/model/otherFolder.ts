// What other folders of the repository declare for the same account.
import type { Guards } from './guards.ts';
import type { Desired } from './object.ts';
import type { RecordedId } from './recordedBase.ts';

/** Another folder of desired state of the account. */
export interface OtherFolder {
  /** Its name, or else its path in the repository. */
  readonly name: string;
  /** What its files declare. */
  readonly files: readonly Desired[];
  /** What its recorded base declares. */
  readonly base: readonly Desired[];
  /** The meaning of names in that base. */
  readonly ids?: readonly RecordedId[];
  /** The guards in its files and in its base, signed or not: guards only make a run stricter. */
  readonly guards?: readonly Guards[];
  /** The commit of that base. */
  readonly commit?: string;
  /** Whether it has a base and, in git, no files of its name any more. */
  readonly isGone?: true;
  /** What has its files now, if a base is left of a folder with another name. */
  readonly heldBy?: string;
  /** Why its files cannot be read: then their declarations are unknown. */
  readonly unreadable?: string;
  /** The same for a run that deletes nothing, which does not stop because of it. */
  readonly isUnread?: true;
}

/** All that other folders declare. */
export const declaredIn = (others: readonly OtherFolder[]): readonly Desired[] =>
  others.flatMap(({ files, base }) => [...files, ...base]);

/** Whether that is perhaps not all, because files of a folder cannot be read. */
export const incompleteIn = (
  others: readonly OtherFolder[],
): { readonly isIncomplete: boolean } => ({
  isIncomplete: others.some(({ unreadable, isUnread }) => unreadable !== undefined || isUnread),
});
