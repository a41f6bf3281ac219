// A state file is input from outside: each fault has a code, a place and a hint, and no value of the file is repeated.
import { describe, expect, test } from 'vitest';
import { secretAttributes } from '../../../src/export/opentofu/secretAttributes.ts';
import { readStateFile, type StateFile } from '../../../src/export/opentofu/stateFile.ts';
import { placesIn } from '../../../src/model/text/jsonPlaces.ts';
import { pointer } from '../../../src/model/text/pointer.ts';
import { type Json, type Path, valueAt } from '../../../src/model/value.ts';
import { fc } from '../../support/seeded.ts';

const SECRET = 'nbp_neverPrintThis';

const faultsOf = (text: string) => {
  const read = readStateFile(text, 'a.tfstate');
  return 'faults' in read ? read.faults : [];
};

const blocksOf = (text: string): StateFile['blocks'] => {
  const read = readStateFile(text, 'a.tfstate');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.blocks;
};

const resource = (more: object = {}) => ({
  mode: 'managed',
  type: 'netbird_group',
  name: 'g',
  provider: 'provider["registry.opentofu.org/netbirdio/netbird"]',
  instances: [{ attributes: { id: '1', key: SECRET } }],
  ...more,
});

const state = (...resources: unknown[]) => JSON.stringify({ version: 4, resources });

const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

describe('a text that is not a state file has one fault', () => {
  test.each<[string, string, string, string]>([
    ['empty', '', '1:1', 'is not JSON'],
    ['cut off', `{"version":4,\n"resources":["${SECRET}`, '2:', 'is not JSON'],
    ['not JSON', `{"version":4,\n "${SECRET}": ,}`, '2:', 'is not JSON'],
    ['a list', `["${SECRET}"]`, '1:1', 'this is not a state file'],
    ['something else', `{"a":"${SECRET}"}`, '1:1', 'this is not a state file'],
    [
      'encrypted',
      `{\n"meta":{},\n"encrypted_data":"${SECRET}"}`,
      '3:18',
      'is encrypted, and only OpenTofu can decrypt it',
    ],
    ['of version 3', '{"version":3,"modules":[]}', '1:12', 'has version 3, and only version 4'],
    ['of version 5', '{"version":5,"resources":[]}', '1:12', 'has version 5, and only version 4'],
    [
      'of a version in words',
      `{"version":"${SECRET}"}`,
      '1:12',
      'has no version, and only version 4',
    ],
    [
      'the pointer to a backend',
      `{"version":3,"backend":{"type":"s3","config":{"k":"${SECRET}"}}}`,
      '1:24',
      'only says where the state is',
    ],
    [
      'the output of show -json',
      `{"format_version":"1.0","values":{"a":"${SECRET}"}}`,
      '1:19',
      'the output of `show -json`',
    ],
    ['without resources', '{"version":4}', '1:1', '`resources` must be a list'],
    [
      'with resources in an object',
      '{"version":4,"resources":{}}',
      '1:26',
      '`resources` must be a list',
    ],
    [
      'with outputs in a list',
      '{"version":4,"resources":[],"outputs":[]}',
      '1:39',
      '`outputs` must be an object',
    ],
    ['nested too deeply', `{"version":4,"resources":[${deep}]}`, '1:1', 'nested too deeply'],
  ])('%s', (_, text, place, words) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    const [{ code, message, hint, at } = expect.fail()] = faults;
    expect({ code, message, hint }).toEqual({
      code: 'STATE_FILE_INVALID',
      message: expect.stringContaining(words),
      hint: expect.stringContaining('tofu '),
    });
    expect(`${at?.file}:${at?.line}:${at?.column}`).toMatch(new RegExp(`^a\\.tfstate:${place}`));
    expect(JSON.stringify(faults)).not.toContain(SECRET);
  });
});

describe('a resource that cannot be read has its place', () => {
  const HOSTILE = 'x" }\nresource "aws_instance" "y" {';
  test.each<[string, unknown, string]>([
    ['no object', SECRET, 'a resource must be an object'],
    ['an unknown mode', resource({ mode: SECRET }), '`mode` must be'],
    ['a type that is no name', resource({ type: HOSTILE }), '`type` must be'],
    ['a name that ends its block', resource({ name: HOSTILE }), '`name` must be a name'],
    ['a name with an escape', resource({ name: 'a\u001b[2J' }), '`name` must be a name'],
    ['a name of another direction', resource({ name: 'a\u202eb' }), '`name` must be a name'],
    ['no name', resource({ name: undefined }), '`name` must be a name'],
    ['a module that is none', resource({ module: `module.a\n${HOSTILE}` }), '`module` must be'],
    ['a module without a name', resource({ module: 'module.' }), '`module` must be'],
    ['a module that is a number', resource({ module: 7 }), '`module` must be'],
    [
      'instances that are none',
      resource({ instances: { 0: SECRET } }),
      '`instances` must be a list',
    ],
    [
      'an instance that is none',
      resource({ instances: [SECRET] }),
      'an instance must be an object',
    ],
    [
      'an instance of an old program',
      resource({ instances: [{ attributes_flat: { id: SECRET } }] }),
      'an instance has no `attributes`',
    ],
    [
      'an id that is a number',
      resource({ instances: [{ attributes: { id: 7 } }] }),
      '`id` must be a text',
    ],
  ])('%s', (_, one, words) => {
    const text = JSON.stringify({ version: 4, resources: [resource(), one] }, null, 1);
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    const [{ code, message, at } = expect.fail()] = faults;
    expect({ code, message }).toEqual({
      code: 'STATE_FILE_INVALID',
      message: expect.stringContaining(words),
    });
    const before = text
      .split('\n')
      .slice(0, (at?.line ?? 1) - 1)
      .join('\n');
    expect(before).toContain('"name": "g"');
    expect(JSON.stringify(faults)).not.toMatch(/neverPrint|aws_instance|\u202e/);
  });

  test('only the first of many faults are reported', () => {
    expect(faultsOf(state(...Array.from({ length: 1000 }, () => 7)))).toHaveLength(20);
  });
});

