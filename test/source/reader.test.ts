// What files declare: objects with their keys and places, the same however they are spread and ordered.
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import type { Desired } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { sourceReader } from '../../src/source/load.ts';
import { companyTexts } from '../support/examples/company.ts';
import { desiredOf, load, loadFiles } from '../support/files.ts';
import { fc } from '../support/seeded.ts';

const NOTHING = { env: () => undefined, file: () => undefined, vars: new Map<string, string>() };
const addresses = (desired: readonly Desired[]) => desired.map(({ kind, key }) => `${kind} ${key}`);

describe('an object', () => {
  const [network, resource, router] = desiredOf(`
networks:
  - name: a/b
    resources:
      - { name: db, address: 10.0.0.5, groups: ["id:1"], lifecycle: { protect: true } }
    routers:
      - { peer: gateway, masquerade: true }
`);

  test('contains the key of its parent in its own', () => {
    expect([network, resource, router].map(object => object?.key)).toEqual([
      'a/b',
      'a\\/b/db',
      'a\\/b/peer=gateway',
    ]);
    expect([network?.parent, resource?.parent]).toEqual([undefined, 'a/b']);
  });

  test('has only the written fields, without its children and its lifecycle', () => {
    expect(network?.fields).toEqual({ name: 'a/b' });
    expect(resource?.fields).toEqual({ name: 'db', address: '10.0.0.5', groups: ['id:1'] });
    expect(resource?.lifecycle).toEqual({ protect: true });
  });

  test('has the places of its values', () => {
    expect(resource?.at).toEqual({ file: 'network.yaml', line: 5, column: 9 });
    expect(resource?.spans['/groups/0']).toEqual({ file: 'network.yaml', line: 5, column: 49 });
  });
});

describe('a reference', () => {
  const policy = (rule: string) => `
networks: [{ name: production, resources: [{ name: a/b, address: 10.0.0.5, groups: [] }] }]
groups: [{ name: engineers }]
policies: [{ name: p, rules: [{ name: r, protocol: netbird-ssh, sources: [engineers], ${rule} }] }]
`;
  const rulesOf = (text: string) =>
    desiredOf(text).find(({ kind }) => kind === 'policy')?.fields.rules;

  test('a reference as a list of names is a key', () => {
    const rule = 'destinationResource: { network_resource: [production, a/b] }';
    expect(rulesOf(policy(rule))).toMatchObject([
      { destinationResource: { network_resource: 'production/a\\/b' } },
    ]);
  });

  test('a reference that is the key of a mapping has the place of the key', () => {
    const rule = 'destinations: [engineers], authorized_groups: { enginers: [root] }';
    const [finding] = load(policy(rule)).diagnostics;
    expect(finding).toMatchObject({ code: 'REF_NOT_DECLARED', at: { line: 4, column: 135 } });
  });
});

describe('an undeclared name', () => {
  const text =
    'groups: [{ name: a }]\nnetworks: [{ name: n, resources: [{ name: r, address: 10.0.0.5, groups: [b] }] }]\n';

  test.each([
    [false, 'warning'],
    [true, 'error'],
  ])('is, strictly (%s), a %s', (strict, severity) => {
    expect(loadFiles({ 'a.yaml': text }, strict).diagnostics).toMatchObject([
      { code: 'REF_NOT_DECLARED', severity },
    ]);
  });

  test('is not evaluated while a part of the files is unknown', () => {
    const broken = [
      'groups: [',
      'group: [{ name: b }]',
      'groups: { name: b }',
      'groups: [{ nam: b }]',
      '',
    ];
    for (const other of broken) {
      const { diagnostics } = loadFiles({ 'a.yaml': text, 'b.yaml': other });
      expect(
        diagnostics.map(({ code }) => code),
        other,
      ).not.toContain('REF_NOT_DECLARED');
    }
  });

  test('may be declared in another file', () => {
    expect(
      loadFiles({ 'a.yaml': text, 'b.yaml': 'groups: [{ name: b }]' }, true).diagnostics,
    ).toEqual([]);
  });

  test('is reported without suggestions if there are too many', () => {
    const groups = Array.from({ length: 120 }, (_, i) => `a${i}`);
    const many = `groups: [{ name: a }]\nnetworks: [{ name: n, resources: [{ name: r, address: 10.0.0.5, groups: [${groups}] }] }]`;
    const { diagnostics } = load(many);
    expect(diagnostics).toHaveLength(120);
    expect(diagnostics.filter(({ hint }) => hint?.includes('did you mean'))).toEqual([]);
  });
});

