// The account that a perfect server would hold after an apply, made without one: for laws that need no network.
import { namingFields } from '../../src/kinds/identity/identity.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import type { TransformName } from '../../src/kinds/traits.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { present } from '../../src/model/errors.ts';
import { type KindName, remoteId } from '../../src/model/names.ts';
import type { Desired, Snapshot } from '../../src/model/object.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
} from '../../src/model/value.ts';
import { decodeAccount, type ReadObject } from '../../src/wire/decodeAccount.ts';
import { encodeCreate } from '../../src/wire/encode.ts';
import type { Resolve } from '../../src/wire/encodeValue.ts';
import { KINDS } from '../support/files.ts';
import { ENROLLED } from './generators/accounts.ts';
import type { RandomSource } from './generators/randomSource.ts';

/** What is read of an account that holds `desired`, what was enrolled, and what every account has; in any order. */
export function snapshotOf(desired: readonly Desired[], random: RandomSource): Snapshot {
  return snapshotOfRead(random.shuffled(readFor(desired)));
}

/** What is known of an account that gives these objects. */
export function snapshotOfRead(objects: readonly ReadObject[]): Snapshot {
  return { objects: decodeAccount(KINDS, objects), unavailable: new Map(), requests: 0 };
}

/** What such an account gives, before anything is made of it. */
export function readFor(desired: readonly Desired[]): readonly ReadObject[] {
  const given = [...KINDS.values()].flatMap(givenObjects);
  const nameOf = ({ kind, body }: ReadObject) =>
    body[namingFields(present(KINDS.get(kind), kind))[0] ?? ''] ?? SETTINGS;
  const generated = new Map(desired.map(one => [`${one.kind} ${one.key}`, one]));
  const resolve: Resolve = {
    ...RESOLVE,
    fieldOf: (kind, key) => typeOfAddress(generated.get(`${kind} ${key}`)?.fields ?? {}),
  };
  return [
    ...given.filter(object => !generated.has(`${object.kind} ${nameOf(object)}`)),
    ...desired.map(({ kind: name, key, parent, fields }): ReadObject => {
      const kind = present(KINDS.get(name), `the kind ${name}`);
      const home = kind.parent && parent !== undefined ? idOf(kind.parent, parent) : undefined;
      const id = idOf(name, key);
      const body = {
        ...encodeCreate(kind, canonicalFields(kind.shape, fields, 'desired'), resolve),
        id,
        ...(kind.shape.fields.has('type') && { type: typeOfAddress(fields) }),
      };
      return {
        kind: name,
        id,
        body: { ...body, ...typeOf(fields), ...shownFor(kind, fields), ...neededBy(kind) },
        ...(home && { parentId: home }),
      };
    }),
  ];
}

// As a server names the type of a network resource.
function typeOfAddress({ address }: Fields): string {
  const [text = '', length] = String(address ?? '').split('/');
  if (!/^[\d.]+$|:/.test(text)) return 'domain';
  const isHost = length === undefined || length === (text.includes(':') ? '128' : '32');
  return isHost ? 'host' : 'subnet';
}

// The key of what an account has once.
const SETTINGS = 'account';

// What nobody has to declare: objects that no file can make, and those that are reserved by name.
function givenObjects(kind: Kind): ReadObject[] {
  const { name: settings } = kind;
  if (kind.cardinality !== 'collection' && !kind.verbs.has('create')) {
    const id = idOf(settings, SETTINGS);
    return [{ kind: settings, id, body: { id } }];
  }
  const reserved = kind.reserved.flatMap(({ field, equals }) =>
    field === 'name' ? (equals ?? []) : [],
  );
  const names = kind.verbs.has('create') ? reserved : ENROLLED;
  return names.map(name => ({
    kind: kind.name,
    id: idOf(kind.name, name),
    body: { id: idOf(kind.name, name), [namingFields(kind)[0] ?? '']: name, ...neededBy(kind) },
  }));
}

