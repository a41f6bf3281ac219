// What an apply that nobody finished left in the account.

import type { FieldChange } from './change.ts';
import type { JournalEntry } from './journal.ts';
import type { Address, Key, KindName, RemoteId } from './names.ts';
import type { Desired } from './object.ts';
import type { Plan } from './plan.ts';
import type { RecordedId } from './recordedBase.ts';
import type { Shown } from './secrets/shown.ts';
import type { Fields } from './value.ts';

/** Objects that unfinished applies created, or may have updated, as their files declared them: they count as declared by the base. */
export interface LeftObjects {
  /** The ids of the applies. */
  readonly runs: readonly string[];
  /** By apply, objects in the account that it may have created, which nothing proves: until the files declare them, it is not closed. */
  readonly unproven: ReadonlyMap<string, readonly Address[]>;
  readonly objects: readonly Desired[];
  /** The live objects that they created. */
  readonly ids: readonly RecordedId[];
  /** Live objects that do not count as declared by the base, and that the names mean if the files declare them; the newest first. */
  readonly known: readonly RecordedId[];
  /** The live objects that all of them may have updated. */
  readonly updated: readonly RecordedId[];
  /** Objects that they created in the place of others, which they were to delete then. */
  readonly replaced: readonly LeftReplacement[];
  /** Objects that they deleted, or may have deleted, by their ids, and which apply it was. */
  readonly deleted: ReadonlyMap<RemoteId, string>;
  /** What applies provably created that nobody finished, or that were closed, of whatever revision and before whatever base. */
  readonly made: readonly MadeObject[];
  /** What applies created, and left, whose folders have no files any more. */
  readonly leftInGone: readonly MadeObject[];
  /** The applies that nobody finished, or that were closed, whatever these files and their base count of them. */
  readonly written: readonly LeftRun[];
  /** The files of journals of this machine that no key of the run signed, of applies that may have left something; none if absent. */
  readonly unverified?: readonly string[];
  /** Reads what complete applies created, the newest first. Rejects if git fails. */
  readonly madeByComplete?: () => Promise<readonly CompleteObject[]>;
  /** Reads which other layers applies of the folder had that are still there, by their paths from it. */
  readonly layersBefore?: () => readonly string[];
}

/** An apply that nobody finished, or that was closed before it was, by its verified journal. */
export interface LeftRun {
  /** Its id. */
  readonly run: string;
  /** When it began, in RFC 3339. */
  readonly began: string;
  readonly plan: Plan;
  readonly entries: readonly JournalEntry[];
  /** What it provably created. */
  readonly created: readonly RecordedId[];
  /** Whether the journal may lack its last lines: then each action may have been sent. */
  readonly isLost: boolean;
  /** What was left of it when it was closed; everything if absent. */
  readonly leaves?: ReadonlySet<Address>;
  /** Whether nothing but the base tells which of its deletions the files had asked for, and the base is newer. */
  readonly hidesDeletions?: boolean;
  /** The path of its folder in the repository, if that has no files in the checkout. */
  readonly formerFolder?: string;
}

/** How an apply that nobody finished declared an object that it created, or may have updated. */
export interface RunDeclaration {
  readonly id: RemoteId;
  /** In parts, as the server keeps objects. */
  readonly object: Desired;
  /** What the object had before, under the names of that time. */
  readonly before: Fields;
}

/** What an apply that nobody finished changed, or deleted, and the account still shows. */
export interface LeftChange {
  readonly kind: KindName;
  readonly key: Key;
  /** The object; absent if the apply deleted it. */
  readonly id?: RemoteId;
  /** What an undo of the apply would change: to what was there before it. Of a deleted object, all that it had. */
  readonly fields: readonly FieldChange<Shown>[];
  /** The id of the apply. */
  readonly run: string;
  readonly formerFolder?: string;
}

/** A live object that an apply of the same files provably created. */
export interface MadeObject extends RecordedId {
  /** The id of the apply. */
  readonly run: string;
  /** The key of the declared object, if this is one of its parts. */
  readonly partOf?: Key;
  /** Whether the apply declared it with an end, or in a file of grants, whose objects all have one. */
  readonly hasEnd: boolean;
  /** Whether no later apply has recorded it in a base, because the apply was not finished. */
  readonly isLeft?: boolean;
  /** The path of the folder of the apply in the repository, if that has no files in the checkout. */
  readonly formerFolder?: string;
  /** Whether an apply that prunes counts it as declared by the base: the apply that created it can be continued by everybody. */
  readonly isCounted?: boolean;
}

/** A live object that a complete apply created. */
export interface CompleteObject extends MadeObject {
  /** Whether the apply recorded no base, and none was recorded since. */
  readonly isSinceBase: boolean;
}

/** An object that an unfinished apply created before it deleted the former one. */
export interface LeftReplacement extends RecordedId {
  /** The id of the former object. */
  readonly former: RemoteId;
  /** As the apply declared the new one. */
  readonly fields: Fields;
}
