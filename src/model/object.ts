// The two sides of every comparison: what the files want, and what the account holds.
import type { Span } from './diagnostic.ts';
import type { Key, KindName, RemoteId } from './names.ts';
import type { Fields, Path } from './value.ts';

/** What concerns meshform and not the API (docs/design.md#lifecycle). */
export interface Lifecycle {
  readonly id?: string;
  readonly was?: string;
  readonly protect?: boolean;
  /** The way in when all else fails. */
  readonly break_glass?: boolean;
  readonly delete?: boolean;
  readonly ignore?: readonly string[];
  readonly exact?: readonly string[];
  /** How long before its end an object is made anew, such as `14d`. */
  readonly renew_before?: string;
  /** By code, why a lint does not apply to the object; or by rule, why it does not apply to that rule. */
  readonly lint_ignore?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** What an object is of a declared one that the server keeps as several objects. */
export interface Part {
  /** The key of the declared object. */
  readonly whole: Key;
  /** The name that the declared object had before, by its `lifecycle.was`. */
  readonly formerWhole?: string;
  /** The key of the list item that this one holds. */
  readonly item: string;
  /** Whether it is the first part: what is wrong with the declared object as a whole is reported for it alone. */
  readonly leads: boolean;
}

/** One object as the files want it. Refs in `fields` are keys. */
export interface Desired {
  readonly kind: KindName;
  readonly key: Key;
  /** The key of the object it nests in. */
  readonly parent?: Key;
  /** Only what was written, with secrets as where they come from. */
  readonly fields: Fields;
  readonly lifecycle: Lifecycle;
  /** Where the server keeps one list item an object. The only part of a declared object goes by the name of that object. */
  readonly part?: Part;
  readonly at: Span;
  /** Where each value inside the object stands, by JSON pointer. */
  readonly spans: Readonly<Record<string, Span>>;
  /** Where its secrets with a visible host come from. */
  readonly hidden?: HiddenSources;
}

/** Where the secrets of which only the host is shown come from. Maps, so that nothing prints them by mistake. */
export interface HiddenSources {
  /** By value, the source that a plan holds in its place. */
  readonly sources: ReadonlyMap<string, string>;
  /** By source, the text that was written, of those that nobody has read so far. */
  readonly unread: ReadonlyMap<string, string>;
}

/** A field that the account shows and the schema of its kind does not have. */
export interface UnknownField {
  /** Where it is; items of keyed lists by their keys. */
  readonly path: Path;
  /** Whether it is a scalar or a list of scalars. */
  readonly isPlain: boolean;
}

/** One object as the account holds it. */
export interface Live {
  readonly kind: KindName;
  readonly id: RemoteId;
  /** What pointers of other live objects call it: its name, or `id:<value>` where no unique name does. */
  readonly key: Key;
  /** The id of the object it nests in. */
  readonly parentId?: RemoteId;
  /** The writable fields, ids decoded to keys. */
  readonly fields: Fields;
  /** The same fields with ids left as ids: what a digest is taken of. */
  readonly idFields: Fields;
  /** What the server alone sets, as it was read. */
  readonly serverFields: Fields;
  /** What else it shows, where an update could reset it. */
  readonly unknown?: readonly UnknownField[];
  /** Why it is never written (the account's own, or another system's), if so. */
  readonly reserved?: string;
}

/** Everything read from the account for one run. */
export interface Snapshot {
  readonly objects: readonly Live[];
  /** What tells this account from others: the id of its own group of everybody. Not there where that cannot be told. */
  readonly account?: RemoteId;
  /** Kinds whose list could not be read, and why. Never to be taken for empty. */
  readonly unavailable: ReadonlyMap<KindName, string>;
  /**
   * Those of them whose path the server does not have: nothing of such a kind is there, in whatever it would nest. None
   * where it is not given.
   */
  readonly notOffered?: ReadonlySet<KindName>;
  /** Kinds whose lists were asked for; all kinds where it is not given. Nothing is known of the objects of other kinds. */
  readonly read?: ReadonlySet<KindName>;
  /** Number of requests it took. */
  readonly requests: number;
}
