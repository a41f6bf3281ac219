// What holds for every kind, derived from its schema: it says of the wire what the contract says, and an object of it
// lives through create, read, list, update of every field, and delete as it was declared.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionPath, itemPath } from '../../src/api/account/objectPaths.ts';
import { readDocument } from '../../src/contract/document.ts';
import { loadContract, pathTable, type Violation } from '../../src/contract/index.ts';
import { isServedIn } from '../../src/kinds/dialect/dialects.ts';
import type { Field, Kind, Shape } from '../../src/kinds/kind.ts';
import { kindsIn } from '../../src/kinds/schema/table.ts';
import { shippedSchemaCheck } from '../../src/kinds/shippedChecks.ts';
import { DIALECTS, type Dialect, type Verb } from '../../src/kinds/traits.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { fieldsExcludedBy } from '../../src/kinds/values/exclusive.ts';
import { present } from '../../src/model/errors.ts';
import { type RemoteId, remoteId } from '../../src/model/names.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { isSecret } from '../../src/model/secrets/secret.ts';
import {
  type Fields,
  isList,
  isObject,
  type Json,
  type JsonObject,
} from '../../src/model/value.ts';
import { failureOf } from '../api/calls.ts';
import { randomSources } from '../properties/generators/randomSource.ts';
import { isCoherent } from '../properties/generators/services.ts';
import { KINDS } from '../support/files.ts';
import {
  type ContractSchema,
  demandedBy,
  disagreements,
  fieldsOf,
  schemaAt,
} from '../support/project/requestSchema.ts';
import { HUSH, startWorld, type World } from '../support/servers/lifetime.ts';

const contract = loadContract();
const document = readDocument() as JsonObject;
const declarable = [...KINDS.values()].filter(kind => kind.verbs.has('create'));

const METHOD = { create: 'POST', update: 'PUT', delete: 'DELETE' } as const;

/** The operation behind a verb of a kind, or behind its list or its read. */
function operationOf(kind: Kind, what: Verb | 'list' | 'read') {
  const collection = what === 'create' || what === 'list';
  const parent = remoteId('parent');
  // The contract has the paths of dialect spec.
  const own = present(KINDS.get(kind.name), kind.name);
  const path = collection ? collectionPath(own, parent) : itemPath(own, remoteId('id'), parent);
  const method = what === 'list' || what === 'read' ? 'GET' : METHOD[what];
  const match = (own.dialects ? matchBeyond : contract.match)(method, path);
  return match.found === 'entry' ? match.value : null;
}

const matchBeyond = pathTable(contract.netbirdOperations.map(value => ({ ...value, value })));

const isSentBy: Readonly<Record<'create' | 'update', (field: Field, kind: Kind) => boolean>> = {
  create: field => !field.readOnly && field.updateOnly !== 'never-sent',
  update: (field, kind) =>
    !field.readOnly && !field.inputOnly && (kind.updateMode === 'whole' || !field.immutable),
};

/** Whether an update sends a field that the files do not declare: as it was read. */
const isSentBack = (field: Field, { updateMode }: Kind): boolean =>
  updateMode !== 'partial' && !field.readOnly && !field.inputOnly && !field.writeOnly;

/** The schema of the object in an answer, out of what is wrapped around it. */
function objectIn(answer: ContractSchema, { envelope }: Kind): ContractSchema {
  return envelope === undefined ? answer : present(fieldsOf(answer).get(envelope), envelope);
}

describe.each(declarable.map(kind => ({ name: kind.name, kind })))('$name', ({ kind }) => {
  test('has the operations of its verbs, and those that read it', () => {
    const missing = [
      ...kind.verbs,
      'list' as const,
      ...(!kind.isReadFromList ? ['read' as const] : []),
    ].filter(what => operationOf(kind, what) === null);
    expect(missing).toEqual([]);
  });

  test('has the request for a new secret that it names, and a response with the secret', () => {
    const { renewedBy, oneTimeSecret = '' } = kind;
    if (renewedBy === undefined) return;
    const path = `${itemPath(kind, remoteId('id'), remoteId('parent'))}/${renewedBy.path}`;
    const match = contract.match('POST', path);
    const operation = present(match.found === 'entry' ? match.value : null, path);
    const reply = operation.replies.find(({ status }) => status === '200');
    const answer = schemaAt(document, present(reply?.schema, 'the answer'));
    expect([...fieldsOf(answer).keys()]).toContain(oneTimeSecret);
    const { request } = operation;
    const sent = request === undefined ? [] : [...fieldsOf(schemaAt(document, request)).keys()];
    expect(sent).toEqual(renewedBy.sends);
  });

  test.each((['create', 'update'] as const).filter(verb => kind.verbs.has(verb)))(
    'agrees with the contract about what a %s sends',
    verb => {
      const pointer = present(operationOf(kind, verb)?.request, `the body of a ${verb}`);
      const body = schemaAt(document, pointer);
      const reading = {
        isSent: (field: Field) => isSentBy[verb](field, kind),
        isAlwaysSent: (field: Field) =>
          (verb === 'create' && field.name === kind.where?.field) ||
          (verb === 'update' && isSentBack(field, kind)),
        isOthers: kind.where !== undefined,
      };
      expect(disagreements(kind.shape, body, reading)).toEqual([]);
    },
  );

  test('knows the read-only fields of a response', () => {
    const reply = operationOf(kind, 'create')?.replies.find(({ status }) => status === '200');
    const whole = schemaAt(document, present(reply?.schema, 'the answer to a create'));
    const answer = objectIn(whole, kind);
    const sent = (['create', 'update'] as const).flatMap(verb => {
      const pointer = kind.verbs.has(verb) ? operationOf(kind, verb)?.request : undefined;
      return pointer === undefined ? [] : [...fieldsOf(schemaAt(document, pointer)).keys()];
    });
    const serversOwn = new Set(fieldsOf(answer).keys()).difference(new Set(sent));
    const readOnly = new Set(
      [...kind.shape.fields.values()]
        .filter(({ readOnly, sentBack }) => readOnly && !sentBack)
        .map(({ name }) => name),
    );
    // Where two kinds share a collection, a field that the one sends may be the server’s alone for the other.
    if (kind.where) expect([...serversOwn].filter(name => !readOnly.has(name))).toEqual([]);
    else expect(readOnly).toEqual(serversOwn);
    expect(demandedBy(answer).has('id')).toBe(true);
  });
});

