// The objects and changes that unfinished applies left in the account.

import type { FieldChange } from './change.ts';
import type { JournalEntry } from './journal.ts';
import type { Address, Key, KindName, RemoteId } from './names.ts';
import type { Desired } from './object.ts';
import type { Plan } from './plan.ts';
import type { RecordedId } from './recordedBase.ts';
import type { Shown } from './secrets/shown.ts';
import type { Fields } from './value.ts';

/**
 * Objects that unfinished applies created or may have updated, as their files declared them. They count as declared by the base.
 */
export interface LeftObjects {
  /** The ids of the applies. */
  readonly runs: readonly string[];
  /**
   * Objects in the account that an apply may have created, without proof; by apply. An apply with such objects is not closed
   * until the files declare them.
   */
  readonly unproven: ReadonlyMap<string, readonly Address[]>;
  readonly objects: readonly Desired[];
  /** The live objects that these applies created. */
  readonly ids: readonly RecordedId[];
  /**
   * Live objects that do not count as declared by the base. If the files declare their names, these
   * names refer to these objects. Newest first.
   */
  readonly known: readonly RecordedId[];
  /** The live objects that these applies may have updated. */
  readonly updated: readonly RecordedId[];
  /** Objects that the applies created as replacements, before they could delete the replaced objects. */
  readonly replaced: readonly LeftReplacement[];
  /** Objects that the applies deleted or may have deleted, by their ids, each with the apply. */
  readonly deleted: ReadonlyMap<RemoteId, string>;
  /** Objects that unfinished or closed applies provably created, whatever their revision and base. */
  readonly made: readonly ProvablyCreated[];
  /** Objects that applies created and left, whose folders no longer have files. */
  readonly leftInGone: readonly ProvablyCreated[];
  /**
   * All applies that did not finish or were closed, including those whose objects do not count for these files and their base.
   */
  readonly written: readonly LeftRun[];
  /**
   * Objects that complete applies created with an end time, and that no later apply declared without an end time. They count only
   * without a base. Absent if there are none.
   */
  readonly withEnds?: readonly ProvablyCreated[] | undefined;
  /** Journal files on this machine that no key of the run signed, and whose applies may have left objects; none if absent. */
  readonly unverified?: readonly string[];
  /** Reads the objects that complete applies created, newest first. Rejects if git fails. */
  readonly madeByComplete?: () => Promise<readonly CompleteObject[]>;
  /** Reads the other layers that applies of the folder used and that still exist, by their paths from the folder. */
  readonly layersBefore?: () => readonly string[];
}

/** An apply that did not finish, or was closed before it finished, by its verified journal. */
export interface LeftRun {
  /** The id of the apply. */
  readonly run: string;
  /** The start of the apply, in RFC 3339. */
  readonly began: string;
  readonly plan: Plan;
  readonly entries: readonly JournalEntry[];
  /** The objects that the apply provably created. */
  readonly created: readonly RecordedId[];
  /** Whether the journal may lack its last lines. If so, any action may have been sent. */
  readonly isLost: boolean;
  /** The objects that the apply still left when it was closed; all of its objects if absent. */
  readonly leaves?: ReadonlySet<Address>;
  /** Whether only the base shows which objects the files wanted deleted, and the base is newer than the apply. */
  readonly hidesDeletions?: boolean;
  /** The path of the apply's folder in the repository, if the folder has no files in the checkout. */
  readonly formerFolder?: string;
}

/** The declaration by which an unfinished apply created an object, or may have updated it. */
export interface RunDeclaration {
  readonly id: RemoteId;
  /** The declaration, split into the parts that the server stores as separate objects. */
  readonly object: Desired;
  /** The fields of the object before the apply, with the names of that time. */
  readonly before: Fields;
}

/** A change or deletion that an unfinished apply made, and that is still visible in the account. */
export interface LeftChange {
  readonly kind: KindName;
  readonly key: Key;
  /** The id of the object; absent if the apply deleted the object. */
  readonly id?: RemoteId;
  /**
   * The changes by which an undo of the apply would restore the former values. For a deleted object, these are all of its fields.
   */
  readonly fields: readonly FieldChange<Shown>[];
  /** The id of the apply. */
  readonly run: string;
  readonly formerFolder?: string;
}

/** A live object that an apply of the same files provably created. */
export interface ProvablyCreated extends RecordedId {
  /** The id of the apply. */
  readonly run: string;
  /** The key of the declared object, if this object is one of its parts. */
  readonly partOf?: Key;
  /** Whether the apply declared the object with an end time, or in a file of grants, where every object has an end time. */
  readonly hasEnd: boolean;
  /**
   * The end time with which the apply created the object, as written; absent if it had none, or if an older version wrote the
   * journal.
   */
  readonly until?: string;
  /** Whether no later apply has recorded the object in a base, because its apply did not finish. */
  readonly isLeft?: boolean;
  /** The path of the apply's folder in the repository, if the folder has no files in the checkout. */
  readonly formerFolder?: string;
  /**
   * Whether an apply that prunes treats the object as declared by the base, because anybody can continue the apply that created
   * it.
   */
  readonly isCounted?: boolean;
}

/** A live object that a complete apply created. */
export interface CompleteObject extends ProvablyCreated {
  /** Whether the apply recorded no base, and no base was recorded since. */
  readonly isSinceBase: boolean;
}

/** An object that an unfinished apply created before it deleted the replaced object. */
export interface LeftReplacement extends RecordedId {
  /** The id of the former object. */
  readonly former: RemoteId;
  /** The fields of the replacement, as the apply declared them. */
  readonly fields: Fields;
}