describe('names of built-in object members are ordinary names', () => {
  test('`__proto__` in every place', () => {
    const text = `{"version":4,"__proto__":{"encrypted_data":"x"},"outputs":{"__proto__":{"value":"${SECRET}","sensitive":true},"constructor":{"value":1}},
      "resources":[{"mode":"managed","type":"netbird_group","name":"__proto__","__proto__":{"mode":"data"},
      "provider":"provider[\\"x/netbirdio/netbird\\"]","instances":[{"attributes":{"__proto__":{"id":"1"},"constructor":"${SECRET}"},
      "sensitive_attributes":[[{"type":"get_attr","value":"constructor"}],[{"type":"get_attr","value":"__proto__"}]]}]}]}`;
    const read = readStateFile(text, 'a.tfstate');
    if ('faults' in read) throw new Error(JSON.stringify(read.faults));
    expect(read.outputs).toEqual(['__proto__', 'constructor']);
    expect(read.secrets).toContain(SECRET);
    expect(read.blocks).toEqual([
      expect.objectContaining({ address: 'netbird_group.__proto__', isData: false }),
    ]);
    expect(read.blocks[0]?.instances[0]?.id).toBe('');
    expect(Object.keys({})).toEqual([]);
  });

  test('an attribute that an object inherits is not an attribute', () => {
    const [block] = blocksOf(
      state(
        resource({
          instances: [
            {
              attributes: {},
              sensitive_attributes: [[{ value: 'toString' }], [{ value: 'valueOf' }]],
            },
          ],
        }),
      ),
    );
    expect(block?.secrets).toEqual([]);
    expect(secretAttributes(block?.instances[0] ?? expect.fail(), [])).toEqual([]);
  });
});

test('marks of a state that lead nowhere, or that cannot be read, hide the whole attribute', () => {
  const marks = [
    [
      { type: 'get_attr', value: 'auth' },
      { type: 'get_attr', value: 'gone' },
    ],
    [{ type: 'get_attr', value: 'pin' }, { type: 'later' }],
    [
      { type: 'get_attr', value: 'list' },
      { type: 'index', value: { value: 1, type: 'number' } },
    ],
  ];
  const attributes = { auth: [{ password: SECRET }], pin: { pin: '4711' }, list: ['a', 'b'] };
  const read = readStateFile(
    state(resource({ instances: [{ attributes, sensitive_attributes: marks }] })),
    'a.tfstate',
  );
  expect('faults' in read ? read.faults : read.secrets).toEqual([SECRET, '4711', 'b']);
});

test('deposed objects are apart, and instances keep their module without keys', () => {
  const [block] = blocksOf(
    state(
      resource({
        module: 'module.a["b.c[\\"x\\"]"].module.d[2]',
        instances: [
          { index_key: 0, attributes: { id: 'a' } },
          { index_key: 0, deposed: '0a1b', attributes: { id: 'b' } },
        ],
      }),
    ),
  );
  expect(block?.address).toBe('module.a.module.d.netbird_group.g');
  expect(block?.instances.map(({ id }) => id)).toEqual(['a']);
  expect(block?.deposed).toEqual(['b']);
});

test('every value of any JSON text has the place where it begins', () => {
  const pathsIn = (value: Json, path: Path = []): Path[] => [
    path,
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, item]) => pathsIn(item as Json, [...path, name]))
      : []),
  ];
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), (json, indent) => {
      const value = JSON.parse(JSON.stringify(json)) as Json;
      const text = JSON.stringify(value, null, indent);
      const paths = pathsIn(value);
      const places = placesIn(text, paths);
      const lines = text.split('\n');
      for (const path of paths) {
        const place = places.get(pointer(path));
        const rest = [
          (lines[(place?.line ?? 1) - 1] ?? '').slice((place?.column ?? 1) - 1),
          ...lines.slice(place?.line ?? 1),
        ].join('\n');
        const own = JSON.stringify(valueAt(value, path)).slice(0, 1);
        expect(rest.startsWith(own)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
