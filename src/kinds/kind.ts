// A kind, as read from its schema: the tree of its fields with their traits, and the traits of the kind.
import type { KindName } from '../model/names.ts';
import type { Json, JsonObject, Path } from '../model/value.ts';
import type { KindTrait } from './language/kindWords.ts';
import type { CheckName, Dialect, NormaliserName, TransformName, Verb } from './traits.ts';

/** The form of a value. All functions that walk values (canonical, diff, decode, encode) walk this tree. */
export type Shape = ScalarShape | ChoiceShape | ListShape | ObjectShape | DictShape;

export interface ScalarShape {
  readonly type: 'scalar';
  readonly json: 'string' | 'integer' | 'number' | 'boolean';
  /** The kind to which the value refers by key. */
  readonly ref?: KindName;
  readonly normalise?: NormaliserName;
  /**
   * `host`: a secret whose host is shown, because only its path may be a credential. `whole`: the account returns the value in
   * clear text, even if it is a secret.
   */
  readonly shownAs?: 'host' | 'whole';
  readonly secret: boolean;
  /** Whether the account decides if the value is secret. The account masks secrets, and returns other values in clear text. */
  readonly masked: boolean;
}

/** A reference together with the kind to which it points: `{ peer: name }` in files, `{ id, type }` on the wire. */
export interface ChoiceShape {
  readonly type: 'choice';
  /** For each kind: the type on the wire, or the field of the target that contains this type. */
  readonly cases: ReadonlyMap<KindName, { readonly type?: string; readonly typeOf?: string }>;
  /** The fields of the surrounding body that contain the id and the type; absent if a separate object contains them. */
  readonly at?: { readonly id: string; readonly type: string };
}

export interface ListShape {
  readonly type: 'list';
  readonly items: Shape;
  /** Whether the order is irrelevant. `by` names the fields that together identify the objects in the list. */
  readonly set: false | { readonly by?: readonly string[]; readonly singleIn: readonly Dialect[] };
}

export interface ObjectShape {
  readonly type: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  /** Groups of fields of which at most one is present: from `oneOf` with `required` in the schema. */
  readonly exclusive: readonly (readonly string[])[];
  readonly check?: CheckName;
  /** Whether an undeclared field in this object keeps the value of the account. */
  readonly keepsInside?: true;
  /**
   * If the object is a lock: the field with the secret that opens the lock, and the field that is true while the lock is closed.
   */
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
  /** The kind to which the keys of the map refer. */
  readonly keyRef?: KindName;
}

/** How secrets in a field are sent. */
export interface SentHow {
  /** The neighbouring field that contains the protocol: only `https` is encrypted. */
  readonly encrypted?: string;
  /** The flag in the field for targets that the proxy calls directly in its own network, not over the overlay. */
  readonly direct?: string;
  /** The flag in the field for targets whose certificate is not checked. */
  readonly unchecked?: string;
}

/** One field of an object: its shape, and how the API treats the field. */
export interface Field {
  readonly name: string;
  readonly shape: Shape;
  readonly description: string;
  readonly required: boolean;
  readonly default?: Json;
  /** The server sets the field: it is never sent and never compared. */
  readonly readOnly: boolean;
  /** The neighbouring fields that contain the address or machine to which the server sends the secrets in this field. */
  readonly sentTo?: readonly string[];
  /** The fields that decide how the server reaches these addresses and machines, if there are several ways. */
  readonly sentHow?: SentHow;
  /** Never returned: sent, but not compared. */
  readonly writeOnly: boolean;
  /** A change of the field requires a new object. */
  readonly immutable: boolean;
  /** The flag can be set but never reset. Only a new object has it false again. */
  readonly irreversible: boolean;
  /** Accepted on create, but returned in another form, so it is not compared. */
  readonly inputOnly: boolean;
  /** If the field is not declared, the server chooses a different value in each account, so the field is not exported. */
  readonly serverAssigned: boolean;
  /** The read-only field that must have a value when this field changes. */
  readonly changeRequires?: string;
  /** The only dialects whose servers have the field; absent if servers of all dialects have it. */
  readonly dialects?: readonly Dialect[];
  /** The range of numbers that a dialect accepts, if it is narrower than in the schema. */
  readonly limits?: Readonly<Partial<Record<Dialect, { minimum?: number; maximum?: number }>>>;
  /** If the field is not declared, an update does not send it and the server keeps the value. So it is not exported. */
  readonly notSent: boolean;
  /** If the field is not declared, an update sends it back without references to objects that no longer exist. */
  readonly withoutGone: boolean;
  /** Required on create. If it is not declared, its zero value is sent. */
  readonly sentEmpty: boolean;
  /**
   * `never-sent`: a create does not contain the field. `maybe-ignored`: a create sends it, but only an update sets it reliably.
   */
  readonly updateOnly?: 'never-sent' | 'maybe-ignored';
  /** Others besides meshform add members to this set. */
  readonly shared: boolean;
  /**
   * Whether members of the list can have an end time. `with-item`: the item that contains the list is removed with its last
   * member.
   */
  readonly ends?: 'alone' | 'with-item';
  /** Whether members that another system creates are never removed from this list. */
  readonly keepsProvided: boolean;
  /**
   * The audit events of the members of this set. Every update sends the whole set, whichever fields it changes, so an update may
   * remove members that joined since the set was read. The events show these members.
   */
  readonly membership?: MembershipEvents;
  /** If these references change, the objects that belong to this object move out of the old targets and into the new targets. */
  readonly movesMembers?: Belonging & {
    /** The shared set of the target into which the objects move. */
    readonly into: string;
  };
  /** If the field becomes true, the server ends the logins of the objects that belong to this object. */
  readonly endsLogins?: Belonging;
  /** An update adds and changes entries of this map, but removes none: a removal requires a new object. */
  readonly addOnly: boolean;
  /** The field of the target that contains the reverse reference. Writing this field changes the target too. */
  readonly inverse?: string;
  /** The field of the target that contains the reverse reference, and that is written instead of this field. */
  readonly writtenAs?: string;
  /** Never compared: an update sends the value back as it was read just before the write. */
  readonly sentBack: boolean;
  readonly transform?: TransformName;
  /** The field's own JSON Schema, references resolved. */
  readonly schema: JsonObject;
}