// What the server alone sets and fields of the kind need before they can change: here every object has it.
function neededBy(kind: Kind): JsonObject {
  const names = [...kind.shape.fields.values()].flatMap(
    ({ changeRequires }) => changeRequires ?? [],
  );
  return Object.fromEntries(names.map(name => [name, 'somebody']));
}

const idOf = (kind: KindName, key: string) => remoteId(`${kind}-${key.replaceAll(/\W/g, '_')}`);

const RESOLVE: Resolve = {
  idOf,
  fieldOf: () => undefined,
  open: () => 'a secret',
  refuse: ({ message }) => {
    throw new Error(message);
  },
};

// What a create does not send, and what a server shows in the place of fields that it gives back in another form.
function shownFor(kind: Kind, fields: Fields): JsonObject {
  return Object.assign(
    {},
    ...[...kind.shape.fields.values()].map(({ name, transform, updateOnly }) => {
      const value = fields[name];
      if (value === undefined) return {};
      if (updateOnly === 'never-sent') return { [name]: value };
      return transform === undefined ? {} : SHOWN[transform](value);
    }),
  );
}

const SHOWN: Readonly<Record<TransformName, (value: Json) => JsonObject>> = {
  'absent-is-empty': () => ({}),
  'chosen-port': () => ({ port_auto_assigned: false }),
  'written-host': () => ({}),
  'lifetime-in-days': days => ({
    created_at: new Date(0).toISOString(),
    expiration_date: new Date(Number(days) * 86_400_000).toISOString(),
  }),
  'lifetime-in-seconds': seconds => ({
    created_at: new Date(0).toISOString(),
    ...(seconds !== 0 && { expires_at: new Date(Number(seconds) * 1000).toISOString() }),
  }),
  'limit-of-reusable': limit => ({ usage_limit: limit }),
  'mapped-direct-port': port => ({
    port_range_mappings: isObject(port)
      ? [mapping(1, Number(port.count ?? 0), port.protocol ?? '')]
      : [],
  }),
  'mapped-port-ranges': ranges => ({
    port_range_mappings: (isList(ranges) ? ranges.filter(isObject) : []).map(
      ({ start, end, protocol }) => mapping(Number(start), Number(end), protocol ?? ''),
    ),
  }),
  'placeholder-network': () => ({}),
};

const mapping = (start: number, end: number, protocol: Json): JsonObject => ({
  translated_start: start,
  translated_end: end,
  protocol,
  ingress_start: start,
  ingress_end: end,
});

const typeOf = ({ type }: JsonObject): JsonObject => (type === undefined ? {} : { type });

/** The same objects, their read-only fields generated again: all but those that say what one is or stand for a field of ours. */
export function withOtherServerFields(
  objects: readonly ReadObject[],
  random: RandomSource,
): ReadObject[] {
  return objects.map(({ body, ...object }) => {
    const kind = present(KINDS.get(object.kind), `the kind ${object.kind}`);
    return { ...object, body: otherServerFields(kind, body, random) };
  });
}

function otherServerFields(kind: Kind, body: JsonObject, random: RandomSource): JsonObject {
  const telling = new Set([
    'id',
    kind.where?.field,
    kind.expiry?.field,
    kind.expiry?.when?.field,
    ...kind.reserved.map(({ field }) => field),
    ...Object.values(SHOWN).flatMap(shown => Object.keys(shown(null))),
  ]);
  const fields = [...kind.shape.fields.values()].filter(
    ({ name, readOnly, sentBack }) => (readOnly || sentBack) && !telling.has(name),
  );
  const values: Json[] = [null, '', 'other', 7, true, false, [], ['x'], {}, { id: 'x' }];
  const generated = fields.map(({ name }) => [name, random.some(values, 1)[0] ?? null]);
  return {
    ...body,
    ...Object.fromEntries(generated),
    unheard_of: random.some(values, 1)[0] ?? null,
  };
}
