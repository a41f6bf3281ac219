// Turns one schema into one kind: converts the words of the schema to the form that the rest of the code needs.
import { InvariantError } from '../../model/errors.ts';
import { kindName } from '../../model/names.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import type { AuditEvent, Field, Kind, MembershipEvent, ObjectShape } from '../kind.ts';
import type { KindTrait } from '../language/kindWords.ts';
import { DIALECTS, type Dialect } from '../traits.ts';
import { objectShape } from './shape.ts';

/** The kind of a checked schema, without facts about it that only other schemas contain. */
export function kindOf(schema: JsonObject): Kind {
  const trait = traitOf(schema);
  const { parent, plural, at, path, where, auditEvents = [], expiry, principal } = trait;
  return {
    name: kindName(trait.name),
    plural,
    at,
    path,
    schema,
    identity: (trait.identity ?? []).map(part => [part].flat()),
    title: String(schema.title),
    noun: String(schema.title).replace(/^\p{Lu}(?=\p{Ll})/u, first => first.toLowerCase()),
    description: descriptionOf(schema, trait),
    ...(parent !== undefined && { parent: kindName(parent) }),
    cardinality: trait.cardinality ?? 'collection',
    ...(where && { where }),
    auditEvents,
    ...createdEventOf(trait),
    ...(expiry && { expiry }),
    ...(principal && { principal }),
    verbs: new Set(trait.verbs),
    updateMode: trait.updateMode ?? 'whole',
    sendsBackUnknown: false,
    isReadFromList: trait.readAfterWrite?.startsWith('list') === true,
    isReadAlways: trait.readAfterWrite?.endsWith('-always') === true,
    ...redirectsOf(trait),
    dangers: strategiesOf(trait.effects, 'endangers'),
    ...exposesOf(trait),
    ...propagatesOf(trait),
    grants: strategiesOf(trait.effects, 'grants'),
    objectGrants: strategiesOf(trait.effects, 'grantsByObject'),
    replace: trait.replace ?? 'delete-first',
    reserved: trait.reserved ?? [],
    neverPruned: trait.flags?.includes('neverPruned') === true,
    grantsAccess: trait.flags?.includes('grantsAccess') === true,
    grantsNothing: trait.flags?.includes('grantsNothing') === true,
    accountNamedBy: strategiesOf(trait.effects, 'opensAccount')[0]?.namedBy,
    storesPartly: trait.flags?.includes('storesPartly') === true,
    ...(trait.narrows && { narrows: trait.narrows }),
    ...(trait.line && { line: trait.line }),
    ...(trait.sign && { sign: trait.sign }),
    ...oneTimeSecretOf(trait),
    ...renewedByOf(trait),
    ...dialectsOf(trait),
    ...constraintsOf(trait),
    cascades: cascadesOf(trait),
    shape: withMembership(withEffects(ownShape(schema, trait), trait), trait),
    depth: parent === undefined ? 1 : 2,
  };
}

// The shape of a kind's own fields. A field that only shows who creates the object is left out, because the API has no such
// field.
function ownShape(schema: JsonObject, { reserved = [] }: KindTrait): ObjectShape {
  const shape = objectShape(schema, schema);
  const marks = new Set(reserved.flatMap(({ declaredBy }) => declaredBy?.field ?? []));
  if (marks.size === 0) return shape;
  return { ...shape, fields: new Map([...shape.fields].filter(([name]) => !marks.has(name))) };
}

/**
 * The kinds that objects of this kind require. Each with the flag that must be true for its objects to serve, if there is one.
 */
export function requirementsOf(
  schema: JsonObject,
): readonly { readonly kind: string; readonly while?: string }[] {
  const { constraints } = traitOf(schema);
  const above = strategiesOf(constraints, 'under').map(({ kinds, while: serves }) => ({
    kind: kinds.at(-1) ?? '',
    ...(serves !== undefined && { while: serves }),
  }));
  return [...strategiesOf(constraints, 'requires'), ...above];
}

function traitOf(schema: JsonObject): KindTrait {
  if (!isObject(schema['x-kind'])) throw new InvariantError('a kind schema has no x-kind');
  return schema['x-kind'] as unknown as KindTrait;
}