/** Objects that belong to another object: the objects of a kind whose field `by` refers to the owner. */
export interface Belonging {
  readonly kind: KindName;
  readonly by: string;
}

/** The audit events of members that join or leave a set. */
export interface MembershipEvents {
  readonly joins: MembershipEvent;
  readonly leaves: MembershipEvent;
}

/** The audit events of one type of set change: their codes, and the field of their `meta` that names the object. */
export interface MembershipEvent {
  readonly codes: readonly string[];
  readonly holder: string;
  /** The field of their `meta` that names the member; without it, the target of the event is the member. */
  readonly member?: string;
}

/** The content of an audit log entry about objects of a kind. */
export type AuditEvent = NonNullable<KindTrait['auditEvents']>[number];

/** A rule by which a live object belongs to the account itself or to another system, so that it is never written. */
export type ReservedRule = NonNullable<KindTrait['reserved']>[number];

/**
 * The condition under which objects of a kind conflict. The server refuses the second of two objects with the same value in
 * `same`, if the target of its `pointsAt` is a member of the target of `amongMembersOf` of the first object.
 */
type Conflict = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'conflict' }>;

/**
 * The condition under which an object excludes others. Among the objects of one parent with the same values in `same`, an object
 * whose `field` has a value from `in` must be the only one.
 */
type Alone = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'alone' }>;

/** A field whose value no object of another kind may have in its field `other`. */
type ApartStrategy = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'apart' }>;
type Apart = Omit<ApartStrategy, 'kind'> & { readonly kind: KindName };
type Below = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'below' }>;

/** Objects that the server deletes along with an object of another kind. */
export interface Cascade {
  readonly kind: KindName;
  /** The field of these objects that points at the deleted object; without it, they are children of the deleted object. */
  readonly by?: string;
  /**
   * Whether only a cascade deletes these objects. As long as the other object has them, the server refuses a request to delete
   * it.
   */
  readonly onlyInCascade: boolean;
}

/**
 * A filter on a field that files do not declare. Every create sends the field, and lists are filtered by `query` if the API
 * supports it.
 */
type Where = NonNullable<KindTrait['where']>;

type DialectVariant = Exclude<NonNullable<KindTrait['dialects']>[Dialect], undefined | false>;

/**
 * A list of all objects of a nested kind in all parents. Its entries do not show their parents; the field `childIds` of
 * each parent does.
 */
type AccountWideList = NonNullable<DialectVariant['listAll']>;

/** How an object changes its parent: by an update or by a replacement. */
type ParentChange = NonNullable<DialectVariant['parentChange']>;

/** When objects expire: at the time in a read-only field, or as long as another field has certain values. */
export type Expiry = NonNullable<KindTrait['expiry']>;

/** The fields that show the rights of a caller of the API. */
type Principal = NonNullable<KindTrait['principal']>;

/** The fields that represent an object on a single line; paths as in the schema, with dots. */
export type KindLine = NonNullable<KindTrait['line']>;

/** The part of an object that takes access away: the whole object, certain items, or the targets of certain fields. */
type Narrows = NonNullable<KindTrait['narrows']>;