describe('an empty input', () => {
  test.each([
    ['an empty list', { 'a.yaml': 'groups: []' }],
    ['several empty lists', { 'a.yaml': 'groups: []', 'b.yaml': 'policies: []' }],
  ])('an empty input in the form of %s is an error', (_, files) => {
    expect(loadFiles(files).diagnostics).toMatchObject([
      { code: 'SOURCE_EMPTY', severity: 'error' },
    ]);
  });

  test('is reported by another check if no file was read', () => {
    expect(loadFiles({})).toEqual({
      desired: [],
      accessTests: [],
      emptyLists: [],
      diagnostics: [],
    });
  });

  test('an empty input in one file is accepted if another file declares something', () => {
    expect(
      loadFiles({ 'a.yaml': 'groups: []', 'b.yaml': 'groups: [{ name: a }]' }).diagnostics,
    ).toEqual([]);
  });
});

describe('the company', () => {
  const texts = Object.entries(companyTexts());

  test('declares the same whatever the order of its files', () => {
    const whole = loadFiles(Object.fromEntries(texts));
    expect(whole.diagnostics.filter(({ severity }) => severity !== 'note')).toEqual([]);
    fc.assert(
      fc.property(fc.shuffledSubarray(texts, { minLength: texts.length }), shuffled => {
        const found = loadFiles(Object.fromEntries(shuffled));
        expect(addresses(found.desired).sort()).toEqual(addresses(whole.desired).sort());
        expect(found.diagnostics).toEqual(whole.diagnostics);
      }),
      { numRuns: 5 },
    );
  });
});

describe('kinds that are not shipped yet', () => {
  const kind = (name: string, at: string, more: JsonObject = {}): JsonObject => ({
    title: name,
    description: `A ${name}.`,
    'x-kind': {
      name,
      plural: `${name}s`,
      at,
      path: `/api/${name}`,
      identity: ['name'],
      verbs: ['create'],
      ...more,
    },
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'Its name.', 'x-trait': { mutability: 'immutable' } },
    },
  });
  const reader = sourceReader(
    kindTable([kind('first', 'edr.first'), kind('second', 'edr.second[]')]),
    shippedSchema('lifecycle.schema.json'),
  );
  const read = (text: string) => reader.read([{ file: 'a.yaml', text }], NOTHING);

  test('may share a key, and be one object instead of a list', () => {
    const { desired, diagnostics } = read('edr:\n  first: { name: a }\n  second: [{ name: b }]\n');
    expect(diagnostics).toEqual([]);
    expect(addresses(desired)).toEqual(['first a', 'second b']);
  });

  test.each([
    ['edr:\n  frist: { name: a }\n', 'SCHEMA_UNKNOWN_FIELD', 2, 'did you mean `first`?'],
    ['edr: [{ name: a }]\n', 'SCHEMA_TYPE', 1, 'its keys are: first, second'],
    ['edr:\n  first: [{ name: a }]\n', 'SCHEMA_TYPE', 2, 'write `name: …`'],
    [
      'edr:\n  first: { protect: true }\n',
      'SCHEMA_UNKNOWN_FIELD',
      2,
      'allowed here: lifecycle, name',
    ],
    [
      'edr:\n  second: [{ name: a, lifecycle: { was: b } }]\n',
      'LIFECYCLE_IGNORED',
      2,
      /is a different object$/,
    ],
    ['edr:\n  first: { lifecycle: { protect: true } }\n', 'OBJECT_NAMELESS', 2, 'it needs: name'],
  ])('are checked at their places: %j', (text, code, line, hint) => {
    const [finding, ...more] = read(text).diagnostics;
    expect(finding).toMatchObject({ code, severity: 'error', at: { line } });
    expect(finding?.hint).toMatch(hint);
    expect(more).toEqual([]);
  });
});
