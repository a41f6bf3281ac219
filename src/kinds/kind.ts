// A kind, once its schema is read: the tree of its fields with their traits, and the traits of the kind.
import type { KindName } from '../model/names.ts';
import type { Json, JsonObject, Path } from '../model/value.ts';
import type { KindTrait } from './language/kindWords.ts';
import type { CheckName, Dialect, NormaliserName, TransformName, Verb } from './traits.ts';

/** The form of a value. All functions that walk values (canonical, diff, decode, encode) walk this tree. */
export type Shape = ScalarShape | ChoiceShape | ListShape | ObjectShape | DictShape;

export interface ScalarShape {
  readonly type: 'scalar';
  readonly json: 'string' | 'integer' | 'number' | 'boolean';
  /** The kind this value points at by key. */
  readonly ref?: KindName;
  readonly normalise?: NormaliserName;
  /** `host`: a secret whose host is shown, because only its path may be a credential. */
  readonly shownAs?: 'host';
  readonly secret: boolean;
  /** Whether the account decides if a value is secret: it shows secrets masked, and other values as they are. */
  readonly masked: boolean;
}

/** A reference with the kind that it points at: `{ peer: name }`, on the wire `{ id, type }`. */
export interface ChoiceShape {
  readonly type: 'choice';
  /** By kind: the wire type, or the field of the referent that holds it. */
  readonly cases: ReadonlyMap<KindName, { readonly type?: string; readonly typeOf?: string }>;
  /** The fields of the body beside the others that hold the id and the type, if no object does. */
  readonly at?: { readonly id: string; readonly type: string };
}

export interface ListShape {
  readonly type: 'list';
  readonly items: Shape;
  /** Whether order is irrelevant; `by` names the fields that together identify the objects in it. */
  readonly set: false | { readonly by?: readonly string[]; readonly singleIn: readonly Dialect[] };
}

export interface ObjectShape {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** Groups of fields of which at most one is present: from `oneOf` of `required` in the schema. */
  readonly exclusive: readonly (readonly string[])[];
  readonly check?: CheckName;
  /** Whether a field in it that is not declared keeps the value of the account. */
  readonly keepsInside?: true;
  /** If it is a lock: the field with the secret that opens it, and the field that is true while it is closed. */
  readonly lock?: Lock;
}

/** The fields of a lock. */
export interface Lock {
  readonly opens: string;
  readonly while: string;
}

export interface DictShape {
  readonly type: 'dict';
  readonly values: Shape;
  /** The kind the keys of the map point at. */
  readonly keyRef?: KindName;
}

/** One field of an object: its shape, and how the API treats it. */
export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly description: string;
  readonly required: boolean;
  readonly default?: Json;
  /** Set by the server: never sent, never compared. */
  readonly readOnly: boolean;
  /** Never returned: sent, but not compared. */
  readonly writeOnly: boolean;
  /** A change requires another object. */
  readonly immutable: boolean;
  /** Can be set, and never reset: only another object can have it false again. */
  readonly irreversible: boolean;
  /** Accepted on create, read back in another form: not compared. */
  readonly inputOnly: boolean;
  /** If the field is not declared, the server chooses a value: it differs between accounts, so it is not exported. */
  readonly serverAssigned: boolean;
  /** It can change only while that read-only field has a value. */
  readonly changeRequires?: string;
  /** The only dialects whose servers have it; absent if all do. */
  readonly dialects?: readonly Dialect[];
  /** The range of numbers that a dialect accepts, if it is narrower than in the schema. */
  readonly limits?: Readonly<Partial<Record<Dialect, { minimum?: number; maximum?: number }>>>;
  /** Undeclared, an update does not send it: the server keeps it, and it is not exported. */
  readonly notSent: boolean;
  /** Undeclared, an update sends it back without references to objects that no longer exist. */
  readonly withoutGone: boolean;
  /** Required on create: sent as its zero value if it is not declared. */
  readonly sentEmpty: boolean;
  /** `never-sent`: not part of a create. `maybe-ignored`: sent with a create, but only an update is reliable. */
  readonly updateOnly?: 'never-sent' | 'maybe-ignored';
  /** Others also own members of this set. */
  readonly shared: boolean;
  /** Whether its members can end, and whether the item that holds the list ends with the last of them. */
  readonly ends?: 'alone' | 'with-item';
  /** Members that another system makes are never removed from this list. */
  readonly keepsProvided: boolean;
  /**
   * The audit events of the members of this set. Every update sends the set whole, whichever fields it changes, so it may
   * remove members that joined in between: the events show which.
   */
  readonly membership?: MembershipEvents;
  /** A change of these references moves what belongs to the object: into the new targets, and out of the old ones. */
  readonly movesMembers?: Belonging & {
    /** The shared set of the target. */
    readonly into: string;
  };
  /** If it becomes true, the server ends the logins of what belongs to the object. */
  readonly endsLogins?: Belonging;
  /** An update adds and changes entries of this map, and removes none: that requires another object. */
  readonly addOnly: boolean;
  /** The field of the referenced object that states the same fact: writing this field writes that object too. */
  readonly inverse?: string;
  /** The field of the referenced object that states the same fact and is written instead of this field. */
  readonly writtenAs?: string;
  /** Never compared; sent back as it was read just before the write. */
  readonly sentBack: boolean;
  readonly transform?: TransformName;
  /** The field's own JSON Schema, references resolved. */
  readonly schema: JsonObject;
}