/** The audit events that show who created an object of a kind. */
type CreatedEvent = Extract<AuditEvent, { type: 'create' }>;

/**
 * How servers store an object in parts: one object for each item of a list, named `<name><separator><key of the item>`, with all
 * other fields equal.
 */
export type Parts = NonNullable<DialectVariant['parts']> & {
  /** The dialects of these servers. */
  readonly dialects: readonly Dialect[];
};

/** References that need an address in a neighbouring field if they point at a network. */
type Addressed = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'addressed' }>;

/** A field that can be true only if another field has the value that the server requires. */
type Together = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'together' }>;

/** A range that must have enough addresses for the objects of a kind. */
type RoomStrategy = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'room' }>;
type Room = Omit<RoomStrategy, 'kind'> & { readonly kind: KindName };

/** A field whose text must end in the identity of an object of another kind. */
type Under = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'under' }>;

/** A field whose new values require an ability of the object that serves this object. */
export type Ability = Extract<NonNullable<KindTrait['constraints']>[number], { type: 'ability' }>;

/** The fields that contain the target of a name. */
type Redirects = Extract<NonNullable<KindTrait['effects']>[number], { type: 'redirects' }>;

/** A change of a field that is a hazard. */
export type Danger = Extract<NonNullable<KindTrait['effects']>[number], { type: 'endangers' }>;

/** How an object can be reached by callers outside the account, and which fields restrict these callers. */
export type Exposes = Extract<NonNullable<KindTrait['effects']>[number], { type: 'exposes' }>;

/** A change of a field that grants a right. */
export type Grant = Extract<NonNullable<KindTrait['effects']>[number], { type: 'grants' }>;

/** An object whose creation or deletion grants a right. */
export type ObjectGrant = Extract<
  NonNullable<KindTrait['effects']>[number],
  { type: 'grantsByObject' }
>;

