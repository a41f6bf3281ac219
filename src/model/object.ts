// The two sides of every comparison: declared objects and live objects.
import type { Span } from './diagnostic.ts';
import type { Ended, MemberEnd } from './ending.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import type { Fields, Path } from './value.ts';

/** Settings of an object for meshform, which the API does not know (docs/design.md#lifecycle). */
export interface Lifecycle {
  readonly id?: string;
  readonly was?: string;
  readonly protect?: boolean;
  /** A break-glass object. */
  readonly break_glass?: boolean;
  readonly delete?: boolean;
  /** The time after which the object is deleted, such as `2026-12-01`. */
  readonly until?: string;
  readonly ignore?: readonly string[];
  readonly exact?: readonly string[];
  /** How long before its expiry an object is renewed, such as `14d`. */
  readonly renew_before?: string;
  /** The reason why no unused access of the object is proposed for removal. */
  readonly keep_access?: string;
  /**
   * Why a lint does not apply to the object, by lint code. If the value is a map, why it does not apply to single rules, by rule
   * name.
   */
  readonly lint_ignore?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** A part of a declared object that the server keeps as several objects. */
export interface Part {
  /** The key of the declared object. */
  readonly whole: Key;
  /** The former name of the declared object, from its `lifecycle.was`. */
  readonly formerWhole?: string;
  /** The key of the list item in this part. */
  readonly item: string;
  /** Whether this is the first part: faults of the whole object are reported only for the first part. */
  readonly leads: boolean;
}

/** A declared object. References in `fields` are keys. */
export interface Desired {
  readonly kind: KindName;
  readonly key: Key;
  /** The key of its parent. */
  readonly parent?: Key;
  /** The written fields only, with secrets as sources. */
  readonly fields: Fields;
  readonly lifecycle: Lifecycle;
  /** The object is declared in a file of grants. Such a file must not take over objects that it did not create. */
  readonly isGrant?: true;
  /** Another system creates the object. The declaration only gives it a name in files. */
  readonly isProvided?: true;
  /**
   * Present if the server stores each list item as a separate object. If a declared object has only one part, the part has the
   * name of the object.
   */
  readonly part?: Part;
  readonly at: Span;
  /** The places in the files of all values inside the object, by JSON pointer. */
  readonly spans: Readonly<Record<string, Span>>;
  /** By JSON pointer, the written names of list items that contain variables: layers merge items by the written name. */
  readonly writtenNames?: ReadonlyMap<string, string>;
  /** The sources of its secrets with a visible host. */
  readonly hidden?: HiddenSources;
  /** Members of its lists that have an end time; absent if there are none. */
  readonly ends?: readonly MemberEnd[];
  /** The part of the object whose end time has passed; absent if there is none. */
  readonly ended?: Ended;
  /** The fields as written, if `fields` omits references that resolve to no object. */
  readonly whole?: Fields;
  /** Members of its shared sets that other folders declare, under each name that these folders or the base use for them. */
  readonly elsewhere?: Fields;
  /**
   * The live objects that the declaration of an unfinished apply may mean; if absent, any object
   * with its name.
   */
  readonly madeIds?: ReadonlySet<RemoteId>;
  /**
   * Whether the files no longer declare the object, and only remove the members that they had added. Such an object is never
   * created.
   */
  readonly isFormer?: true;
  /**
   * The object is created even if live objects have its name, and it is never paired with them. Its key may have a number after
   * the name.
   */
  readonly isNew?: true;
}

/** The sources of secrets whose host is shown. They are maps, so that they are not printed by mistake. */
export interface HiddenSources {
  /** By secret value, the source that a plan contains instead. */
  readonly sources: ReadonlyMap<string, string>;
  /** By source, the written text, for secrets that have not been read yet. */
  readonly unread: ReadonlyMap<string, string>;
  /** By secret value, the written text, for secrets that were read. */
  readonly written: ReadonlyMap<string, string>;
  /**
   * The place in the files, such as `network.yaml#2`, by source, for addresses whose host is secret too. The place is shown
   * instead of the host.
   */
  readonly places: ReadonlyMap<string, string>;
  /** By placeholder, the address that is sent in place of the placeholder; absent if there are no placeholders. */
  readonly placeholders?: ReadonlyMap<string, string>;
}

/** A field that the account shows and that the schema of its kind does not contain. */
export interface UnknownField {
  /** The path of the field, with the keys of items in keyed lists. */
  readonly path: Path;
  /** Whether the value is a scalar or a list of scalars. */
  readonly isPlain: boolean;
}

/** A live object. */
export interface Live {
  readonly kind: KindName;
  readonly id: RemoteId;
  /** The key of the object in references of other live objects: its name, or `id:<value>` if it has no unique name. */
  readonly key: Key;
  /** The id of its parent. */
  readonly parentId?: RemoteId;
  /** The writable fields, with ids decoded to keys. */
  readonly fields: Fields;
  /** The writable fields with ids, as the input of digests. */
  readonly idFields: Fields;
  /** The read-only fields, as they were read. */
  readonly serverFields: Fields;
  /** Other fields, which an update could reset. */
  readonly unknown?: readonly UnknownField[];
  /** Whether the whole address of the object came from a source of secrets. Then its host is never shown. */
  readonly hasSecretHost?: true;
  /** The reason why the object is never written, if it belongs to the account itself or to another system. */
  readonly reserved?: string;
}

/** All data that one run read from the account. */
export interface Snapshot {
  readonly objects: readonly Live[];
  /** The id that identifies the account: the id of its built-in group of all peers. Absent if it cannot be determined. */
  readonly account?: RemoteId;
  /** Kinds whose list could not be read, each with the reason. They must not count as empty. */
  readonly unavailable: ReadonlyMap<KindName, string>;
  /**
   * The unavailable kinds whose path the server does not have, so that the account has no objects of these kinds. None if absent.
   */
  readonly notOffered?: ReadonlySet<KindName>;
  /** Kinds whose lists were requested; all kinds if absent. The objects of other kinds are unknown. */
  readonly read?: ReadonlySet<KindName>;
  /** The number of requests. */
  readonly requests: number;
}
