// The two sides of every comparison: declared objects and live objects.
import type { Span } from './diagnostic.ts';
import type { Ended, MemberEnd } from './ending.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import type { Fields, Path } from './value.ts';

/** Settings of an object that concern meshform and not the API (docs/design.md#lifecycle). */
export interface Lifecycle {
  readonly id?: string;
  readonly was?: string;
  readonly protect?: boolean;
  /** A break-glass object. */
  readonly break_glass?: boolean;
  readonly delete?: boolean;
  /** When the object ends, such as `2026-12-01`: it is deleted then. */
  readonly until?: string;
  readonly ignore?: readonly string[];
  readonly exact?: readonly string[];
  /** How long before its expiry an object is renewed, such as `14d`. */
  readonly renew_before?: string;
  /** Why nothing of its access is proposed for removal, although nobody uses it. */
  readonly keep_access?: string;
  /** By code, why a lint does not apply to the object; or by rule, why it does not apply to that rule. */
  readonly lint_ignore?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The relation of a part to the declared object that the server keeps as several objects. */
export interface Part {
  /** The key of the declared object. */
  readonly whole: Key;
  /** The former name of the declared object, in its `lifecycle.was`. */
  readonly formerWhole?: string;
  /** The key of the list item in this part. */
  readonly item: string;
  /** Whether it is the first part: faults of the whole object are reported only for the first part. */
  readonly leads: boolean;
}

/** A declared object. References in `fields` are keys. */
export interface Desired {
  readonly kind: KindName;
  readonly key: Key;
  /** The key of its parent. */
  readonly parent?: Key;
  /** Only the written fields, with secrets as sources. */
  readonly fields: Fields;
  readonly lifecycle: Lifecycle;
  /** It is declared in a file of grants, and takes over no object that the file did not create. */
  readonly isGrant?: true;
  /** Another system makes the object: the declaration is only of its name. */
  readonly isProvided?: true;
  /**
   * Present if the server keeps each list item in an object. If a declared object has one part, the part has the name
   * of the object.
   */
  readonly part?: Part;
  readonly at: Span;
  /** The places of all values inside the object, by JSON pointer. */
  readonly spans: Readonly<Record<string, Span>>;
  /** By JSON pointer, names of items of its lists that have variables, as files write them: layers merge items by the written name. */
  readonly writtenNames?: ReadonlyMap<string, string>;
  /** The sources of its secrets with a visible host. */
  readonly hidden?: HiddenSources;
  /** Members of its lists that end; absent if there are none. */
  readonly ends?: readonly MemberEnd[];
  /** Its ended part; absent if there is none. */
  readonly ended?: Ended;
  /** Its fields as written, if `fields` omits references that lead to no object. */
  readonly whole?: Fields;
  /** Members of its shared sets that other folders declare, by any name that these or the base have for them. */
  readonly elsewhere?: Fields;
  /** The live objects that it may mean, if it is the declaration of an unfinished apply; by default whatever has its name. */
  readonly madeIds?: ReadonlySet<RemoteId>;
  /** Whether the files no longer declare it, and only take their members out of it: it is never created. */
  readonly isFormer?: true;
  /** It is created beside any live object of its name, and is none of them. Its key may have a number after the name. */
  readonly isNew?: true;
}

/** The sources of secrets whose host is shown. Maps, so that they are not printed by mistake. */
export interface HiddenSources {
  /** By value, the source that a plan contains instead. */
  readonly sources: ReadonlyMap<string, string>;
  /** By source, the written text, for secrets that were not read yet. */
  readonly unread: ReadonlyMap<string, string>;
  /** By value, the written text, for secrets that were read. */
  readonly written: ReadonlyMap<string, string>;
  /**
   * By source, the place in the files, such as `network.yaml#2`, for addresses whose host is secret too. It is their name
   * instead of the host.
   */
  readonly places: ReadonlyMap<string, string>;
  /** By stand-in, the address that is sent in its place; absent if there is none. */
  readonly standIns?: ReadonlyMap<string, string>;
}

/** A field that the account shows and the schema of its kind does not have. */
export interface UnknownField {
  /** Its path; items of keyed lists by their keys. */
  readonly path: Path;
  /** Whether it is a scalar or a list of scalars. */
  readonly isPlain: boolean;
}

/** A live object. */
export interface Live {
  readonly kind: KindName;
  readonly id: RemoteId;
  /** The key of the object in references of other live objects: its name, or `id:<value>` without a unique name. */
  readonly key: Key;
  /** The id of its parent. */
  readonly parentId?: RemoteId;
  /** The writable fields, with ids decoded to keys. */
  readonly fields: Fields;
  /** The same fields with ids: the input of digests. */
  readonly idFields: Fields;
  /** The read-only fields, as they were read. */
  readonly serverFields: Fields;
  /** Other fields, which an update could reset. */
  readonly unknown?: readonly UnknownField[];
  /** Whether its address came from a source of secrets as a whole: its host is never shown. */
  readonly hasSecretHost?: true;
  /** Why it is never written, if it belongs to the account itself or to another system. */
  readonly reserved?: string;
}

/** Everything read from the account for one run. */
export interface Snapshot {
  readonly objects: readonly Live[];
  /** The id that identifies the account, of its built-in group of all peers. Absent if it cannot be determined. */
  readonly account?: RemoteId;
  /** Kinds whose list could not be read, and why. They must not count as empty. */
  readonly unavailable: ReadonlyMap<KindName, string>;
  /** The kinds among them whose path the server does not have: it has no objects of such a kind. None if absent. */
  readonly notOffered?: ReadonlySet<KindName>;
  /** Kinds whose lists were requested; all kinds if absent. Objects of other kinds are unknown. */
  readonly read?: ReadonlySet<KindName>;
  /** The number of requests. */
  readonly requests: number;
}
