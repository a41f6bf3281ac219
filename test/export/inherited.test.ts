// Exports into files that take values from layers and templates: only what differs is written, so that later changes there still arrive.
import { expect, test } from 'vitest';
import { compare } from '../../src/export/adoption/compare.ts';
import { mergedFiles } from '../../src/export/merge.ts';
import { readKinds, shippedSchema } from '../../src/kinds/registry.ts';
import type { Desired } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { type Loaded, sourceReader } from '../../src/source/load.ts';
import { group, live, network, policy, type Read, resource } from '../engine/planning.ts';
import { modelOf, NOW } from './exported.ts';

const KINDS = readKinds();
const reader = sourceReader(KINDS, shippedSchema('lifecycle.schema.json'));
const VARS = new Map([['PORT', '22']]);

/** What a common layer and the one above it declare. */
function layered(base: string, own: string): Loaded {
  const layer = (order: number, way: string) => ({ layer: { order, fromLastLayer: way } });
  return reader.read(
    [
      { file: 'base.yaml', text: base, ...layer(0, '../base') },
      { file: 'own.yaml', text: own, ...layer(1, '') },
    ],
    { env: () => undefined, file: () => undefined, vars: VARS },
  );
}

const faultsOf = ({ diagnostics }: Loaded) =>
  diagnostics.filter(({ severity }) => severity === 'error');

const comparedWith = (reads: readonly Read[], desired: readonly Desired[]) =>
  compare({
    kinds: KINDS,
    desired,
    snapshot: { objects: live(reads), unavailable: new Map(), requests: 0 },
    folder: '',
    dialect: 'spec',
    now: NOW,
  });

interface Outcome {
  readonly text: string;
  readonly stuck: readonly string[];
  /** The objects that still differ from the account. */
  readonly open: readonly string[];
}

/** The text of the upper layer after an export of an account that reads like this. */
function exported(base: string, own: string, reads: readonly Read[]): Outcome {
  const before = layered(base, own);
  expect(faultsOf(before)).toEqual([]);
  const { files, unchanged } = mergedFiles({
    kinds: KINDS,
    model: modelOf(reads),
    files: [{ file: 'own.yaml', text: own }],
    comparison: comparedWith(reads, before.desired),
    newFileFor: () => 'own.yaml',
  });
  const text = files[0]?.text ?? own;
  const after = layered(base, text);
  expect(faultsOf(after)).toEqual([]);
  const { changes } = comparedWith(reads, after.desired).plan;
  return {
    text,
    stuck: unchanged.map(({ address, because }) => `${address}: ${because}`),
    open: changes.map(({ address, type }) => `${type} ${address}`),
  };
}

const GROUPS = [group('g1', 'staff'), group('g2', 'servers'), group('g3', 'guests')];
const BASE_GROUPS = 'groups: [{ name: staff }, { name: servers }, { name: guests }]\n';

const BASE = `${BASE_GROUPS}policies:
  - name: ssh
    rules:
      - { name: in, protocol: tcp, ports: ["22"], sources: [staff], destinations: [servers], bidirectional: true }
`;

/** The rule of the policy in the account, with what somebody changed. */
function ssh(change: JsonObject = {}, more: readonly JsonObject[] = []): Read {
  const [kind, body] = policy('p1', 'ssh', ['g1'], ['g2']);
  const [rule] = body.rules as JsonObject[];
  const held = { name: 'in', protocol: 'tcp', ports: ['22', '2222'], bidirectional: true };
  return [kind, { ...body, rules: [{ ...rule, ...held, ...change }, ...more] }];
}

const own = (rules: string) =>
  `policies:\n  - name: ssh # ours\n    lifecycle: { override: true }\n${rules}`;

const RULE = own('    rules: [{ name: in, ports: ["22", "2222"] }]\n');

test('an export changes only one field of a rule if an upper layer sets that field', () => {
  const outcome = exported(BASE, RULE, [...GROUPS, ssh({ ports: ['2222'] })]);
  expect(outcome).toEqual({
    text: own('    rules: [{ name: in, ports: ["2222"] }]\n'),
    stuck: [],
    open: [],
  });
  const later = layered(BASE.replace('sources: [staff]', 'sources: [guests]'), outcome.text);
  const rules = later.desired.find(({ kind }) => kind === 'policy')?.fields.rules;
  expect(rules).toEqual([expect.objectContaining({ sources: ['guests'], ports: ['2222'] })]);
});

test('a field that only the lower layer sets is added to the rule, and no other', () => {
  const change = { sources: [{ id: 'g3', name: 'guests' }] };
  expect(exported(BASE, RULE, [...GROUPS, ssh(change)])).toEqual({
    text: own('    rules: [{ name: in, ports: ["22", "2222"], sources: [guests] }]\n'),
    stuck: [],
    open: [],
  });
});