// The description of a kind, with the products that it covers, because a neutral name does not help a reader who looks for a
// product.
function descriptionOf({ description }: JsonObject, { dialects = {} }: KindTrait): string {
  const products = DIALECTS.flatMap(dialect => {
    const { vendor } = dialects[dialect] || {};
    return vendor === undefined ? [] : [`In dialect ${dialect}: ${vendor}.`];
  });
  return [description, ...products].join(' ');
}

function oneTimeSecretOf({ oneTimeSecret }: KindTrait): Pick<Kind, 'oneTimeSecret' | 'envelope'> {
  if (oneTimeSecret === undefined) return {};
  return typeof oneTimeSecret === 'string'
    ? { oneTimeSecret }
    : { oneTimeSecret: oneTimeSecret.field, envelope: oneTimeSecret.envelope };
}

const renewedByOf = ({ renewedBy }: KindTrait): Pick<Kind, 'renewedBy'> =>
  renewedBy === undefined ? {} : { renewedBy: { sends: [], ...renewedBy } };

type ByDialect =
  | 'dialects'
  | 'pathByDialect'
  | 'vendorByDialect'
  | 'listAllByDialect'
  | 'parentChangeByDialect'
  | 'idField'
  | 'layout'
  | 'parts';

function dialectsOf({ dialects = {} }: KindTrait): Pick<Kind, ByDialect> {
  const having = DIALECTS.filter(dialect => dialects[dialect] !== false);
  const given = <N extends keyof Exclude<(typeof dialects)[Dialect], undefined | false>>(name: N) =>
    DIALECTS.flatMap(dialect => {
      const said = dialects[dialect];
      const value = said === false ? undefined : said?.[name];
      return value === undefined ? [] : [[dialect, value] as const];
    });
  const changes = given('parentChange');
  const [change] = changes;
  const parted = given('parts');
  const [laidOut] = given('layout');
  const [part] = parted;
  const [identified] = given('idField');
  return {
    ...(having.length < DIALECTS.length && { dialects: having }),
    pathByDialect: Object.fromEntries(given('path')),
    vendorByDialect: Object.fromEntries(given('vendor')),
    listAllByDialect: Object.fromEntries(given('listAll')),
    ...(change && {
      parentChangeByDialect: {
        spec: 'replace',
        netbird: 'replace',
        ...Object.fromEntries(changes),
      },
    }),
    ...(identified && { idField: identified[1] }),
    ...(laidOut && { layout: layoutOf(laidOut[1]) }),
    ...(part && { parts: { ...part[1], dialects: parted.map(([dialect]) => dialect) } }),
  };
}

const layoutOf = (
  layout: Readonly<Partial<Record<string, readonly string[]>>>,
): Map<string, string[]> =>
  new Map(
    Object.entries(layout).flatMap(([path, names = []]) =>
      names.map((name): [string, string[]] => [name, path.split('.')]),
    ),
  );

type Typed = { readonly type: string };

/** The strategies of one type. */
function strategiesOf<S extends Typed, T extends S['type']>(
  all: readonly S[] | undefined,
  type: T,
): readonly Extract<S, { readonly type: T }>[] {
  return (all ?? []).filter((one): one is Extract<S, { readonly type: T }> => one.type === type);
}

function constraintsOf({
  constraints,
}: KindTrait): Pick<
  Kind,
  | 'unique'
  | 'ignoresCase'
  | 'conflict'
  | 'excludesOthers'
  | 'differsFrom'
  | 'below'
  | 'distinctKeys'
  | 'addressed'
  | 'requiredTogether'
  | 'addressRoom'
  | 'identitySuffix'
  | 'abilities'
  | 'succession'
  | 'requires'
  | 'servingReferences'
  | 'fulfilledBy'