/** Objects that belong to another object: those of a kind whose field `by` refers to it. */
export interface Belonging {
  readonly kind: KindName;
  readonly by: string;
}

/** The audit events of members that join and leave a set. */
export interface MembershipEvents {
  readonly joins: MembershipEvent;
  readonly leaves: MembershipEvent;
}

/** The audit events of one change of a set: their codes, and the field of their `meta` that names the object. */
export interface MembershipEvent {
  readonly codes: readonly string[];
  readonly holder: string;
  /** The field of their `meta` that names the member; without it, their target is the member. */
  readonly member?: string;
}

/** What an entry of the audit log says about objects of a kind. */
export type AuditEvent = NonNullable<KindTrait['auditEvents']>[number];

/** When a live object belongs to the account itself or to another system, and is never written. */
export type ReservedRule = NonNullable<KindTrait['reserved']>[number];

/**
 * When objects of a kind conflict: of two objects with the same value in `same`, the second is refused if the target of
 * `pointsAt` is among the members of the target of `amongMembersOf` of the first.
 */
type Conflict = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'conflict' }>;

/**
 * When an object excludes others: of the objects of one parent with the same values in `same`, one whose `field` has a
 * value `in` the list.
 */
type Alone = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'alone' }>;

/** Whose text ends in a text of its parent. */
type ApartStrategy = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'apart' }>;
type Apart = Omit<ApartStrategy, 'kind'> & { readonly kind: KindName };
type Below = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'below' }>;

/** Objects that the server deletes along with an object of another kind. */
export interface Cascade {
  readonly kind: KindName;
  /** Their field that points at the deleted object; without it, they are its children. */
  readonly by?: string;
  /** Only a cascade deletes them: a request to delete their object alone is refused while it has them. */
  readonly onlyInCascade: boolean;
}

/** A filter on a field that is not declared: sent with every create, asked for by `query` where the API can. */
type Where = NonNullable<KindTrait['where']>;

type DialectVariant = Exclude<NonNullable<KindTrait['dialects']>[Dialect], undefined | false>;

/**
 * A list of all objects of a nested kind in all parents. Its entries do not show their parents; the field `childIds` of
 * each parent does.
 */
type AccountWideList = NonNullable<DialectVariant['listAll']>;

/** How an object changes its parent: by an update, or by a replacement. */
type ParentChange = NonNullable<DialectVariant['parentChange']>;

/** When objects expire: at the time in a read-only field, or while another field says so. */
export type Expiry = NonNullable<KindTrait['expiry']>;

/** The fields that show what a caller of the API may do. */
type Principal = NonNullable<KindTrait['principal']>;

/** The fields that stand for an object on a single line; paths as in the schema, with dots. */
export type KindLine = NonNullable<KindTrait['line']>;

/** What of an object withholds access: every object, those with some items, or what some fields refer to. */
type Narrows = NonNullable<KindTrait['narrows']>;