test('a value that is the default again removes the value of the lower layer', () => {
  expect(exported(BASE, RULE, [...GROUPS, ssh({ bidirectional: false })])).toEqual({
    text: own('    rules: [{ name: in, bidirectional: null, ports: ["22", "2222"] }]\n'),
    stuck: [],
    open: [],
  });
});

test('a rule of the lower layer is overridden by its name and its differences', () => {
  const text = own('    description: ours\n');
  const [kind, body] = ssh();
  const outcome = exported(BASE, text, [...GROUPS, [kind, { ...body, description: 'ours' }]]);
  expect(outcome).toEqual({
    text: text.replace(
      '    lifecycle',
      '    rules:\n      - { name: in, ports: ["22", "2222"] }\n    lifecycle',
    ),
    stuck: [],
    open: [],
  });
});

test.each([
  ['looks like a reference', '$${each.key} ${x', '${each.key} ${x'],
  ['has a variable', 'port ${var:PORT}', 'port 22'],
])('the name of a rule that %s is written as in the lower layer', (_, written, name) => {
  const base = BASE.replace('name: in', () => `name: ${JSON.stringify(written)}`);
  const text = own('    description: ours\n');
  const [kind, body] = ssh({ name });
  const outcome = exported(base, text, [...GROUPS, [kind, { ...body, description: 'ours' }]]);
  expect(outcome.open).toEqual([]);
  expect(outcome.text).toContain(written);
});

test('a rule of the lower layer that somebody deleted is removed by its name', () => {
  const base = `${BASE}      - { name: dns, protocol: udp, ports: ["53"], sources: [staff], destinations: [servers], bidirectional: true }\n`;
  const dns = { id: 'p1-2', name: 'dns', protocol: 'udp', ports: ['53'], bidirectional: true };
  const sides = {
    action: 'accept',
    enabled: true,
    sources: [{ id: 'g1', name: 'staff' }],
    destinations: [{ id: 'g2', name: 'servers' }],
  };
  const both = [...GROUPS, ssh({}, [{ ...dns, ...sides }])];
  expect(exported(base, RULE, both).text).toBe(RULE);
  expect(exported(base, RULE, [...GROUPS, ssh()])).toEqual({
    text: own('    rules: [{ name: in, ports: ["22", "2222"] }, { name: dns, omit: true }]\n'),
    stuck: [],
    open: [],
  });
});

test('a value with a variable stays as written, if it does not differ', () => {
  const rule = (rest: string) =>
    `${BASE_GROUPS}policies:\n  - name: ssh\n    rules:\n      - { name: in, protocol: tcp, ports: ["\${var:PORT}"], ${rest}, destinations: [servers], bidirectional: true }\n`;
  const change = { ports: ['22'], sources: [{ id: 'g3', name: 'guests' }] };
  const outcome = exported('groups: []\n', rule('sources: [staff]'), [...GROUPS, ssh(change)]);
  expect(outcome).toEqual({ text: rule('sources: [guests]'), stuck: [], open: [] });
});

const TEMPLATE = `templates:
  - name: shell
    description: of all
    rules: [{ name: in, protocol: tcp, ports: ["22"], sources: [staff], destinations: [servers], bidirectional: true }]
`;

test('a rule of a template is not copied to change one of its fields: the change is reported instead', () => {
  const text = `${BASE_GROUPS}policies:\n  - name: ssh\n    extends: shell\n`;
  const [kind, body] = ssh();
  const outcome = exported(TEMPLATE, text, [...GROUPS, [kind, { ...body, description: 'mine' }]]);
  expect(outcome).toEqual({
    text: text.replace('    extends', '    description: mine\n    extends'),
    stuck: ['policy.ssh: `rules` comes from a template'],
    open: ['update policy.ssh'],
  });
});

const CHECKED = (checks: string, more = '') =>
  `name: c, description: ours, checks: { ${checks} }${more}`;
const VERSION = 'nb_version_check: { min_version: 0.60.0 }';
const SYSTEMS = 'os_version_check: { ios: { min_version: "16" }, android: { min_version: "12" } }';