/** Written secrets cannot be compared with read ones; that there is one can. */
function withoutSecrets(value: Json): Json {
  if (isSecret(value)) return 'a secret';
  if (isList(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withoutSecrets(item)]),
  );
}

// Inside of a value, what is only written is not there when it is read.
function withoutLocked(shape: Shape, value: Json): Json {
  if (shape.type === 'list' && isList(value))
    return value.map(item => withoutLocked(shape.items, item));
  if (shape.type !== 'object' || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, Json][] => {
      const field = shape.fields.get(name);
      const isUndeclared = shape.keepsInside && isList(item) && item.length === 0;
      if (!field || field.writeOnly || isUndeclared) return [];
      return [[name, withoutLocked(field.shape, item)]];
    }),
  );
}

const comparable = (kind: Kind, fields: Fields): Fields =>
  Object.fromEntries(
    [...kind.shape.fields.values()].flatMap(({ name, shape, writeOnly, inputOnly }) => {
      const value = fields[name];
      if (value === undefined || writeOnly || inputOnly) return [];
      return [[name, withoutSecrets(withoutLocked(shape, value))]];
    }),
  );

const pick = (fields: Fields, names: Iterable<string>): Fields =>
  Object.fromEntries(
    [...names].flatMap(name => (name in fields ? [[name, fields[name] ?? null]] : [])),
  );

/** Whether a file could declare these fields together. */
function isAdmitted(kind: Kind, fields: Fields): boolean {
  const written = JSON.parse(JSON.stringify(fields), (_, item) =>
    isSecret(item) ? 'secret' : item,
  );
  return shippedSchemaCheck(kind.schema)(written);
}

/**
 * What an update would declare: each field by itself where the others admit that, and all of them together. What holds
 * a secret is declared every time: it cannot be sent back otherwise.
 */
function updatesTo(kind: Kind, before: Fields, after: Fields): Fields[] {
  const free = Object.entries(after)
    .filter(([name]) => isChangeable(kind, name))
    .map(([name, value]) => [name, grown(kind, name, before[name], value)] as const);
  const single = free.map(([name, value]) => ({ ...secretsIn(before), [name]: value }));
  return [...single, Object.fromEntries(free)].filter(change => {
    const displaced = fieldsExcludedBy(kind.shape, change);
    const kept = Object.entries(before).filter(([name]) => !displaced.has(name));
    const whole = { ...Object.fromEntries(kept), ...change };
    return isAdmitted(kind, whole) && (!kind.identitySuffix || isCoherent(whole));
  });
}

/** Whether an update can give a field another value. */
function isChangeable(kind: Kind, name: string): boolean {
  const field = kind.shape.fields.get(name);
  return field !== undefined && !field.immutable && isSentBy.update(field, kind);
}

// An update takes no entry away from a map that grows.
function grown(kind: Kind, name: string, before: Json | undefined, after: Json): Json {
  const isGrowing = kind.shape.fields.get(name)?.addOnly && isObject(before) && isObject(after);
  return isGrowing ? { ...before, ...after } : after;
}

const secretsIn = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => holdsSecret(value)));

/** The changes, where an update sends such fields at all, of those that only another object can have with another value. */
const fixedChanges = (kind: Kind, before: Fields, after: Fields): Fields[] =>
  Object.entries(kind.updateMode === 'whole' && kind.verbs.has('update') ? after : {})
    .filter(([name, value]) => {
      const field = kind.shape.fields.get(name);
      return field?.immutable && value !== (before[name] ?? field.default);
    })
    .map(([name, value]) => ({ ...secretsIn(before), [name]: value }));

const holdsSecret = (value: Json): boolean =>
  isSecret(value) || (isObject(value) && Object.values(value).some(holdsSecret));

