// The base as an apply records it: the applied desired state of one folder and one account.
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
  /** With the values of variables and defaults; of secrets, only the sources. */
  readonly fields: ShownFields;
  /** JSON pointers to the values in `fields` that are defaults. */
  readonly defaults?: readonly string[];
  readonly lifecycle?: Lifecycle;
  /** The members of its lists that end. Absent without any, and in bases before format 1.5. */
  readonly ends?: readonly RecordedEnd[];
}

/** The end of a member of a list. */
interface RecordedEnd {
  /** The path of the list in the fields, with the keys of items in place of their indexes. */
  readonly list: Path;
  readonly member: string;
  /** When it ends, as written. */
  readonly until: string;
}

/**
 * The live object that a name of the files meant when they were applied: later it may have another name, and another object this one.
 */
export interface RecordedId {
  readonly kind: KindName;
  readonly key: Key;
  readonly id: RemoteId;
}

/** A declared value that the server accepted in an update and did not store. */
export interface UnstoredValue extends RecordedId {
  readonly field: string;
  /** The value that the files declared, in the names of the files. */
  readonly declared: Json;
  /** The value that the account kept, with ids for names. */
  readonly kept: Json;
}

/** The guards of the files when they were applied; what there was none of is left out. */
export interface RecordedGuards {
  readonly protect?: readonly string[];
  readonly guarded?: readonly Omit<GuardedAccess, 'at'>[];
  readonly thresholds?: Thresholds;
  readonly access_thresholds?: AccessThresholds;
  readonly access_tests?: readonly WrittenTest[];
  /** Absent in bases of versions that recorded none. */
  readonly grants?: readonly Omit<GrantLimits, 'at'>[];
  /** Hazards that were accepted in every run. */
  readonly allow?: readonly string[];
}

/** The folder that a base belongs to. */
export interface BaseFolder {
  /** The `name` in its project file. */
  readonly name?: string;
  /** The path from the root of the repository, `.` for the root itself; of a single file, with the name of the file. */
  readonly folder: string;
}

/** The folder of a run, and its layers. */
export interface BaseLayers extends BaseFolder {
  /** The paths of all layers from the root of the repository, in their order; absent if there is only one. */
  readonly layers?: readonly string[];
  /** Those of them that an account of a fleet did not have. Absent without any, and in bases before format 1.4. */
  readonly absent?: readonly string[];
}

/** The layers that a base was recorded with, without those that the account did not have. */
export const recordedLayers = ({ folder, layers, absent = [] }: BaseLayers): readonly string[] =>
  (layers ?? [folder]).filter(layer => !absent.includes(layer));

/** What a plan records as the next base once it is applied. */
export interface BaseContent extends BaseLayers {
  /** The values of `${var:NAME}` that the files used. */
  readonly variables: Readonly<Record<string, string>>;
  readonly objects: readonly RecordedObject[];
  /** Absent in bases of format 1.0. */
  readonly ids?: readonly RecordedId[];
  /** Absent in bases of format 1.0. */
  readonly guards?: RecordedGuards;
  /** Declared values that are not sent again, because the server does not store them. Absent in bases before format 1.3. */
  readonly unstored?: readonly UnstoredValue[];
}

/** A base as others name it. Its signed document says which base it is; what commit has the document does not matter. */
export interface BaseName {
  /** A commit that has its document. */
  readonly commit: string;
  /** The digest of its document: `sha256:` and hexadecimal digits. */
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
  /** When it was recorded, in RFC 3339. */
  readonly recordedAt: string;
  /** The base before. Absent in the first base of a folder, and in bases of format 1.0. */
  readonly before?: BaseName;
  /** The applies of the folder that were unfinished at that time, and that the recording apply did not revert. Absent before format 1.2. */
  readonly unfinished?: readonly string[];
  /** The applies of the folder that a person has closed since: whoever puts an older journal back does not open them again. Absent before format 1.6. */
  readonly closed?: readonly string[];
}