/** The audit events that show who created an object of a kind. */
type CreatedEvent = Extract<AuditEvent, { type: 'create' }>;

/**
 * How servers keep an object in parts: one object for each item of a list, named `<name><separator><key of the item>`,
 * with all other fields equal.
 */
export type Parts = NonNullable<DialectVariant['parts']> & {
  /** The dialects of these servers. */
  readonly dialects: readonly Dialect[];
};

/** References to networks, which need an address beside them. */
type Addressed = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'addressed' }>;

/** A field that is true only if another one is as the server wants it. */
type Together = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'together' }>;

/** A range that needs addresses for the objects of a kind. */
type RoomStrategy = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'room' }>;
type Room = Omit<RoomStrategy, 'kind'> & { readonly kind: KindName };

/** A field whose text must end in the identity of an object of another kind. */
type Under = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'under' }>;

/** The fields that hold the target of a name. */
type Redirects = Extract<NonNullable<KindTrait['effects']>[number], { type: 'redirects' }>;

/** A change of a field that is a hazard. */
export type Danger = Extract<NonNullable<KindTrait['effects']>[number], { type: 'endangers' }>;

/** How an object lets callers from outside of the account reach something, and what holds them back. */
export type Exposes = Extract<NonNullable<KindTrait['effects']>[number], { type: 'exposes' }>;

/** A change of a field that gives a right. */
export type Grant = Extract<NonNullable<KindTrait['effects']>[number], { type: 'grants' }>;

/** An object whose creation or deletion gives a right. */
export type ObjectGrant = Extract<
  NonNullable<KindTrait['effects']>[number],
  { type: 'grantsByObject' }
>;