/** Whether the contract has a limit there that only servers of another dialect keep: it has those of dialect spec. */
function isOfAnother(dialect: Dialect, { shape }: Kind, { at, keyword }: Violation): boolean {
  const limits = shape.fields.get(at.slice(1))?.limits;
  return dialect !== 'spec' && limits?.spec !== undefined && keyword in limits.spec;
}

/** So many lives at least, and more until an update has changed every field that it can change. */
const LEAST = 4;
const MOST = 12;

describe.each(DIALECTS)('on a server of dialect %s', dialect => {
  const kinds = kindsIn(KINDS, dialect);
  const served = declarable.filter(kind => isServedIn(kind, dialect));
  test.each(served.map(({ name }) => ({ name, kind: present(kinds.get(name), name) })))(
    '$name has the lifecycle that it declares',
    async ({ kind }) => {
      const start = () =>
        startWorld(dialect, kind, (sent, verb, body) => {
          const operation = present(operationOf(sent, verb), `the operation of a ${verb}`);
          const against = contract
            .checkRequest(operation, body)
            .filter(violation => !isOfAnother(dialect, sent, violation));
          expect(against, JSON.stringify(body)).toEqual([]);
        });
      let world = await start();
      const changed = new Set<string>();
      const [first, ...more] = fc.sample(randomSources, { numRuns: MOST, seed: 7 });
      let before = world.draw(kind, present(first, 'a random source'));
      const names = kind.verbs.has('update') ? [...kind.shape.fields.keys()] : [];
      const changeable = new Set(names.filter(name => isChangeable(kind, name)));
      for (const [lives, random] of more.entries()) {
        if (lives >= LEAST && changeable.isSubsetOf(changed)) break;
        const fields = present(
          before,
          `a drawn ${kind.name}: no values fit one of its fields; a text with a pattern needs two in TEXTS of test/properties/generators/values.ts`,
        );
        const next = present(world.draw(kind, random), 'something else to declare');
        for (const name of await live(kind, world, fields, next)) changed.add(name);
        before = next;
        // What cannot be deleted would be in the way of the next one.
        if (!kind.verbs.has('delete')) world = await start();
      }
      expect(changed).toEqual(changeable);
    },
  );
});

/** Creates an object as `fields` say, changes it until it is as `next` says, and deletes it. Returns the fields it changed. */
async function live(kind: Kind, world: World, fields: Fields, next: Fields): Promise<string[]> {
  const declared = canonicalFields(kind.shape, fields, 'desired');
  const id = done(await world.create(kind, fields));
  const body = await world.read(kind, id);
  const there = comparable(kind, world.canonical(kind, body));
  expect(pick(there, Object.keys(declared))).toEqual(comparable(kind, declared));
  expect(JSON.stringify([body, world.canonical(kind, body)])).not.toContain(HUSH);
  const listed = present(await world.listed(kind, id), 'the object in its list');
  expect(comparable(kind, world.canonical(kind, listed))).toEqual(there);
  if (kind.unique !== undefined || kind.cardinality === 'singleton') {
    expect(await world.create(kind, fields)).toMatchObject({ status: 'failed' });
  }
  for (const change of fixedChanges(kind, fields, next)) {
    expect(await world.update(kind, id, change)).toMatchObject({ status: 'failed' });
    expect(comparable(kind, world.canonical(kind, await world.read(kind, id)))).toEqual(there);
  }
  const changed = await changeTo(kind, world, id, { fields, next });
  if (!kind.verbs.has('delete')) return changed;
  done(await world.remove(kind, id));
  expect(await failureOf(world.read(kind, id))).toMatchObject({ code: 'API_NOT_FOUND' });
  expect(await world.listed(kind, id)).toBeUndefined();
  return changed;
}

async function changeTo(
  kind: Kind,
  world: World,
  id: RemoteId,
  { fields, next }: { fields: Fields; next: Fields },
): Promise<string[]> {
  const changed = new Set<string>();
  if (!kind.verbs.has('update')) return [];
  let written = fields;
  for (const change of updatesTo(kind, fields, next)) {
    const names = Object.keys(change);
    const displaced = fieldsExcludedBy(kind.shape, change);
    const before = comparable(kind, world.canonical(kind, await world.read(kind, id)));
    const wanted = pick(canonicalFields(kind.shape, change, 'desired'), names);
    done(await world.update(kind, id, wanted));
    const after = comparable(kind, world.canonical(kind, await world.read(kind, id)));
    expect(pick(after, names)).toEqual(comparable(kind, wanted));
    const others = Object.keys(before).filter(
      name => !names.includes(name) && !displaced.has(name),
    );
    expect(pick(after, others)).toEqual(pick(before, others));
    for (const name of names) changed.add(name);
    written = { ...written, ...change };
  }
  return [...changed];
}

function done(outcome: Outcome): RemoteId {
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ status: 'done' });
  expect(JSON.stringify(outcome)).not.toContain(HUSH);
  return outcome.status === 'done' ? outcome.remoteId : remoteId('');
}
