// Schemas become the kind table: in the order of their pointers, or with an error that names what contradicts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sectionsUnder } from '../../src/kinds/identity/sections.ts';
import { findField, findKind } from '../../src/kinds/lookup.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';
import { fc } from '../support/seeded.ts';

/** A made-up kind whose field `points` points at others. */
function schemaOf(name: string, points: string[] = [], trait: JsonObject = {}): JsonObject {
  const pointers = points.map(
    to => [`to_${to}`, { type: 'string', 'x-trait': { ref: to } }] as const,
  );
  return {
    title: name,
    description: 'Made up.',
    'x-kind': {
      name,
      plural: `${name}s`,
      at: `${name}s[]`,
      path: `/api/${name}s`,
      identity: ['name'],
      verbs: ['create', 'update', 'delete'],
      ...trait,
    },
    type: 'object',
    properties: { name: { type: 'string' }, ...Object.fromEntries(pointers) },
  };
}

const order = (schemas: readonly JsonObject[]): string[] => [...kindTable(schemas).keys()];

describe('the order of kinds', () => {
  test('follows their references: a referenced kind comes first', () => {
    expect(order([schemaOf('a', ['b']), schemaOf('b', ['c']), schemaOf('c')])).toEqual([
      'c',
      'b',
      'a',
    ]);
  });

  test('puts parents before their children', () => {
    const child = schemaOf('a', [], { parent: 'b', at: 'bs[].as[]' });
    expect(order([child, schemaOf('b')])).toEqual(['b', 'a']);
  });

  test('is complete even if kinds refer to each other', () => {
    expect(order([schemaOf('b', ['a']), schemaOf('a', ['b']), schemaOf('c', ['a'])])).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('does not depend on the order of the files', () => {
    const schemas = [
      schemaOf('a', ['c']),
      schemaOf('b', ['a']),
      schemaOf('c'),
      schemaOf('d', ['b', 'c']),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(schemas, { minLength: 4 }), shuffled => {
        expect(order(shuffled)).toEqual(order(schemas));
      }),
    );
  });

  test('has every shipped kind after all kinds that it refers to', () => {
    const names = [...KINDS.keys()].map(String);
    expect(names.indexOf('group')).toBeLessThan(names.indexOf('policy'));
    expect(names.indexOf('network')).toBeLessThan(names.indexOf('network_resource'));
    expect(names.indexOf('network_resource')).toBeLessThan(names.indexOf('policy'));
  });
});

describe('a kind with a reference to no kind', () => {
  test.each([
    ['by a field', schemaOf('a', ['lost'])],
    ['by its parent', schemaOf('a', [], { parent: 'lost' })],
    ['by what goes with it', schemaOf('a', [], { effects: [{ type: 'delete', kind: 'lost' }] })],
  ])('%s is an error that names both kinds', (_, schema) => {
    expect(() => kindTable([schema])).toThrow(/kind a .*lost/);
  });
});

describe('a kind whose objects some servers keep in parts', () => {
  const parts = { dialects: { netbird: { parts: { list: 'items', separator: ' / ' } } } };
  const items = (by: string | string[]): JsonObject => ({
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' }, to: { type: 'string' } } },
    'x-trait': { set: { by } },
  });
  const withItems = (list: JsonObject, trait: JsonObject = {}): JsonObject => {
    const schema = schemaOf('a', [], { ...parts, ...trait });
    return { ...schema, properties: { name: { type: 'string' }, items: list } };
  };

  test('has a list whose items are distinguished by one field', () => {
    expect(() => kindTable([withItems(items('name'))])).not.toThrow();
    expect(() => kindTable([withItems(items(['name', 'to']))])).toThrow(/parts of kind a: .*items/);
    expect(() => kindTable([schemaOf('a', [], parts)])).toThrow(/parts of kind a: .*items/);
  });

  test('is named by one field', () => {
    const trait = { identity: ['name', 'to'] };
    expect(() => kindTable([withItems(items('name'), trait)])).toThrow(
      /parts of kind a: .*identified/,
    );
  });

  test('is referenced by nothing', () => {
    const schemas = [withItems(items('name')), schemaOf('b', ['a'])];
    expect(() => kindTable(schemas)).toThrow(/parts of kind a: b points at it/);
  });
});

describe('a schema file with a fault', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'meshform-kinds-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const good = schemaOf('a');
  const misspelt = { type: 'string', 'x-trait': { immutabel: true } };
  test.each<[string, JsonObject, RegExp]>([
    [
      'a misspelt trait',
      { ...good, properties: { name: misspelt } },
      /\/properties\/name\/x-trait has no word `immutabel`/,
    ],
    [
      'a trait of the wrong type',
      { ...good, properties: { name: { 'x-trait': { set: 'yes' } } } },
      /x-trait/,
    ],
    [
      'an unknown normaliser',
      { ...good, properties: { name: { 'x-trait': { normalise: 'trim' } } } },
      /x-trait/,
    ],
    [
      'a misspelt trait of the kind',
      schemaOf('a', [], { identiti: ['name'] }),
      /: \/x-kind has no word `identiti`; did you mean `identity`/,
    ],
    ['no identity', schemaOf('a', [], { identity: [] }), /: \/x-kind\/identity/],
    ['a trait in a definition', { ...good, $defs: { rule: misspelt } }, /\/\$defs\/rule\/x-trait/],
  ])('%s is an error that names file and place', (_, schema, section) => {
    writeFileSync(join(folder, 'a.schema.json'), JSON.stringify(schema));
    const read = () => readKinds(pathToFileURL(`${folder}/`));
    expect(read).toThrow(section);
    expect(read).toThrow(/a\.schema\.json/);
  });
});

