// Whole accounts, generated: what files might declare, valid as it stands, with names few enough to meet again.
import fc from 'fast-check';
import {
  childKey,
  identityName,
  isNameless,
  namingFields,
} from '../../../src/kinds/identity/identity.ts';
import type { Kind } from '../../../src/kinds/kind.ts';
import { canonicalFields, isEmpty } from '../../../src/kinds/values/canonical.ts';
import { refsOf } from '../../../src/kinds/values/refs.ts';
import { present } from '../../../src/model/errors.ts';
import type { Key, KindName } from '../../../src/model/names.ts';
import type { Desired } from '../../../src/model/object.ts';
import { type Fields, isList, isObject, type Json } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import {
  BEYOND,
  offeredFields,
  offeredKinds,
  SERVERS,
  type Server,
  SPECIFIED,
} from '../../support/servers/servers.ts';
import { fileText } from './fileText.ts';
import { type RandomSource, randomSources } from './randomSource.ts';
import { drawFields, narrowedFields } from './values.ts';

/** Names of things that files declare. A slash and a space are as good as any letter. */
export const NAMES = ['a', 'b', 'c', 'd/e', 'f g'] as const;

/** Names of things that are there without being declared: those that no file can make. */
export const ENROLLED = ['ada', 'bob', 'cyd'] as const;

const MOST_OF_A_KIND = 4;

// The kinds that only one dialect has, and those that they need. They are the last ones: a random source for all kinds rarely lasts
// until then.
const BEYOND_KINDS = withNeeded(offeredKinds(BEYOND).difference(offeredKinds(SPECIFIED)));

function withNeeded(names: ReadonlySet<KindName>): ReadonlySet<KindName> {
  const found = new Set(names);
  // The set grows during the iteration: what a kind needs may need others.
  for (const name of found) {
    const kind = present(KINDS.get(name), name);
    for (const needed of [...refsOf(kind), ...kind.requires]) found.add(needed);
    if (kind.parent !== undefined) found.add(kind.parent);
  }
  return found;
}

/** What files might declare. */
function drawDesired(random: RandomSource, server: Server): Desired[] {
  const { dialect, edition } = server;
  // A snapshot made without a server has policies of several rules, which that dialect does not keep.
  const isBeyond = server === BEYOND || (dialect === BEYOND.dialect && random.chance(0.5));
  const offered = isBeyond ? offeredKinds(server).intersection(BEYOND_KINDS) : offeredKinds(server);
  const generated: Desired[] = [];
  const taken = new Set<string>();
  const keys = (kind: KindName): readonly string[] => keysOf(kind, generated);
  for (const kind of KINDS.values()) {
    if (!offered.has(kind.name)) continue;
    if (!kind.requires.every(name => generated.some(object => object.kind === name))) continue;
    for (let left = random.below(MOST_OF_A_KIND + 1); left > 0; left--) {
      const parents = generated.filter(object => object.kind === kind.parent).map(({ key }) => key);
      const [parent] = random.some(parents, 1);
      if (kind.parent && parent === undefined) continue;
      const generatedFields = drawFields(kind, fixedFields(kind, random, parent), {
        random,
        dialect,
        keys,
        isDeclared: true,
        isSubnet: key => isSubnet(key, generated),
      });
      const whole = generatedFields && offeredFields(edition, kind.name, generatedFields);
      const fields = whole && placedAlone(kind, drawable(kind, whole));
      const object = fields && desiredOf(kind, fields, parent as Key | undefined, generated.length);
      const claims = object ? uniqueConstraintsOf(kind, object) : [];
      if (!object || claims.some(claim => taken.has(claim))) continue;
      for (const claim of claims) taken.add(claim);
      generated.push(object);
    }
  }
  return generated;
}

/** Two accounts with names in common, the server they are for, and a random source for choices of the law itself. */
export interface Journey {
  readonly server: Server;
  readonly from: readonly Desired[];
  readonly to: readonly Desired[];
  readonly random: RandomSource;
}

// What no file declares any more may stay, so a value of it that another object takes later would be in the way. What is never deleted
// gives way: it lets go of the value before, or does not take it later if no object of the other kind is declared then.
function apart(
  desired: readonly Desired[],
  others: readonly Desired[],
  isInTheWay: (kind: KindName) => boolean,
): readonly Desired[] {
  return desired.map(object => {
    const { apart: rule, neverDeleted } = settingsOf(object);
    if (!rule || !neverDeleted || !isInTheWay(rule.kind)) return object;
    const { [rule.field]: value, ...fields } = object.fields;
    const isTaken = others.some(
      ({ kind, fields: theirs }) =>
        kind === rule.kind && inAnyCase(theirs[rule.other]) === inAnyCase(value),
    );
    return isTaken ? { ...object, fields } : object;
  });
}

