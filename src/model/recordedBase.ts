// The base in the form in which an apply records it: the applied desired state of one folder and one account.
import type { AccessThresholds, GuardedAccess } from './access/accessGates.ts';
import type { WrittenTest } from './access/accessTest.ts';
import type { GrantLimits } from './grantLimits.ts';
import type { Thresholds } from './guards.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import type { Lifecycle } from './object.ts';
import type { ShownFields } from './secrets/shown.ts';
import type { Json, Path } from './value.ts';

/** A declared object as it was applied. */
export interface RecordedObject {
  readonly kind: KindName;
  readonly key: Key;
  readonly parent?: Key;
  /** The fields with the values of variables and defaults; secrets are recorded as sources only. */
  readonly fields: ShownFields;
  /** JSON pointers to the default values in `fields`. */
  readonly defaults?: readonly string[];
  readonly lifecycle?: Lifecycle;
  /** The end times of members of its lists. Absent if there are none, and in bases before format 1.5. */
  readonly ends?: readonly RecordedEnd[];
}

/** The end time of a list member. */
export interface RecordedEnd {
  /** The path of the list in the fields, with the keys of items in place of their indexes. */
  readonly list: Path;
  readonly member: string;
  /** The end time, as written. */
  readonly until: string;
}

/**
 * The live object that a name in the files denoted when the files were applied. Later, this object
 * may have another name, and another object may have this name.
 */
export interface RecordedId {
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
}

/** A declared value that the server accepted in an update and did not store. */
export interface UnstoredValue extends RecordedId {
  readonly field: string;
  /** The declared value, with names as in the files. */
  readonly declared: Json;
  /** The value that the account kept, with ids in place of names. */
  readonly kept: Json;
}

/**
 * A declaration of the base that an undo replaced with the state that it wrote. The files still declare the state before the
 * undo, so the difference counts as a change of the account, not of the files.
 */
export interface UndoneObject {
  readonly kind: KindName;
  readonly key: Key;
  /** The id of the undone run; absent if its journal has no id. */
  readonly run?: string;
  /** The declaration as it was applied; absent if the base did not declare the object. */
  readonly applied?: RecordedObject;
}

/** The guards of the files when they were applied; guards that did not exist are left out. */
export interface RecordedGuards {
  readonly protect?: readonly string[];
  readonly guarded?: readonly Omit<GuardedAccess, 'at'>[];
  readonly thresholds?: Thresholds;
  readonly access_thresholds?: AccessThresholds;
  readonly access_tests?: readonly WrittenTest[];
  /** Absent in bases of versions that did not record grants. */
  readonly grants?: readonly Omit<GrantLimits, 'at'>[];
  /** Hazards that were accepted in every run. */
  readonly allow?: readonly string[];
}

/** The folder to which a base belongs. */
export interface BaseFolder {
  /** The `name` in its project file. */
  readonly name?: string;
  /**
   * The path from the root of the repository, `.` for the root itself; for a single file, the path includes the name of the file.
   */
  readonly folder: string;
}

/** The folder of a run, and its layers. */
export interface BaseLayers extends BaseFolder {
  /** The paths of all layers from the root of the repository, in their order; absent if there is only one layer. */
  readonly layers?: readonly string[];
  /** The layers that an account of a fleet did not have. Absent if there are none, and in bases before format 1.4. */
  readonly absent?: readonly string[];
}

/** The layers with which a base was recorded, without layers that the account did not have. */
export const recordedLayers = ({ folder, layers, absent = [] }: BaseLayers): readonly string[] =>
  (layers ?? [folder]).filter(layer => !absent.includes(layer));

/** The content that a plan records as the next base when it is applied. */
export interface BaseContent extends BaseLayers {
  /** The values of the `${var:NAME}` references in the files. */
  readonly variables: Readonly<Record<string, string>>;
  readonly objects: readonly RecordedObject[];
  /** Absent in bases of format 1.0. */
  readonly ids?: readonly RecordedId[];
  /** Absent in bases of format 1.0. */
  readonly guards?: RecordedGuards;
  /** Declared values that are not sent again, because the server does not store them. Absent in bases before format 1.3. */
  readonly unstored?: readonly UnstoredValue[];
  /**
   * The declarations in `objects` that an undo wrote after the apply. Absent if there are none, and in bases before format 1.7.
   */
  readonly undone?: readonly UndoneObject[];
}

/** The name of a base in other documents. The signed document identifies the base, whichever commit contains the document. */
export interface BaseName {
  /** A commit that contains the document. */
  readonly commit: string;
  /** The digest of the document: `sha256:` and hexadecimal digits. */
  readonly digest: string;
}

/** Where and when a base was recorded. */
export interface BaseCommit extends BaseName {
  readonly ref: string;
  /** In RFC 3339. */
  readonly recordedAt: string;
}

/** A recorded base. */
export interface RecordedBase extends BaseContent {
  readonly account: string;
  /** The git revision of the applied files. */
  readonly revision: string;
  /** The time of the recording, in RFC 3339. */
  readonly recordedAt: string;
  /** The previous base. Absent in the first base of a folder, and in bases of format 1.0. */
  readonly before?: BaseName;
  /**
   * The applies of the folder that were unfinished at that time and that the recording apply did not revert. Absent before format
   * 1.2.
   */
  readonly unfinished?: readonly string[];
  /**
   * The applies of the folder that a person has closed since the previous base. Restoring an older journal does not reopen them.
   * Absent before format 1.6.
   */
  readonly closed?: readonly string[];
}
