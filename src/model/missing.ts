// Objects that files name and the account no longer has: somebody deleted them, or gave them another name.
import type { Diagnostic } from './diagnostic.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import { shortRun } from './runName.ts';
import { nameText, quoted } from './text/visible.ts';

/** Findings for what a plan leaves out although the account may need it: an apply of the plan is not complete. */
export const heldBack = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ code }) => code === 'OBJECT_HELD' || code === 'OBJECT_AMBIGUOUS');

/** An object's history in the audit log. */
export interface Fate {
  readonly type: 'deleted' | 'renamed';
  /** Who did it, as people call them, and the time of the event, as the server wrote it; absent if no event shows them. */
  readonly by?: string;
  readonly when?: string;
  /** A renamed object that still exists: its id, and its present name. */
  readonly id?: RemoteId;
  readonly to?: string;
  /** The id of a deleted object. */
  readonly was?: RemoteId;
  /** The apply that deleted it and did not come to its end. */
  readonly byRun?: string;
}

/** An object that the base or the audit log knows, and that the account no longer has under this name. */
export interface MissingObject {
  readonly kind: KindName;
  readonly key: Key;
  /** Absent if nothing shows what became of it. */
  readonly fate?: Fate;
  /** Live objects that have its name; none if absent. */
  readonly namesakes?: readonly RemoteId[];
  /** Whether it may be one of them: then it is not missing, but it is unknown which one is meant. */
  readonly isAmbiguous?: true;
}

/** What became of an object, in words that follow its name. */
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

/** A name that another object has now than the base says. */
export interface NameTaken {
  readonly kind: KindName;
  readonly key: Key;
  /** The object of the base, which has another name now. */
  readonly id: RemoteId;
  /** The object that has the name now. */
  readonly by: RemoteId;
}
