// Objects that files name and the account no longer has: somebody deleted or renamed them.
import type { Diagnostic } from './diagnostic.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import { shortRun } from './runName.ts';
import { nameText, quoted } from './text/visible.ts';

/**
 * The findings about objects that a plan leaves out although the account may need them. An apply of such a plan is incomplete.
 */
export const heldBack = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ code }) => code === 'OBJECT_HELD' || code === 'OBJECT_AMBIGUOUS');

/** What happened to an object, according to the audit log. */
export interface Fate {
  readonly type: 'deleted' | 'renamed';
  /**
   * The readable name of the user who deleted or renamed the object, and the time of the event as the server wrote it; absent if
   * no event shows them.
   */
  readonly by?: string;
  readonly when?: string;
  /** The id and the current name of a renamed object that still exists. */
  readonly id?: RemoteId;
  readonly to?: string;
  /** The id of a deleted object. */
  readonly was?: RemoteId;
  /** The unfinished apply that deleted the object. */
  readonly byRun?: string;
}

/** An object in the base or the audit log that the account no longer has under this name. */
export interface MissingObject {
  readonly kind: KindName;
  readonly key: Key;
  /** Absent if no record shows what happened to the object. */
  readonly fate?: Fate;
  /** Live objects that have its name; none if absent. */
  readonly namesakes?: readonly RemoteId[];
  /**
   * Whether one of the namesakes may be the object. Then the object is not missing, but it is unknown which namesake is the
   * object.
   */
  readonly isAmbiguous?: true;
}

/** The fate of an object, in words that follow its name. */
export function fateText(fate: MissingObject['fate']): string {
  if (fate === undefined) return 'is no longer in the account';
  const { by, when, to, byRun } = fate;
  if (byRun !== undefined)
    return `is no longer in the account: the unfinished apply ${shortRun(byRun)} deleted it`;
  const who =
    by === undefined || when === undefined ? '' : ` by ${nameText(by)} at ${nameText(when)}`;
  if (fate.type === 'deleted') return `is no longer in the account: it was deleted${who}`;
  const now = to === undefined ? '' : `, and is now called ${quoted(to)}`;
  return `is no longer in the account under this name: it was renamed${who}${now}`;
}

/** A name that refers to one object in the base and to another in the account. */
export interface NameTaken {
  readonly kind: KindName;
  readonly key: Key;
  /** The object of the base, which now has another name. */
  readonly id: RemoteId;
  /** The object that now has the name. */
  readonly by: RemoteId;
}
