// Phrases about a kind and its fields, from the schema and its traits. The text and the Markdown of an explanation share them.
import type {
  Ability,
  Cascade,
  Expiry,
  Field,
  Kind,
  Parts,
  ReservedRule,
  Shape,
} from '../../kinds/kind.ts';
import { objectIn } from '../../kinds/lookup.ts';
import { isSecretRenewable } from '../../kinds/secretRenewal.ts';
import { TRANSFORMS } from '../../kinds/traits.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json, type JsonObject } from '../../model/value.ts';

/** A fact about a kind; names of fields are in backticks. */
export interface KindFact {
  readonly name: string;
  readonly text: string;
}

/** The facts about a kind besides its description and its fields. */
export function kindFacts(kind: Kind): readonly KindFact[] {
  const facts: (readonly [string, string | false | undefined])[] = [
    ['in YAML', quoted(kind.at)],
    ['API', apiText(kind)],
    ['named by', namedBy(kind)],
    ['names', kind.unique && `unique in the ${kind.unique}`],
    ['can be', verbsText(kind)],
    ['an update', kind.verbs.has('update') && UPDATES[kind.updateMode]],
    ['replaced', isReplaced(kind) && REPLACEMENTS[kind.replace]],
    ['elsewhere', kind.parentChangeByDialect && movesText(kind.parentChangeByDialect)],
    [
      'shown once',
      kind.oneTimeSecret !== undefined &&
        `${quoted(kind.oneTimeSecret)}, in the response to its creation; \`--secrets-to\` says where to store it`,
    ],
    ['rotated', isSecretRenewable(kind) && rotationText(kind)],
    ['ends', kind.expiry && expiryText(kind.expiry)],
    [
      'not needed',
      kind.fulfilledBy &&
        `where a ${kind.fulfilledBy.kind} has its ${quoted(kind.fulfilledBy.field)}`,
    ],
    [
      'conflict',
      kind.conflict &&
        `another ${kind.noun} with the same ${named(kind.conflict.same)}, if the target of ${named(kind.conflict.pointsAt)} is in its ${named(kind.conflict.amongMembersOf)}`,
    ],
    [
      'conflict',
      kind.differsFrom &&
        `a ${kind.differsFrom.kind} whose ${quoted(kind.differsFrom.other)} is its ${quoted(kind.differsFrom.field)}${kind.differsFrom.ignores === 'case' ? ', ignoring case' : ''}`,
    ],
    [
      'absent',
      kind.neverPruned &&
        'removed from the files, it is no longer managed; `lifecycle: { delete: true }` deletes it',
    ],
    ...servingFacts(kind),
    ['parts', kind.parts && partsText(kind.parts)],
    ['cascades to', kind.cascades.length > 0 && kind.cascades.map(cascadeText).join(', ')],
    ...kind.reserved.map(rule => ['reserved', reservedText(rule)] as const),
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

// What objects of the kind need so that they are served, and when objects of the kind serve others.
function servingFacts(kind: Kind): readonly (readonly [string, string])[] {
  const { requires, servingReferences, abilities, servesWhile } = kind;
  const needs = [
    ...(requires.length > 0 ? [`one of ${requires.map(code).join(', ')}`] : []),
    ...servingReferences.map(
      one => `a ${code(one.kind)} in ${code(one.field)} that serves when it is created`,
    ),
    ...abilities.map(abilityText),
  ];
  return [
    ...needs.map(text => ['needs', text] as const),
    ...(servesWhile === undefined
      ? []
      : ([['serves', `objects that need it, while its ${code(servesWhile)} is true`]] as const)),
  ];
}

function abilityText({ field, needs, while: only }: Ability): string {
  const values = only?.in.map(code).join(' or ');
  const where = only === undefined ? '' : ` where ${code(only.field)} is ${values}`;
  return `${code(needs)} of the object that serves it, for a new ${code(field)}${where}`;
}

function cascadeText({ kind, by, onlyInCascade }: Cascade): string {
  const which = by === undefined ? code(kind) : `${code(kind)} by its ${code(by)}`;
  return onlyInCascade ? `${which} (only where a cascade deletes this one)` : which;
}

const code = (name: string): string => quoted(name);

// The names of fields of which exactly one has a value.
const named = (part: readonly string[]): string => part.map(code).join(' or ');

const partsText = ({ list, separator, dialects }: Parts): string =>
  `in dialect ${dialects.join(', ')} an object with several ${code(list)} is stored as an object for each, called ${code(`<name>${separator}<name of the item>`)}`;

function apiText(kind: Kind): string {
  const { path, pathByDialect, listAllByDialect, where, isReadFromList, dialects } = kind;
  const others = [
    ...Object.entries(pathByDialect).map(([dialect, own]) => `${code(own)} in ${dialect}`),
    ...Object.entries(listAllByDialect).map(
      ([dialect, list]) => `${code(list.path)} for all of them in ${dialect}`,
    ),
  ];
  const paths = [code(path), ...others].join(', ');
  const only = dialects === undefined ? '' : `; only in dialect ${dialects.join(', ')}`;
  const filter = where ? `, those whose ${code(where.field)} is ${where.equals}` : '';
  const single = isReadFromList ? '; a single object is read from the list' : '';
  return `${paths}${filter}${single}${only}`;
}

function namedBy({ cardinality, identity }: Kind): string {
  if (cardinality === 'sole') return 'nothing: an account has exactly one';
  if (cardinality === 'singleton') return 'nothing: an account has at most one';
  return identity.map(named).join(', ');
}

function verbsText({ verbs }: Kind): string {
  if (verbs.size === 0) return 'only referenced';
  const text = [...verbs].map(verb => `${verb}d`).join(', ');
  return verbs.has('create') ? text : `${text}; the server creates it`;
}

const UPDATES: Readonly<Record<Kind['updateMode'], string>> = {
  whole: 'sends the whole object; fields that are not declared keep the value that was read',
  mutable: 'sends only the fields that can change',
  partial: 'sends only the declared fields',
};

const REPLACEMENTS: Readonly<Record<Kind['replace'], string>> = {
  'delete-first':
    'if an immutable value changes: the old object is deleted, then the new object is created',
  'create-first':
    'if an immutable value changes: the new object is created, then the old object is deleted',
  refuse: 'never: a change of an immutable value is refused',
};

// Whether an object survives the rotation of its secret. If it does, its id and the objects that refer to it stay unchanged.
const rotationText = ({ oneTimeSecret = '', renewedBy }: Kind): string =>
  renewedBy === undefined
    ? 'by `--rotate`, with a new object in place of the old one'
    : `by \`--rotate\`: the object stays and gets a new ${quoted(oneTimeSecret)}, and the former one is no longer valid`;

const isReplaced = ({ shape, verbs }: Kind): boolean =>
  verbs.has('create') && [...shape.fields.values()].some(({ immutable }) => immutable);

function movesText(moves: NonNullable<Kind['parentChangeByDialect']>): string {
  const how = { update: 'it moves', replace: 'it is replaced' };
  const moved = Object.entries(moves).map(([dialect, move]) => `${how[move]} in ${dialect}`);
  return `with \`lifecycle: { was: parent/name }\`, or if the base had it there: ${moved.join(', ')}`;
}

function expiryText({ field, when }: Expiry): string {
  const said = when ? `, or when ${code(when.field)} is ${when.in.join(' or ')}` : '';
  return `at ${code(field)}${said}; \`lifecycle: { renew_before: 14d }\` renews it in time`;
}

function reservedText({ field, equals, not, startsWith, because }: ReservedRule): string {
  const sign = equals ?? (not === undefined ? `${startsWith}…` : `not ${not}`);
  return `${because}: ${code(field)} is ${sign}`;
}

/** The type of a field in a few words. */
export function typeText(shape: Shape, schema: JsonObject): string {
  switch (shape.type) {
    case 'scalar':
      if (shape.ref) return `name of a ${shape.ref}`;
      if (shape.secret) return 'secret text';
      return typeof schema.type === 'string' ? schema.type : shape.json;
    case 'choice':
      return `one of ${[...shape.cases.keys()].map(kind => `{ ${kind}: name }`).join(', ')}`;
    case 'list':
      return shape.items.type === 'scalar' && shape.items.ref
        ? `names of ${shape.items.ref}s`
        : `list of ${typeText(shape.items, {})}`;
    case 'dict':
      if (shape.keyRef) return `map by name of a ${shape.keyRef}`;
      return shape.values.type === 'scalar' && shape.values.secret ? 'map of secret texts' : 'map';
    case 'object':
      return 'object';
  }
}

/** The facts about a field besides its type and description. */
export function fieldFacts(field: Field, isTop: boolean): readonly string[] {
  const { schema, shape } = field;
  const facts: (string | false | undefined)[] = [
    field.required && 'required',
    field.default !== undefined && `default: ${JSON.stringify(field.default)}`,
    // Inside a field, all declared values are compared as a whole (docs/design.md#absent-fields), so only a top-level field has
    // this fact.
    isTop &&
      !field.required &&
      field.default === undefined &&
      !field.readOnly &&
      'if omitted, the value of the account stays',
    field.readOnly && 'set by the server: not written, not compared',
    field.writeOnly && 'never returned by the server: sent, not compared',
    field.immutable && 'immutable: a different value replaces the object',
    field.irreversible && 'cannot be undone: reverting it replaces the object',
    field.inputOnly && 'accepted on create and never returned: not compared',
    field.transform && TRANSFORMS[field.transform],
    field.sentBack && 'sent unchanged with every write',
    field.shared &&
      `shared: members that no file declares stay, unless lifecycle.exact names ${
        field.writtenAs === undefined ? 'the field' : "the other object's field"
      }`,
    field.inverse !== undefined && `the same relation as the other object's ${field.inverse}`,
    field.writtenAs !== undefined && `written as the other object's ${field.writtenAs}`,
    field.movesMembers &&
      `unless the account disables that, a change moves each ${code(field.movesMembers.kind)} whose ${code(field.movesMembers.by)} is this object`,
    field.endsLogins &&
      `ends the logins of each ${code(field.endsLogins.kind)} whose ${code(field.endsLogins.by)} is this object`,
    ...scalarFacts(shape),
    field.updateOnly === 'maybe-ignored' &&
      'a create may ignore it, so an update follows immediately',
    field.updateOnly === 'never-sent' && 'set by an update after the create',
    ...valueFacts(schema),
    ...setFacts(shape),
  ];
  return facts.filter(fact => typeof fact === 'string');
}

function scalarFacts(shape: Shape): readonly (string | false | undefined)[] {
  const one = shape.type === 'dict' ? shape.values : shape;
  if (one.type !== 'scalar') return [];
  return [
    one.secret &&
      'a secret: write it as ${env:NAME}, ${file:path} or ${sops:file#path}, never shown',
    one.masked &&
      one.shownAs !== 'whole' &&
      'a value that the account shows masked is a secret, and not compared',
    one.shownAs === 'whole' &&
      'may be a secret, although the account returns it in plain text: an export writes a variable, unless the files have the value',
    one.normalise && `compared by its meaning: ${one.normalise}`,
    one.shownAs === 'host' &&
      'a secret whose host is shown: write the value, or ${env:NAME}, ${file:path} or ${sops:file#path}',
  ];
}

function setFacts(shape: Shape): readonly (string | false)[] {
  if (shape.type !== 'list' || shape.set === false) return [];
  const { by, singleIn } = shape.set;
  return [
    by ? `identified by ${by.join(' and ')}; order does not matter` : 'order does not matter',
    singleIn.length > 0 && `at most one per object in ${singleIn.join(', ')}`,
  ];
}

/** The allowed values of a field or of its items if they are enumerated; false otherwise. */
export function choicesText(schema: JsonObject): string | false {
  const items = isObject(schema.items) ? schema.items : {};
  if (isList(schema.enum)) return `one of: ${schema.enum.join(', ')}`;
  return isList(items.enum) && `each member one of: ${items.enum.join(', ')}`;
}

function valueFacts(schema: JsonObject): readonly (string | false)[] {
  const items = isObject(schema.items) ? schema.items : {};
  return [
    choicesText(schema),
    bounds(schema.minimum, schema.maximum),
    bounds(schema.minLength, schema.maxLength, 'characters'),
    bounds(schema.minItems, schema.maxItems, 'members'),
    schema.format !== undefined && `form: ${schema.format}`,
    items.format !== undefined && `form of each: ${items.format}`,
    items.not !== undefined && `each member: ${items.description}`,
  ];
}

// The range of a number, or of the number of characters or members.
function bounds(low: Json | undefined, high: Json | undefined, counted?: string): string | false {
  if (low === 1 && high === undefined && counted !== undefined) return 'not empty';
  const [from, to] =
    counted === undefined ? (['from', 'to'] as const) : (['at least', 'at most'] as const);
  const parts = [
    low !== undefined && `${from} ${low}`,
    high !== undefined && `${to} ${high}`,
  ].filter(Boolean);
  return parts.length > 0 && [parts.join(', '), ...(counted ? [counted] : [])].join(' ');
}

/** A field or nested field, with its path. */
export interface FieldAtPath {
  readonly path: string;
  readonly field: Field;
}

/** A field and all its nested fields, outermost first; `[]` marks a list. */
export function fieldsWithin(field: Field, above = ''): readonly FieldAtPath[] {
  const path = `${above}${field.name}`;
  const inner = objectIn(field.shape);
  if (!inner || inner.fields.size === 0) return [{ path, field }];
  const below = `${path}${field.shape.type === 'list' ? '[]' : ''}.`;
  return [{ path, field }, ...[...inner.fields.values()].flatMap(one => fieldsWithin(one, below))];
}
