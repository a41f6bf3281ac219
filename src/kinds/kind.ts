// What a kind is, once its schema has been read: the tree of its fields with their traits, and the traits of the kind.
import type { KindName } from '../model/names.ts';
import type { Json, JsonObject } from '../model/value.ts';
import type { KindTrait } from './language/kindWords.ts';
import type { CheckName, Dialect, NormaliserName, TransformName, Verb } from './traits.ts';

/** The form of a value. Everything that walks values (canonical, diff, decode, encode) walks this tree. */
export type Shape = ScalarShape | ChoiceShape | ListShape | ObjectShape | DictShape;

export interface ScalarShape {
  readonly type: 'scalar';
  readonly json: 'string' | 'integer' | 'number' | 'boolean';
  /** The kind this value points at by key. */
  readonly ref?: KindName;
  readonly normalise?: NormaliserName;
  /** `host`: a secret of which people see the host: its path may be a credential. */
  readonly shownAs?: 'host';
  readonly secret: boolean;
  /** Whether each value is a secret or not is the account's to say: it shows a secret masked, and any other as it is. */
  readonly masked: boolean;
}

/** A pointer that also says what it points at: `{ peer: name }`, on the wire `{ id, type }`. */
export interface ChoiceShape {
  readonly type: 'choice';
  /** By kind: the wire type, or the field of the referent that holds it. */
  readonly cases: ReadonlyMap<KindName, { readonly type?: string; readonly typeOf?: string }>;
}

export interface ListShape {
  readonly type: 'list';
  readonly items: Shape;
  /** Whether order is noise; `by` names the fields that tell objects in it apart, together. */
  readonly set: false | { readonly by?: readonly string[]; readonly singleIn: readonly Dialect[] };
}

export interface ObjectShape {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** Groups of fields of which at most one is there: from `oneOf` of `required` in the schema. */
  readonly exclusive: readonly (readonly string[])[];
  readonly check?: CheckName;
}

export interface DictShape {
  readonly type: 'dict';
  readonly values: Shape;
  /** The kind the keys of the map point at. */
  readonly keyRef?: KindName;
}

/** One field of an object: its shape and what is known of how the API treats it. */
export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly description: string;
  readonly required: boolean;
  readonly default?: Json;
  /** The server's alone: never sent, never compared. */
  readonly readOnly: boolean;
  /** Never given back: sent, but not compared. */
  readonly writeOnly: boolean;
  /** A change means another object. */
  readonly immutable: boolean;
  /** Can be set, and never taken back: to be false again it takes another object. */
  readonly irreversible: boolean;
  /** Accepted on create, read back in another form: not compared. */
  readonly inputOnly: boolean;
  /** The server gives out a value of its own where none is declared: another account has another, so it is not exported. */
  readonly serverAssigned: boolean;
  /** It can change only while that field, which the server alone sets, has a value. */
  readonly changeRequires?: string;
  /** The only dialects whose servers have it; all of them where this is not given. */
  readonly dialects?: readonly Dialect[];
  /** Between which numbers a dialect wants it, where that is narrower than what the schema admits. */
  readonly limits?: Readonly<Partial<Record<Dialect, { minimum?: number; maximum?: number }>>>;
  /** Demanded by the API on create: sent as its zero where nothing is declared. */
  readonly sentEmpty: boolean;
  /** `never-sent`: not part of a create. `maybe-ignored`: sent, but only an update settles it. */
  readonly updateOnly?: 'never-sent' | 'maybe-ignored';
  /** Others own members of this set too. */
  readonly shared: boolean;
  /** How the server's log tells that a member left this set, by itself or because a write pushed it out. */
  readonly removalEvent?: RemovalEvent;
  /** What belongs to the object moves with a change of these pointers: into what they point at from then on, and out of the rest. */
  readonly movesMembers?: Belonging & {
    /** The shared set of what is pointed at. */
    readonly into: string;
  };
  /** Once it is true, the logins of what belongs to the object end. */
  readonly endsLogins?: Belonging;
  /** An update adds and changes entries of this map, and takes none away: for that it takes another object. */
  readonly addOnly: boolean;
  /** The field of the referent that states the same fact: writing this one writes that object too. */
  readonly inverse?: string;
  /** The field of the referent that states the same fact and is the one that is written: this one only says it there. */
  readonly writtenAs?: string;
  /** Never compared; sent back as it was read just before the write. */
  readonly sentBack: boolean;
  readonly transform?: TransformName;
  /** The field's own JSON Schema, references resolved. */
  readonly schema: JsonObject;
}

/** Objects that belong to another one: those of a kind whose field `by` points at it. */
export interface Belonging {
  readonly kind: KindName;
  readonly by: string;
}

/** The events of the log that tell of members leaving a set: their codes, and what in their `meta` names the set's object. */
export interface RemovalEvent {
  readonly codes: readonly string[];
  readonly holder: string;
}

/** What an entry of the audit log tells of objects of a kind. */
export type AuditEvent = NonNullable<KindTrait['auditEvents']>[number];

/** When a live object is the account's own or another system's, and never written. */
export type ReservedRule = NonNullable<KindTrait['reserved']>[number];

/**
 * When objects of a kind conflict: of two with the same value in `same`, the one that is written is refused if what
 * `pointsAt` points at is among what `amongMembersOf` of the other points at, members of sets included.
 */
type Conflict = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'conflict' }>;