/** One kind, as read from `schemas/kinds/<name>.schema.json`. */
export interface Kind {
  readonly name: KindName;
  readonly plural: string;
  readonly title: string;
  /** The title as it is written inside a sentence: `setup key`, `EDR provider A`. */
  readonly noun: string;
  readonly description: string;
  /** The path of the objects in the YAML, such as `networks[].resources[]`. */
  readonly at: string;
  /** The path of the collection, with the id of the parent as `{…}`. */
  readonly path: string;
  /** The only dialects whose servers have the kind; absent if servers of all dialects have it. */
  readonly dialects?: readonly Dialect[];
  /** The path of the collection in dialects with another path. */
  readonly pathByDialect: Readonly<Partial<Record<Dialect, string>>>;
  /** The name of the product that this dialect means by a neutral name. */
  readonly vendorByDialect: Readonly<Partial<Record<Dialect, string>>>;
  /** The list of all objects in all parents, by dialect. */
  readonly listAllByDialect: Readonly<Partial<Record<Dialect, AccountWideList>>>;
  /** The field of the parent that contains the ids of its objects of this kind, in the dialect of the table; see `kindsIn`. */
  readonly childIds?: string;
  /** The path of the list of all objects of the kind in all parents, in the dialect of the table; see `kindsIn`. */
  readonly listAllPath?: string;
  readonly parent?: KindName;
  readonly cardinality: NonNullable<KindTrait['cardinality']>;
  /** For each field that is inside another object of the body, the path of that object. */
  readonly layout?: ReadonlyMap<string, Path>;
  /** The fields that contain the target of a name, and the users to whom the name applies. */
  readonly redirects?: Redirects;
  /** The field that decides whether changes of objects of another kind move members. */
  readonly propagates?: { readonly field: string; readonly kind: KindName };
  /** Changes that are hazards. */
  readonly dangers: readonly Danger[];
  /** How objects of the kind can be reached by callers outside the account. */
  readonly exposes?: Exposes;
  readonly grants: readonly Grant[];
  readonly objectGrants: readonly ObjectGrant[];
  /** The filter for objects of this kind, if several kinds share the collection. */
  readonly where?: Where;
  /** The identity within the parent. Each part lists field paths, of which exactly one has a value. Empty for a singleton. */
  readonly identity: readonly (readonly string[])[];
  /** The field whose value is the id in the API; absent if it is the field `id`. */
  readonly idField?: string;
  /** The scope in which names must be unique. */
  readonly unique?: 'account' | 'parent';
  /** The condition under which the server refuses an object because of another object, although the name is free. */
  readonly conflict?: Conflict;
  /** Whether names that differ only in case are refused, although the server accepts them. */
  readonly ignoresCase: boolean;
  readonly excludesOthers?: Alone;
  readonly below?: Below;
  /** The field whose value no object of another kind may have in one of its fields. */
  readonly differsFrom?: Apart;
  /** Maps whose keys must differ in more than case. */
  readonly distinctKeys: readonly string[];
  /** References that need a neighbouring field if they point at a network. */
  readonly addressed: readonly Addressed[];
  /** Fields that the server accepts only together with other fields. */
  readonly requiredTogether: readonly Together[];
  /** Ranges that must have enough addresses for the objects of a kind. */
  readonly addressRoom: readonly Room[];
  /** The field whose text must end in the identity of an object of other kinds, and these kinds. */
  readonly identitySuffix?: Pick<Under, 'field' | 'keeps' | 'namedBy' | 'onlyBelow'> & {
    readonly kinds: readonly KindName[];
  };
  /** Fields whose new values require an ability of the object that serves this object. */
  readonly abilities: readonly Ability[];
  /** The fields by which a declared object replaces a live object: see the constraint `succeeds`. */
  readonly succession?: readonly string[];
  readonly verbs: ReadonlySet<Verb>;
  /** The audit event that shows who created an object; without it, a create whose response was lost stays uncertain. */
  readonly createdEvent?: CreatedEvent;
  /** The audit events of changes of objects of the kind; empty if the log does not contain them. */
  readonly auditEvents: readonly AuditEvent[];
  /** The fields in the body of an update: all fields, the mutable fields, or only the changed fields. */
  readonly updateMode: NonNullable<KindTrait['updateMode']>;
  /** Whether an update sends back the plain fields that were read and that the schema does not contain; see `IGNORES_UNKNOWN`. */
  readonly sendsBackUnknown: boolean;
  /** The field of the response to a create that contains the object. */
  readonly envelope?: string;
  /** The field of the response to a create that contains a one-time secret. */
  readonly oneTimeSecret?: string;
  /**
   * The request that gives an object a new one-time secret, by its path below the object; absent if only a new object gets a new
   * secret.
   */
  readonly renewedBy?: { readonly path: string; readonly sends: readonly string[] };
  /** The kind and field that fulfil a declaration: an object of that kind has the declared name in that field. */
  readonly fulfilledBy?: { readonly kind: KindName; readonly field: string };
  /** The condition under which an existing object can no longer be used. */
  readonly expiry?: Expiry;
  /** Whether an object that the files no longer declare stays in the account (docs/design.md#pruning). */
  readonly neverPruned: boolean;
  /** Whether objects of the kind grant access: then undeclared objects are reported first. */
  readonly grantsAccess: boolean;
  /** Whether a new object grants no access until another object points at it. Plans may fold several such objects. */
  readonly grantsNothing: boolean;
  /** The field that names the account, if an object represents an account; undefined if objects are parts of the account. */
  readonly accountNamedBy: string | undefined;
  /** Whether a server may accept values of objects and not store them. */
  readonly storesPartly: boolean;
  /** The parts of objects that take access away, and therefore must not have an end time. */
  readonly narrows?: Narrows;
  /** The fields of a new object that a plan shows on a single line. */
  readonly line?: KindLine;
  /** The sign that a drawing shows in front of the name of an object, and its meaning. */
  readonly sign?: NonNullable<KindTrait['sign']>;
  /** Objects of this kind call the API. */
  readonly principal?: Principal;
  /** Whether a single object is read from the list, because the API has no request for it. */
  readonly isReadFromList: boolean;
  /** Whether an object is always read after a write, because the response does not show what the server stored. */
  readonly isReadAlways: boolean;
  /** How the server treats a change of parent, by dialect. */
  readonly parentChangeByDialect?: Readonly<Record<Dialect, ParentChange>>;
  readonly replace: NonNullable<KindTrait['replace']>;
  readonly reserved: readonly ReservedRule[];
  /** How servers store the objects in parts. */
  readonly parts?: Parts;
  /** Kinds whose objects the server deletes along with an object of this kind. */
  readonly cascades: readonly Cascade[];
  /** Kinds of which the account must have an object before it can create an object of this kind. */
  readonly requires: readonly KindName[];
  /** References whose targets must be in service when an object of this kind is created. */
  readonly servingReferences: readonly { readonly field: string; readonly kind: KindName }[];
  /** The flag that must be true for an object to serve the objects of kinds that require it. */
  readonly servesWhile?: string;
  readonly shape: ObjectShape;
  /** 1 for a kind without a parent, 2 for a nested kind. */
  readonly depth: number;
  /** The JSON Schema as in the file. */
  readonly schema: JsonObject;
}

/** All kinds by name, in the order in which plans and docs list them. */
export type KindTable = ReadonlyMap<KindName, Kind>;