/** One kind, read from `schemas/kinds/<name>.schema.json`. */
export interface Kind {
  readonly name: KindName;
  readonly plural: string;
  readonly title: string;
  /** The title inside a sentence: `setup key`, `EDR provider A`. */
  readonly noun: string;
  readonly description: string;
  /** Its place in the YAML, such as `networks[].resources[]`. */
  readonly at: string;
  /** The path of the collection, with the id of the parent as `{…}`. */
  readonly path: string;
  /** The only dialects whose servers have the kind; absent if all do. */
  readonly dialects?: readonly Dialect[];
  /** The path of the collection in dialects that have another. */
  readonly pathByDialect: Readonly<Partial<Record<Dialect, string>>>;
  /** The product behind a neutral name, by dialect. */
  readonly vendorByDialect: Readonly<Partial<Record<Dialect, string>>>;
  /** By dialect, the list of all objects in all parents. */
  readonly listAllByDialect: Readonly<Partial<Record<Dialect, AccountWideList>>>;
  /** The field of its parent that holds the ids of its objects, in the dialect of the table; see `kindsIn`. */
  readonly childIds?: string;
  /** The path of the list of all its objects in all parents, in the dialect of the table; see `kindsIn`. */
  readonly listAllPath?: string;
  readonly parent?: KindName;
  readonly cardinality: NonNullable<KindTrait['cardinality']>;
  /** By field inside another object of the body: the path of that object. */
  readonly layout?: ReadonlyMap<string, Path>;
  /** The fields that contain the target of a name, and for whom it applies. */
  readonly redirects?: Redirects;
  /** The field that says whether changes of objects of another kind move members. */
  readonly propagates?: { readonly field: string; readonly kind: KindName };
  /** Changes that are hazards. */
  readonly dangers: readonly Danger[];
  /** How its objects are open to callers from outside of the account. */
  readonly exposes?: Exposes;
  readonly grants: readonly Grant[];
  readonly objectGrants: readonly ObjectGrant[];
  /** Which objects of the collection are of this kind, if kinds share the collection. */
  readonly where?: Where;
  /**
   * The identity within the parent: by part, the field paths of which exactly one has a value. Empty for a singleton.
   */
  readonly identity: readonly (readonly string[])[];
  /** The field whose value the API takes as the id; absent for the field `id`. */
  readonly idField?: string;
  /** Where names must be unique. */
  readonly unique?: 'account' | 'parent';
  /** When the server refuses an object because of another one, although no name is in use. */
  readonly conflict?: Conflict;
  /** Whether names that differ only in case are refused. */
  readonly ignoresCase: boolean;
  readonly alone?: Alone;
  readonly below?: Below;
  /** The field whose value no object of another kind has in one of its fields. */
  readonly apart?: Apart;
  /** Maps whose keys differ in more than case. */
  readonly distinctKeys: readonly string[];
  /** References that need a field beside them, if they lead to a network. */
  readonly addressed: readonly Addressed[];
  /** Fields that the server takes only together with others. */
  readonly together: readonly Together[];
  /** Ranges that need addresses for the objects of a kind. */
  readonly room: readonly Room[];
  /** The field whose text ends in the identity of an object of other kinds, and these. */
  readonly under?: Pick<Under, 'field'> & { readonly kinds: readonly KindName[] };
  /** The fields by which a declared object takes the place of a live one: see the constraint `succeeds`. */
  readonly succession?: readonly string[];
  readonly verbs: ReadonlySet<Verb>;
  /** How the audit log shows who created an object; without it, a create whose response was lost stays uncertain. */
  readonly createdEvent?: CreatedEvent;
  /** How the audit log shows changes of its objects; empty if it does not. */
  readonly auditEvents: readonly AuditEvent[];
  /** The fields in the body of an update: all fields, the mutable ones, or only the changed ones. */
  readonly updateMode: NonNullable<KindTrait['updateMode']>;
  /** Whether an update sends back plain fields that were read and that the schema does not have: see `IGNORES_UNKNOWN`. */
  readonly sendsBackUnknown: boolean;
  /** The field of the response to a create that contains the object. */
  readonly envelope?: string;
  /** The field of the response to a create that contains a one-time secret. */
  readonly oneTimeSecret?: string;
  /** The request that gives an object a new one-time secret, by its path below that of the object; without it, a new object has one. */
  readonly renewedBy?: { readonly path: string; readonly sends: readonly string[] };
  /** A declaration is fulfilled if an object of that kind has its name in that field. */
  readonly fulfilledBy?: { readonly kind: KindName; readonly field: string };
  /** When an object exists and can no longer be used. */
  readonly expiry?: Expiry;
  /** An object that the files no longer declare stays in the account (docs/design.md#pruning). */
  readonly neverPruned: boolean;
  /** Its objects decide about access: undeclared ones are reported first. */
  readonly grantsAccess: boolean;
  /** A new object gives nobody access until another object points at it: plans may fold several new ones. */
  readonly grantsNothing: boolean;
  /** The field with the account that each object represents; undefined if objects are parts of the account. */
  readonly accountNamedBy: string | undefined;
  /** A server may accept values of its objects and never store them. */
  readonly storesPartly: boolean;
  /** The parts of its objects that withhold access, and therefore must not have an end. */
  readonly narrows?: Narrows;
  /** What a plan shows of a new object on a single line. */
  readonly line?: KindLine;
  /** Objects of this kind call the API. */
  readonly principal?: Principal;
  /** Whether an object is read out of the list, because it cannot be read by itself. */
  readonly isReadFromList: boolean;
  /** Whether the response to a write does not show what the server stored. */
  readonly isReadAlways: boolean;
  /** How the server treats a change of parent, by dialect. */
  readonly parentChangeByDialect?: Readonly<Record<Dialect, ParentChange>>;
  readonly replace: NonNullable<KindTrait['replace']>;
  readonly reserved: readonly ReservedRule[];
  /** How servers keep the objects in parts. */
  readonly parts?: Parts;
  /** Kinds whose objects the server deletes along with one of these. */
  readonly cascades: readonly Cascade[];
  /** Kinds of which the account must have an object before one of this kind can be created. */
  readonly requires: readonly KindName[];
  /** A flag of the object: it serves objects of kinds that require it only while this is set. */
  readonly servesWhile?: string;
  readonly shape: ObjectShape;
  /** 1 for a kind without parent, 2 for its children. */
  readonly depth: number;
  /** The JSON Schema as it is in the file. */
  readonly schema: JsonObject;
}

/** All kinds: by name, in the order in which plans and docs list them. */
export type KindTable = ReadonlyMap<KindName, Kind>;