test.each([
  [
    'a whole check',
    { nb_version_check: { min_version: '0.60.0' } },
    'checks: { os_version_check: null }',
  ],
  [
    'a part of a check, and another one changed',
    {
      nb_version_check: { min_version: '0.70.0' },
      os_version_check: { ios: { min_version: '16' } },
    },
    'checks: { nb_version_check: { min_version: 0.70.0 }, os_version_check: { android: null } }',
  ],
])(
  'an entry that somebody removed from an inherited mapping is removed by null: %s',
  (_, checks, wanted) => {
    const both = `${VERSION}, ${SYSTEMS}`;
    const template = `templates: [{ name: t, checks: { ${both} } }]\n`;
    const base = `posture_checks: [{ ${CHECKED(both)} }]\n`;
    const reads: Read[] = [['posture_check', { id: 'c1', name: 'c', description: 'ours', checks }]];
    for (const [lower, text] of [
      [template, 'posture_checks:\n  - name: c\n    description: ours\n    extends: t\n'],
      [
        base,
        'posture_checks:\n  - name: c\n    lifecycle: { override: true }\n    description: ours\n',
      ],
    ] as const) {
      const outcome = exported(lower, text, reads);
      expect(outcome).toMatchObject({ stuck: [], open: [] });
      expect(outcome.text).toContain(`    ${wanted}\n`);
    }
  },
);

test('rules that a `for_each` generates are not written out, and their neighbours are changed', () => {
  const rules = (port: string) => `${BASE_GROUPS}policies:
  - name: ssh
    rules:
      - { name: "in", protocol: tcp, ports: ["${port}"], sources: [staff], destinations: [servers], bidirectional: true }
      - for_each: [a, b]
        name: dns \${each.key}
        protocol: udp
        ports: ["53"]
        sources: [staff]
        destinations: [servers]
        bidirectional: true
`;
  const made = (name: string, ports: string[]): JsonObject => ({
    id: `p1-${name}`,
    name: `dns ${name}`,
    action: 'accept',
    enabled: true,
    protocol: 'udp',
    bidirectional: true,
    ports,
    sources: [{ id: 'g1', name: 'staff' }],
    destinations: [{ id: 'g2', name: 'servers' }],
  });
  const held = ssh({ ports: ['2222'] }, [made('a', ['53']), made('b', ['5353'])]);
  expect(exported('groups: []\n', rules('22'), [...GROUPS, held])).toEqual({
    text: rules('2222'),
    stuck: ['policy.ssh: it is made by `for_each`'],
    open: ['update policy.ssh'],
  });
});

test('a resource of a network is overridden by its differences', () => {
  const base =
    'groups: [{ name: staff }]\nnetworks:\n  - name: n\n    resources: [{ name: db, address: 10.0.0.1/32, groups: [staff] }]\n';
  const text = (rest: string) =>
    `networks:\n  - name: n\n    lifecycle: { override: true }\n    resources: [{ name: db${rest} }]\n`;
  const [kind, body] = resource('r1', 'n1', 'db', ['g1']);
  const held = { ...body, description: 'by hand' };
  const reads: Read[] = [group('g1', 'staff'), network('n1', 'n'), [kind, held, 'n1']];
  expect(exported(base, text(', description: ours'), reads)).toEqual({
    text: text(', description: by hand'),
    stuck: [],
    open: [],
  });
});

test('a new resource does not replace the resources of a template', () => {
  const base =
    'templates:\n  - name: lan\n    resources: [{ name: db, address: 10.0.0.1/32, groups: [staff] }]\n';
  const text = 'groups: [{ name: staff }]\nnetworks: [{ name: n, extends: lan }]\n';
  const [kind, body] = resource('r2', 'n1', 'web', ['g1']);
  const other: Read = [kind, { ...body, address: '10.0.0.2/32' }, 'n1'];
  const known = [group('g1', 'staff'), network('n1', 'n'), resource('r1', 'n1', 'db', ['g1'])];
  expect(exported(base, text, [...known, other])).toEqual({
    text,
    stuck: ['network.n: `resources` comes from a template'],
    open: [],
  });
});

test.each([
  [
    'repeated',
    'groups: [{ name: staff }]\n',
    'networks: [{ name: "${each.key}", for_each: [n] }]\n',
    'it is made by `for_each`',
  ],
  [
    'in an earlier layer',
    'groups: [{ name: staff }]\nnetworks: [{ name: n }]\n',
    'groups: [{ name: guests }]\n',
    'it is in another layer, which an export does not write',
  ],
])(
  'a new resource of a network that is %s is named, and the network is not',
  (_, base, text, why) => {
    const known = [
      group('g1', 'staff'),
      ...(text.includes('guests') ? [group('g3', 'guests')] : []),
    ];
    const reads: Read[] = [...known, network('n1', 'n'), resource('r1', 'n1', 'web', ['g1'])];
    expect(exported(base, text, reads)).toEqual({
      text,
      stuck: [`network_resource.n/web: ${why}`],
      open: [],
    });
  },
);