const settingsOf = ({ kind: name }: Desired) => {
  const kind = KINDS.get(name);
  return { apart: kind?.differsFrom, neverDeleted: kind?.verbs.has('delete') === false };
};

const named = ({ dialect, edition }: Server): string => `on ${dialect}, ${edition},`;

/** Journeys on these servers: each is for one of them. */
export const journeys = (...servers: readonly Server[]): fc.Arbitrary<Journey> =>
  fc
    .tuple(randomSources, randomSources, randomSources, oneOf(servers))
    .map(([one, other, random, server]) => {
      const drawn = { from: drawDesired(one, server), to: drawDesired(other, server) };
      const isDeclared = (name: KindName) => drawn.to.some(({ kind }) => kind === name);
      const from = apart(drawn.from, drawn.to, () => true);
      const to = apart(drawn.to, drawn.from, name => !isDeclared(name));
      return {
        server,
        from,
        to,
        random,
        [fc.toStringMethod]: () => `${named(server)} from ${fileText(from)}\nto ${fileText(to)}`,
      };
    });

/** One account, and the server it is for. */
export interface Generated {
  readonly server: Server;
  readonly desired: readonly Desired[];
  readonly random: RandomSource;
}

/** Accounts on these servers: each is for one of them. */
export const accounts = (...servers: readonly Server[]): fc.Arbitrary<Generated> =>
  fc.tuple(randomSources, randomSources, oneOf(servers)).map(([one, random, server]) => {
    const desired = drawDesired(one, server);
    return {
      server,
      desired,
      random,
      [fc.toStringMethod]: () => `${named(server)} ${fileText(desired)}`,
    };
  });

// Without a choice, whatever an account is held on is the server of the specification.
const oneOf = (servers: readonly Server[]): fc.Arbitrary<Server> =>
  servers.length === 0 ? fc.constant(SPECIFIED) : fc.constantFrom(...servers);

/** Journeys and accounts on any server. */
export const anyJourney = journeys(...SERVERS);
export const anyAccount = accounts(...SERVERS);

// Whether the address of a declared object is a whole network: for the server, prefixes of 32 and 128 bits never are.
function isSubnet(key: string, generated: readonly Desired[]): boolean | undefined {
  const found = generated.find(one => one.key === key && typeof one.fields.address === 'string');
  const [, length] = String(found?.fields.address ?? '').split('/');
  return found && length !== undefined && !['32', '128'].includes(length);
}

/** The keys that a pointer to a kind may hold. */
export function keysOf(name: KindName, generated: readonly Desired[]): readonly string[] {
  const kind = KINDS.get(name);
  if (kind && !kind.verbs.has('create')) return ENROLLED;
  const reserved = kind?.reserved.flatMap(({ field, equals }) =>
    field === 'name' ? (equals ?? []) : [],
  );
  return [
    ...generated.filter(object => object.kind === name).map(({ key }) => key),
    ...(reserved ?? []),
  ];
}

// An object that excludes others gets a name that no other has.
export function placedAlone({ excludesOthers }: Kind, fields: Fields): Fields {
  const [name = ''] = excludesOthers?.same ?? [];
  if (!excludesOthers?.in.includes(String(fields[excludesOthers.field]))) return fields;
  return { ...fields, [name]: `alone.${String(fields[name]).replace('*.', '')}` };
}

/** The name of an object that must end in a text of its parent, which is the name of the parent. */
export function nameBelow({ below }: Kind, random: RandomSource, parent = ''): Fields {
  if (!below) return {};
  const prefix = random.pick(['', 'a.', 'b.', '*.']);
  return { [below.field]: `${prefix}${parent}` };
}

function fixedFields(kind: Kind, random: RandomSource, parent: string | undefined): Fields {
  if (kind.below) return nameBelow(kind, random, parent);
  const [part = ''] = namingFields(kind);
  const field = kind.shape.fields.get(part);
  const isText = field?.shape.type === 'scalar' && !field.shape.ref && kind.identity.length === 1;
  if (!isText || 'format' in field.schema || 'enum' in field.schema) return {};
  return { [part]: random.pick(kind.verbs.has('create') ? NAMES : ENROLLED) };
}

// Settings that a self-hosted server accepts and does not store.
const NOT_STORED = /^network_traffic_/;