test('two kinds of the same name are an error', () => {
  expect(() => kindTable([schemaOf('a'), schemaOf('a')])).toThrow('same name');
});

test('kinds nested three levels deep are an error', () => {
  const nested = [
    schemaOf('a'),
    schemaOf('b', [], { parent: 'a' }),
    schemaOf('c', [], { parent: 'b' }),
  ];
  expect(() => kindTable(nested)).toThrow(/kind c/);
});

describe('sections', () => {
  test('are listed for the top level and for each parent', () => {
    expect([...sectionsUnder(KINDS).keys()]).toContain('networks');
    expect([...sectionsUnder(KINDS, kindName('network')).keys()].sort()).toEqual([
      'resources',
      'routers',
    ]);
    expect(sectionsUnder(KINDS).get('networks')).toMatchObject({
      list: true,
      kind: { name: 'network' },
    });
  });

  test('do not include kinds that nobody can declare', () => {
    const table = kindTable([schemaOf('a', [], { verbs: [] })]);
    expect([...sectionsUnder(table).keys()]).toEqual([]);
  });

  test('may share their first steps, and hold one object instead of a list', () => {
    const table = kindTable([
      schemaOf('a', [], { at: 'both.first' }),
      schemaOf('b', [], { at: 'both.second[]' }),
    ]);
    const both = present(sectionsUnder(table).get('both'), 'the shared step');
    expect(both).toMatchObject({ list: false });
    expect(both).not.toHaveProperty('kind');
    expect(both.inside.get('first')).toMatchObject({ list: false, kind: { name: 'a' } });
    expect(both.inside.get('second')).toMatchObject({ list: true, kind: { name: 'b' } });
  });
});

describe('lookups find', () => {
  test.each(['network_resource', 'networks.resources'])('a kind by %s', name => {
    expect(findKind(KINDS, name)?.name).toBe('network_resource');
  });

  test('a field by its path, or the unknown step', () => {
    const { shape } = present(findKind(KINDS, 'policy'), 'policies');
    expect(findField(shape, ['rules', 'ports'])).toMatchObject({ field: { name: 'ports' } });
    expect(findField(shape, ['rules', 'port'])).toMatchObject({ unknown: 'port' });
    expect(findField(shape, ['name', 'first'])).toEqual({ unknown: 'first', known: [] });
    expect(findField(shape, [])).toBeNull();
  });
});
