// A later layer takes nothing out that an earlier one protects, whichever way it goes.
import { expect, test } from 'vitest';
import { readKinds } from '../../../src/kinds/registry.ts';
import { readerOf } from '../../../src/source/load.ts';
import type { Inputs } from '../../../src/source/values/externalInputs.ts';

const inputs: Inputs = { env: () => 'there', file: () => 'there', vars: new Map() };
const reader = readerOf(readKinds());

const BASE = `sets:
  offices: { a: { team: red, on: true }, b: { team: blue, on: true } }
groups:
  - { name: c }
  - { name: "o \${each.value.team}", for_each: offices, lifecycle: { protect: "\${each.value.on}" } }
policies:
  - name: bg \${each.key}
    for_each: offices
    enabled: false
    lifecycle: { break_glass: true }
    rules: [{ name: d, sources: [c], destinations: [c], protocol: tcp, ports: ["22"] }]
networks:
  - name: n
    resources: [{ name: r, address: 10.0.0.5, groups: [c], lifecycle: { protect: true } }]
`;

/** The errors of layers, each a file named by its place. */
function faultsOf(...texts: readonly string[]): readonly string[] {
  const sources = texts.map((text, order) => ({
    file: `${order}.yaml`,
    text,
    layer: { order, fromLastLayer: `${order}` },
  }));
  return reader
    .read(sources, inputs)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, at, message }) => `${at?.file}:${at?.line}:${at?.column} ${code} ${message}`);
}

const loosens = (at: string, what: string) =>
  expect.stringMatching(new RegExp(`^${at} LAYER_LOOSENS .*${what}`));

test.each([
  [
    'an entry that is removed',
    'sets: { offices: { a: null } }',
    [loosens('1.yaml:1:23', '`o red`'), loosens('1.yaml:1:23', '`bg a`')],
  ],
  [
    'a list in the place of the set',
    'sets: { offices: [b] }\n',
    [
      loosens('1.yaml:1:18', '`o red`'),
      loosens('1.yaml:1:18', '`bg a`'),
      loosens('1.yaml:1:18', '`o blue`'),
    ],
  ],
  [
    'an entry whose name changes',
    'sets: { offices: { b: { team: green } } }',
    [loosens('1.yaml:1:23', '`o blue`')],
  ],
  [
    'an entry that switches the protection off',
    'sets: { offices: { b: { on: false } } }',
    [loosens('1.yaml:1:23', 'protect`, which another layer set for the group `o blue`')],
  ],
  [
    'an override that is repeated',
    'groups: [{ name: "o ${each.key}", for_each: [red], lifecycle: { override: true, protect: false } }]',
    [loosens('1.yaml:1:10', '`o red`')],
  ],
  [
    'an override that a template brings',
    'templates: [{ name: off, lifecycle: { break_glass: false } }]\npolicies: [{ name: bg a, extends: off, lifecycle: { override: true } }]',
    [loosens('1.yaml:2:12', '`bg a`')],
  ],
  [
    'children that are replaced by nothing',
    'networks: [{ name: n, lifecycle: { override: true }, resources: null }]',
    [loosens('1.yaml:1:12', '`r`')],
  ],
])('%s', (_, text, faults) => {
  const found = faultsOf(BASE, text);
  for (const fault of faults) expect(found).toContainEqual(fault);
  expect(found.filter(one => one.includes('LAYER_LOOSENS'))).toHaveLength(faults.length);
});

const ID = `sets:
  ids: { a: { id: one } }
groups:
  - { name: held, lifecycle: { protect: true } }
  - { name: bound, lifecycle: { protect: true, id: first } }
  - { name: "i \${each.key}", for_each: ids, lifecycle: { protect: true, id: "\${each.value.id}" } }
networks:
  - name: n
    resources: [{ name: r, address: 10.0.0.5, groups: [held], lifecycle: { protect: true } }]
`;