/** Objects that the server deletes along with one of another kind. */
export interface Cascade {
  readonly kind: KindName;
  /** Their field that points at what they go with; where there is none, they go with what they nest in. */
  readonly by?: string;
  /** Only a cascade deletes them: a request to delete their object alone is refused while it has them. */
  readonly onlyInCascade: boolean;
}

/** A filter on a field that is not declared: sent with every create, asked for by `query` where the API can. */
type Where = NonNullable<KindTrait['where']>;

type DialectVariant = NonNullable<NonNullable<KindTrait['dialects']>[Dialect]>;

/**
 * A list of all objects of a kind that nests, whatever they nest in. Its entries do not say what they nest in; the field
 * `childIds` of each parent does.
 */
type AccountWideList = NonNullable<DialectVariant['listAll']>;

/** What a change of parent is: an update of the object, or another object. */
type ParentChange = NonNullable<DialectVariant['parentChange']>;

/** When objects expire: at the time in one read-only field, or while another one says so. */
export type Expiry = NonNullable<KindTrait['expiry']>;

/** How a kind whose objects call the API tells what they may do: fields of it. */
type Principal = NonNullable<KindTrait['principal']>;

/** The audit events that say who created an object of a kind. */
type CreatedEvent = Extract<AuditEvent, { type: 'create' }>;

/**
 * How servers keep an object whose list has several items, where they keep one item an object: one object an item, named
 * `<name><separator><key of the item>`, every other field the same.
 */
export type Parts = NonNullable<DialectVariant['parts']> & {
  /** The dialects of these servers. */
  readonly dialects: readonly Dialect[];
};

/** One kind, read from `schemas/kinds/<name>.schema.json`. */
export interface Kind {
  readonly name: KindName;
  readonly plural: string;
  readonly title: string;
  /** The title as it stands inside a sentence: `setup key`, `EDR provider A`. */
  readonly noun: string;
  readonly description: string;
  /** Its place in the YAML, such as `networks[].resources[]`. */
  readonly at: string;
  /** The collection's path, with its parent's id as `{…}`. */
  readonly path: string;
  /** The collection's path where a dialect has another. */
  readonly pathByDialect: Readonly<Partial<Record<Dialect, string>>>;
  /** By dialect, the list of all its objects in all their parents. */
  readonly listAllByDialect: Readonly<Partial<Record<Dialect, AccountWideList>>>;
  /** The field of its parent that holds the ids of its objects, in the dialect of the table; see `kindsIn`. */
  readonly childIds?: string;
  readonly parent?: KindName;
  readonly cardinality: 'collection' | 'singleton';
  /** Which objects of the collection are of this kind, where others stand in it too. */
  readonly where?: Where;
  /**
   * What names an object within its parent: by part, the field paths of which exactly one has a value. None for a singleton.
   */
  readonly identity: readonly (readonly string[])[];
  /** Where the server itself refuses a second object of one name. */
  readonly unique?: 'account' | 'parent';
  /** Where the server refuses an object because another one is in its way, although no name is taken. */
  readonly conflict?: Conflict;
  readonly verbs: ReadonlySet<Verb>;
  /** How the audit log shows who created an object; without it a lost answer to a create stays in doubt. */
  readonly createdEvent?: CreatedEvent;
  /** How the audit log shows changes of its objects; empty where it does not. */
  readonly auditEvents: readonly AuditEvent[];
  /** What the body of an update is: all fields, those that can change, or only those that do. */
  readonly updateMode: NonNullable<KindTrait['updateMode']>;
  /** Whether an update sends back plain fields that were read and that the schema does not have: see `IGNORES_UNKNOWN`. */
  readonly sendsBackUnknown: boolean;
  /** The field of a create's answer that holds the object. */
  readonly envelope?: string;
  /** The field of a create's answer that holds a secret which is never shown again. */
  readonly oneTimeSecret?: string;
  /** An object is as good as there where an object of that kind has what names it in that field. */
  readonly fulfilledBy?: { readonly kind: KindName; readonly field: string };
  /** When an object is there and good for nothing any more. */
  readonly expiry?: Expiry;
  /** An object that the files no longer declare stays in the account (docs/design.md#pruning). */
  readonly neverPruned: boolean;
  /** Its objects decide who reaches what: one that no file declares is told before all others. */
  readonly grantsAccess: boolean;
  /** Objects of this kind call the API. */
  readonly principal?: Principal;
  /** How an object is read again after a write. */
  readonly readAfterWrite: NonNullable<KindTrait['readAfterWrite']>;
  /** What a change of parent is, by dialect. */
  readonly parentChangeByDialect?: Readonly<Record<Dialect, ParentChange>>;
  readonly replace: NonNullable<KindTrait['replace']>;
  readonly reserved: readonly ReservedRule[];
  /** Where a server keeps the items of one of its lists in an object each. */
  readonly parts?: Parts;
  /** Kinds whose objects the server deletes along with one of these. */
  readonly cascades: readonly Cascade[];
  /** Kinds of which the account must hold an object before one of these can be made. */
  readonly requires: readonly KindName[];
  /** A flag of its own: objects that require one of this kind are served only while it is set. */
  readonly servesWhile?: string;
  readonly shape: ObjectShape;
  /** 1 for a kind without parent, 2 for its children. */
  readonly depth: number;
  /** The JSON Schema as it stands in the file. */
  readonly schema: JsonObject;
}

/** All kinds: by name, in the order in which plans and docs list them. */
export type KindTable = ReadonlyMap<KindName, Kind>;