/** What can be generated of an object. Fields that change other objects for good, that mirror another object are declared there, and what the server allocates cannot be chosen. */
export function drawable(kind: Kind, fields: Fields): Fields {
  const isTold = (name: string): boolean => {
    const isLasting = kind.dangers.some(one => one.field === name && one.lasting);
    if (NOT_STORED.test(name) || isLasting) return false;
    const field = kind.shape.fields.get(name);
    // The account may have another field on that needs it.
    if (isNeeded(name, kind) && (isEmpty(fields[name]) || fields[name] === false)) return false;
    return field?.writtenAs === undefined && !field?.serverAssigned;
  };
  const reported = Object.entries(fields).filter(([name]) => isTold(name));
  return { ...Object.fromEntries(reported), ...flagsUp(kind) };
}

/** Whether the rules of the kind say something of this field because of another one. */
export function isInRule(name: string, { schema }: Kind): boolean {
  const rules = isList(schema.allOf) ? schema.allOf.filter(isObject) : [];
  return rules.some(rule =>
    [rule.if, rule.then, rule.else].some(
      branch => isObject(branch) && isObject(branch.properties) && name in branch.properties,
    ),
  );
}

// Whether another declared field may need this one.
function isNeeded(name: string, { schema }: Kind): boolean {
  const rules = isList(schema.allOf) ? schema.allOf.filter(isObject) : [];
  return rules.some(
    ({ then }) =>
      isObject(then) &&
      ((isList(then.required) && then.required.includes(name)) ||
        narrowedFields(then).includes(name)),
  );
}

// What others need serves them only while it is switched on.
function flagsUp(kind: Kind): Fields {
  const isNeeded = [...KINDS.values()].some(({ requires }) => requires.includes(kind.name));
  const flags = [...kind.shape.fields.values()].filter(
    ({ shape, readOnly }) => !readOnly && shape.type === 'scalar' && shape.json === 'boolean',
  );
  return Object.fromEntries(isNeeded ? flags.map(({ name }) => [name, true]) : []);
}

/** Whether an object of the kind can be given another name. */
export function isRenamable(kind: Kind): boolean {
  const isFixed = ([part = '']: readonly string[]) =>
    kind.shape.fields.get(part)?.immutable !== false;
  return (
    kind.verbs.has('update') &&
    !isNameless(kind) &&
    !kind.identitySuffix &&
    kind.identity.length === 1 &&
    !kind.identity.some(isFixed)
  );
}

function desiredOf(
  kind: Kind,
  fields: Fields,
  parent: Key | undefined,
  number: number,
): Desired | null {
  const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  if (name === null) return null;
  return {
    kind: kind.name,
    key: childKey(parent, name),
    ...(parent !== undefined && { parent }),
    fields,
    lifecycle: {},
    at: { file: 'generated.yaml', line: number + 1, column: 1 },
    spans: {},
  };
}

// Values that differ only in case count as one.
const inAnyCase = (value: Json | undefined): string => JSON.stringify(value ?? null).toLowerCase();

// A value that objects of two kinds must not both have, whichever of them is drawn first.
const apartClaim = (name: KindName, apart: NonNullable<Kind['differsFrom']>, value: Json): string =>
  `${[`${name}.${apart.field}`, `${apart.kind}.${apart.other}`].sort().join(' ')} ${inAnyCase(value)}`;

// What no other object of the account may have: its key, a unique name, and the place a route leads to, by whatever way.
function uniqueConstraintsOf(kind: Kind, { key, fields }: Desired): string[] {
  const canonical = canonicalFields(kind.shape, fields, 'desired');
  const names = kind.conflict?.same ?? [];
  const ways = names.filter(name => !isEmpty(canonical[name]));
  const way = (name: string): Json => canonical[name] ?? null;
  return [
    `${kind.name} ${key}`,
    ...(kind.fulfilledBy ? [`${kind.fulfilledBy.kind} ${key}`] : []),
    ...(kind.ignoresCase ? [`${kind.name} ${key.toLowerCase()} in any case`] : []),
    ...(kind.excludesOthers?.in.includes(String(fields[kind.excludesOthers.field]))
      ? [
          `${kind.name} alone ${kind.excludesOthers.same.map(name => String(fields[name])).join(' ')}`,
        ]
      : []),
    ...(kind.differsFrom && !isEmpty(canonical[kind.differsFrom.field])
      ? [apartClaim(kind.name, kind.differsFrom, way(kind.differsFrom.field))]
      : []),
    ...(kind.unique === 'account'
      ? [`${kind.name} name ${String(fields[namingFields(kind)[0] ?? ''])}`]
      : []),
    ...ways.map(name => `${kind.name} ${name} ${JSON.stringify(way(name))}`),
  ];
}