test.each([
  ['held', 'groups: [{ name: held, lifecycle: { override: true, id: other } }]', '`held`'],
  ['bound', 'groups: [{ name: bound, lifecycle: { override: true, id: other } }]', '`bound`'],
  [
    'bound, by none',
    'groups: [{ name: bound, lifecycle: { override: true, id: null } }]',
    '`bound`',
  ],
  ['what a set makes', 'sets: { ids: { a: { id: other } } }', '`i a`'],
  ['what nests', 'networks: [{ name: n, lifecycle: { override: true, id: other } }]', '`r`'],
])('a later layer cannot turn a protected object into another object: %s', (_, text, name) => {
  const found = faultsOf(ID, text).filter(one => one.includes('LAYER_LOOSENS'));
  expect(found).toEqual([expect.stringContaining(name)]);
});

test('a later layer may write the same id, and change what is not protected', () => {
  expect(
    faultsOf(ID, 'groups: [{ name: bound, lifecycle: { override: true, id: first } }]'),
  ).toEqual([]);
  const open = 'groups: [{ name: open }]\n';
  expect(
    faultsOf(open, 'groups: [{ name: open, lifecycle: { override: true, id: other } }]'),
  ).toEqual([]);
});

const TYPE = '0.yaml:1:43 SCHEMA_TYPE `protect` must be true or false, not text';
const withLifecycle = (settings: string) => `groups: [{ name: g, lifecycle: ${settings} }]\n`;

test.each([
  ['true', '{ protect: "yes" }', 'override: true, protect: true', TYPE],
  ['false', '{ protect: "yes" }', 'override: true, protect: false', TYPE],
  ['null', '{ protect: "yes" }', 'override: true, protect: null', TYPE],
  ['that omits the object', '{ protect: "yes" }', 'omit: true', TYPE],
  ['over a variable', '{ protect: "${var:ON}" }', 'override: true, protect: false', TYPE],
  [
    'over a misspelt name',
    '{ protcet: true }',
    'override: true, protcet: null',
    '0.yaml:1:34 SCHEMA_UNKNOWN_FIELD unknown field `protcet`',
  ],
  [
    'over a list',
    '[protect]',
    'override: true',
    '0.yaml:1:32 SCHEMA_TYPE `lifecycle` must be a mapping, not a list',
  ],
])(
  'an invalid guard stays an error at its place under a later layer: %s',
  (_, under, over, fault) => {
    const reading: Inputs = { ...inputs, vars: new Map([['ON', 'true']]) };
    const sources = [
      withLifecycle(under),
      `${withLifecycle(`{ ${over} }`)}networks: [{ name: n }]\n`,
    ].map((text, order) => ({
      file: `${order}.yaml`,
      text,
      layer: { order, fromLastLayer: `${order}` },
    }));
    const { diagnostics } = reader.read(sources, reading);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(
      errors.map(
        ({ code, at, message }) => `${at?.file}:${at?.line}:${at?.column} ${code} ${message}`,
      ),
    ).toEqual([fault]);
  },
);

test('an invalid guard of a set stays an error if a later layer changes the set', () => {
  const base = BASE.replaceAll('on: true', 'on: "yes"');
  const found = faultsOf(base, 'sets: { offices: { b: { on: false } } }');
  expect(found).toContainEqual(
    loosens('1.yaml:1:23', 'protect`, which another layer set for the group `o blue`'),
  );
});

test('a later layer may rename what is protected, because a former name counts only while nothing has the name', () => {
  const over = 'lifecycle: { override: true, was: other, ignore: [peers] }';
  expect(faultsOf(ID, `groups: [{ name: held, ${over} }]`)).toEqual([]);
});

test('the layer that removes the protection is named among several layers', () => {
  const more = 'sets: { offices: { c: { team: green, on: true } } }';
  const gone = 'sets: { offices: { c: null, b: { team: blue } } }';
  const found = faultsOf(BASE, more, gone);
  expect(found).toEqual([loosens('2.yaml:1:23', '`bg c`'), loosens('2.yaml:1:23', '`o green`')]);
});

test('other changes of a set stay possible', () => {
  const base = BASE.replace('"${each.value.on}"', 'false').replace(
    'break_glass: true',
    'keep_access: yes',
  );
  expect(faultsOf(base, 'sets: { offices: { a: null } }')).toEqual([]);
  expect(faultsOf(BASE, 'sets: { offices: { c: { team: green, on: true } } }')).toEqual([]);
});