> {
  const [unique] = strategiesOf(constraints, 'unique');
  const [conflict] = strategiesOf(constraints, 'conflict');
  const [alone] = strategiesOf(constraints, 'alone');
  const [succeeds] = strategiesOf(constraints, 'succeeds');
  const [apart] = strategiesOf(constraints, 'apart');
  const [below] = strategiesOf(constraints, 'below');
  const [under] = strategiesOf(constraints, 'under');
  const [fulfilled] = strategiesOf(constraints, 'fulfilledBy');
  const requires = strategiesOf(constraints, 'requires');
  return {
    requires: requires.flatMap(({ kind, by }) => (by === undefined ? kindName(kind) : [])),
    servingReferences: requires.flatMap(({ kind, by }) =>
      by === undefined ? [] : { field: by, kind: kindName(kind) },
    ),
    ...(unique && { unique: unique.within }),
    ignoresCase: unique?.ignores === 'case',
    ...(alone && { excludesOthers: alone }),
    ...(apart && { differsFrom: { ...apart, kind: kindName(apart.kind) } }),
    ...(below && { below }),
    distinctKeys: strategiesOf(constraints, 'distinctKeys').map(({ at }) => at),
    addressed: strategiesOf(constraints, 'addressed'),
    requiredTogether: strategiesOf(constraints, 'together'),
    addressRoom: strategiesOf(constraints, 'room').map(room => ({
      ...room,
      kind: kindName(room.kind),
    })),
    ...(under && { identitySuffix: { ...under, kinds: under.kinds.map(kindName) } }),
    abilities: strategiesOf(constraints, 'ability'),
    ...(succeeds && { succession: succeeds.same }),
    ...(conflict && { conflict }),
    ...(fulfilled && {
      fulfilledBy: { kind: kindName(fulfilled.kind), field: fulfilled.field },
    }),
  };
}

function redirectsOf({ effects }: KindTrait): Pick<Kind, 'redirects'> {
  const [redirects] = strategiesOf(effects, 'redirects');
  return redirects ? { redirects } : {};
}

function exposesOf({ effects }: KindTrait): Pick<Kind, 'exposes'> {
  const [exposes] = strategiesOf(effects, 'exposes');
  return exposes ? { exposes } : {};
}

function propagatesOf({ effects }: KindTrait): Pick<Kind, 'propagates'> {
  const [propagates] = strategiesOf(effects, 'propagates');
  return propagates
    ? { propagates: { field: propagates.field, kind: kindName(propagates.kind) } }
    : {};
}

function cascadesOf({ effects }: KindTrait): Kind['cascades'] {
  return strategiesOf(effects, 'delete').map(({ kind, by, onlyInCascade = false }) => ({
    kind: kindName(kind),
    ...(by !== undefined && { by }),
    onlyInCascade,
  }));
}

// Adds the effects of a kind to the fields that cause them.
function withEffects(shape: ObjectShape, { effects }: KindTrait): ObjectShape {
  const fields = new Map(shape.fields);
  const say = (name: string, effect: Partial<Field>): void => {
    const field = fields.get(name);
    if (!field) throw new InvariantError(`an effect names a field that the kind lacks: ${name}`);
    fields.set(name, { ...field, ...effect });
  };
  for (const { field, kind, by, into } of strategiesOf(effects, 'moveMembers'))
    say(field, { movesMembers: { kind: kindName(kind), by, into } });
  for (const { field, kind, by } of strategiesOf(effects, 'endLogins'))
    say(field, { endsLogins: { kind: kindName(kind), by } });
  return { ...shape, fields };
}

function createdEventOf({ auditEvents }: KindTrait): Pick<Kind, 'createdEvent'> {
  const [createdEvent] = strategiesOf(auditEvents, 'create');
  return createdEvent ? { createdEvent } : {};
}

// Adds the audit events that show when members join or leave a set which others write too.
function withMembership(shape: ObjectShape, { auditEvents }: KindTrait): ObjectShape {
  const joins = strategiesOf(auditEvents, 'join');
  const leaves = strategiesOf(auditEvents, 'leave');
  const fields = new Map(shape.fields);
  for (const field of shape.fields.values()) {
    const of = (forms: readonly MembershipForm[]) =>
      forms.filter(form => form.field === field.name).flatMap(membershipEvent)[0];
    const joined = of(joins);
    const left = of(leaves);
    if (field.shared && joined && left)
      fields.set(field.name, { ...field, membership: { joins: joined, leaves: left } });
  }
  return { ...shape, fields };
}

type MembershipForm = Extract<AuditEvent, { type: 'join' | 'leave' }>;

const membershipEvent = ({ codes, about, member }: MembershipForm): MembershipEvent[] =>
  typeof about === 'object' && 'meta' in about
    ? [{ codes, holder: about.meta, ...(member && { member: member.meta }) }]
    : [];
