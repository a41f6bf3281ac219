// Members of lists that are repeated are the same as members that are written out, and say where each value is written.
import { describe, expect, test } from 'vitest';
import { placeText, spanText } from '../../../src/model/diagnostic.ts';
import type { Desired } from '../../../src/model/object.ts';
import { literalKey, literally } from '../../../src/model/text/literalText.ts';
import { desiredOf, load, loadFiles } from '../../support/files.ts';
import { referenceLike } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';

const withoutPlaces = (desired: readonly Desired[]) =>
  desired.map(({ at, spans, ...object }) => object);

const SETS = `
sets:
  offices:
    hamburg: { net: 10.1.0.0/16, metric: 10, hosts: { wiki: 10.1.0.5, mail: 10.1.0.6 }, was: hh }
    bremen: { net: 10.2.0.0/16, metric: 20, ports: ["80", "443"] }
`;
const OBJECTS = `
templates:
  - { name: described, description: "office \${each.key}", enabled: true }
groups:
  - { name: "\${each.key}-\${each.value}", for_each: [laptops, servers] }
  - { name: "\${each.key}", for_each: offices }
  - { name: "\${each.key}-admins", for_each: { north: {}, south: {} } }
networks:
  - name: \${office.key}
    for_each: offices
    as: office
    lifecycle: { was: "\${office.value.was}" }
    description: "$\${office.key} is \${office.key}"
    resources:
      - for_each: \${office.value.hosts:-}
        name: \${office.key}-\${each.key}
        address: \${each.value}
        groups: ["\${office.key}"]
      - { name: "all of \${office.key}", address: "\${office.value.net}", groups: ["\${office.key}"] }
    routers:
      - { peer_groups: ["\${office.key}"], metric: "\${office.value.metric}", masquerade: true }
policies:
  - name: into \${each.key}
    extends: described
    for_each: offices
    rules:
      - for_each: [north, south]
        as: side
        name: \${side.key}
        sources: ["\${side.key}-admins"]
        destinations: ["\${each.key}"]
        protocol: tcp
        ports: \${each.value.ports:-["22"]}
        enabled: \${each.value.on:-false}
        authorized_groups: { "\${each.key}": [root] }
`.replace('protocol: tcp', 'protocol: netbird-ssh');
const WRITTEN_OUT = `
groups:
  - { name: laptops-laptops }
  - { name: servers-servers }
  - { name: hamburg }
  - { name: bremen }
  - { name: north-admins }
  - { name: south-admins }
networks:
  - name: hamburg
    lifecycle: { was: hh }
    description: "$\${office.key} is hamburg"
    resources:
      - { name: hamburg-wiki, address: 10.1.0.5, groups: [hamburg] }
      - { name: hamburg-mail, address: 10.1.0.6, groups: [hamburg] }
      - { name: all of hamburg, address: 10.1.0.0/16, groups: [hamburg] }
    routers:
      - { peer_groups: [hamburg], metric: 10, masquerade: true }
  - name: bremen
    description: "$\${office.key} is bremen"
    resources:
      - { name: all of bremen, address: 10.2.0.0/16, groups: [bremen] }
    routers:
      - { peer_groups: [bremen], metric: 20, masquerade: true }
policies:
  - name: into hamburg
    description: office hamburg
    enabled: true
    rules:
      - { name: north, enabled: false, sources: [north-admins], destinations: [hamburg], protocol: netbird-ssh, ports: ["22"], authorized_groups: { hamburg: [root] } }
      - { name: south, enabled: false, sources: [south-admins], destinations: [hamburg], protocol: netbird-ssh, ports: ["22"], authorized_groups: { hamburg: [root] } }
  - name: into bremen
    description: office bremen
    enabled: true
    rules:
      - { name: north, enabled: false, sources: [north-admins], destinations: [bremen], protocol: netbird-ssh, ports: ["80", "443"], authorized_groups: { bremen: [root] } }
      - { name: south, enabled: false, sources: [south-admins], destinations: [bremen], protocol: netbird-ssh, ports: ["80", "443"], authorized_groups: { bremen: [root] } }
`;

describe('members with for_each', () => {
  const { desired, diagnostics } = loadFiles({ 'objects.yaml': OBJECTS, 'sets.yaml': SETS });
  const placeAt = (key: string, path: string) => {
    const found = desired.find(object => object.key === key);
    return found?.spans[path] && placeText(found.spans[path]);
  };

  test('are the same as members that are written out', () => {
    expect(diagnostics).toEqual([]);
    expect(withoutPlaces(desired)).toEqual(withoutPlaces(desiredOf(WRITTEN_OUT)));
  });

  test('can use the entry that they are repeated for', () => {
    expect(desired.slice(0, 3).map(({ at }) => placeText(at))).toEqual([
      'objects.yaml:5:5 (for_each "laptops")',
      'objects.yaml:5:5 (for_each "servers")',
      'objects.yaml:6:5 (for_each "hamburg")',
    ]);
    expect(placeAt('hamburg/hamburg-wiki', '')).toBe(
      'objects.yaml:15:9 (for_each "hamburg", "wiki")',
    );
  });

  test('have the place where every value is written, and what uses it', () => {
    expect(placeAt('hamburg', '/name')).toBe(
      'sets.yaml:4:5, used at objects.yaml:6:13 (for_each "hamburg")',
    );
    expect(placeAt('hamburg/hamburg-wiki', '/address')).toBe(
      'sets.yaml:4:61, used at objects.yaml:17:18 (for_each "hamburg", "wiki")',
    );
    expect(placeAt('hamburg/hamburg-wiki', '/name')).toBe(
      'objects.yaml:16:15 (for_each "hamburg", "wiki")',
    );
    expect(placeAt('into bremen', '/description')).toBe(
      'objects.yaml:3:37, used at objects.yaml:23:5 (for_each "bremen")',
    );
    expect(placeAt('into bremen', '/rules/1/sources/0')).toBe(
      'objects.yaml:30:19 (for_each "bremen", "south")',
    );
  });

  test('are the same whatever the order of the files', () => {
    const other = loadFiles({ 'sets.yaml': SETS, 'objects.yaml': OBJECTS });
    expect(other.desired).toEqual(desired);
  });
});

test('an entry keeps the type of its value, and a default has the type that it has in YAML', () => {
  const [, , router] = desiredOf(`
groups: [{ name: g }]
networks:
  - name: n
    routers:
      - { for_each: { a: { on: false } }, peer_groups: [g], enabled: "\${each.value.on}", masquerade: "\${each.value.m:-true}", metric: "\${each.value.metric:-100}" }
`);
  expect(router?.fields).toEqual({
    peer_groups: ['g'],
    enabled: false,
    masquerade: true,
    metric: 100,
  });
});

test('a number keeps its notation in the middle of a text', () => {
  const names = desiredOf(
    'groups: [{ for_each: { a: 6.10, b: 007, c: true }, name: "v${each.value}" }]',
  ).map(({ key }) => key);
  expect(names).toEqual(['v6.10', 'v007', 'vtrue']);
});

test('an entry without a former name has none, and an empty lifecycle is removed', () => {
  const groups = desiredOf(`
sets: { all: { a: { was: x }, b: {} } }
groups:
  - { for_each: all, name: "1\${each.key}", lifecycle: { was: "\${each.value.was}" } }
  - { for_each: all, name: "2\${each.key}", lifecycle: { was: "2\${each.value.was}", protect: true } }
`);
  expect(groups.map(({ lifecycle }) => lifecycle)).toEqual([
    { was: 'x' },
    {},
    { was: '2x', protect: true },
    { protect: true },
  ]);
});

test('no entries generate no objects', () => {
  const text =
    'sets: { none: {} }\ngroups: [{ name: a }, { for_each: none, name: x }, { for_each: [], name: x }]';
  expect(desiredOf(text).map(({ key }) => key)).toEqual(['a']);
});

test('a reference to a secret can be the whole value of an entry', () => {
  const inputs = {
    env: (name: string) => (name === 'A' ? 'secret' : undefined),
    file: () => undefined,
    vars: new Map([['V', 'filled']]),
  };
  const text = `
notification_channels:
  - for_each: { one: { key: "\${env:A}", url: "https://a.example.com/x" } }
    type: webhook
    enabled: true
    event_types: [user.join]
    target: { url: "\${each.value.url}", headers: { X-Key: "\${each.value.key}" } }
groups: [{ for_each: { a: "\${var:V}", b: "$\${var:V}" }, name: "\${each.value}" }]
`;
  const { desired, diagnostics } = load(text, inputs);
  expect(diagnostics).toEqual([]);
  expect(desired.map(({ key }) => key)).toEqual(['filled', '${var:V}', 'a.example.com']);
  const channel = desired.at(-1);
  expect(channel?.fields.target).toMatchObject({ headers: { 'X-Key': { $secret: '${env:A}' } } });
  // The place that a plan holds instead of the address is that of the entry.
  expect([...(channel?.hidden?.sources ?? [])]).toEqual([
    ['https://a.example.com/x', '${yaml:network.yaml#/notification_channels/0/for_each/one/url}'],
  ]);
});

test('objects of the entries of one set with secret addresses have different names', () => {
  const text = `
notification_channels:
  - for_each: { one: "\${env:A}", two: "\${env:B}" }
    type: webhook
    enabled: true
    event_types: [user.join]
    target: { url: "\${each.value}" }
`;
  const { desired } = load(text);
  const places = desired.flatMap(({ hidden }) => [...(hidden?.places.values() ?? [])]);
  expect(places).toEqual(['network.yaml#1.one', 'network.yaml#1.two']);
});

describe('a limit', () => {
  const entries = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`).join(', ');
  const codesOf = (text: string) => {
    const { desired, diagnostics } = load(text);
    return [desired.length, ...diagnostics.map(({ code, at }) => `${code} ${at && spanText(at)}`)];
  };

  test('the limit of one declaration refuses more than the maximum, and not the maximum', () => {
    const text = (count: number) =>
      `groups:\n- for_each: [${entries(count)}]\n  name: \${each.key}\n`;
    expect(codesOf(text(10_000))).toEqual([10_000]);
    expect(codesOf(text(10_001))).toEqual([0, 'EXPANSION_LIMIT network.yaml:2:3']);
  });

  test('the limit of a list inside repeated objects is enforced', () => {
    const text = `
sets: { outer: [${entries(101)}], inner: [${entries(100)}] }
networks:
  - for_each: outer
    as: outer
    name: \${outer.key}
    resources:
      - { for_each: inner, name: "\${outer.key} \${each.key}", address: 10.0.0.1, groups: [] }
`;
    expect(codesOf(text)).toEqual([10_101, 'EXPANSION_LIMIT network.yaml:8:11']);
  });

  test('the limit of all declarations is enforced', () => {
    const groups = Array.from(
      { length: 11 },
      (_, i) => `  - { for_each: many, name: "${i}\${each.key}" }\n`,
    );
    const text = `sets: { many: [${entries(10_000)}] }\ngroups:\n${groups.join('')}`;
    expect(codesOf(text)).toEqual([0, 'EXPANSION_LIMIT network.yaml:13:7']);
  });

  test('the limit of the values in repeated objects is enforced before the objects are created', () => {
    const members = Array.from({ length: 300 }, (_, i) => `p${i}`).join(', ');
    const text = `groups:\n- for_each: [${entries(10_000)}]\n  name: \${each.key}\n  peers: [${members}]\n`;
    expect(codesOf(text)).toEqual([0, 'EXPANSION_LIMIT network.yaml:2:3']);
  });
});

describe('a text that looks like a reference, or like the beginning of one', () => {
  test('can be escaped', () => {
    fc.assert(
      fc.property(referenceLike, text => {
        const read = desiredOf(`groups: [{ name: ${JSON.stringify(literally(text))} }]\n`);
        expect(read.map(({ key }) => key)).toEqual([text]);
      }),
      { numRuns: 300, examples: [['x${var:a${env:b}'], ['${var:a${each.key}'], ['x$${each']] },
    );
  });

  test('can be an escaped key', () => {
    fc.assert(
      fc.property(referenceLike, text => {
        const [policy] =
          desiredOf(`groups: [{ name: g }, { name: ${JSON.stringify(literally(text))} }]
policies:
  - name: p
    rules: [{ name: r, sources: [g], destinations: [g], protocol: netbird-ssh, authorized_groups: { ${JSON.stringify(literalKey(text))}: [root] } }]
`).filter(({ kind }) => kind === 'policy');
        expect(policy?.fields.rules).toMatchObject([{ authorized_groups: { [text]: ['root'] } }]);
      }),
      { numRuns: 100 },
    );
  });

  test('may be of any other form', () => {
    const texts = [
      '${office.name}',
      '${office}',
      '${office.keys}',
      '${2.key}',
      '${a-b.key}',
      '$office.key',
    ];
    const file = `groups: [${texts.map(name => JSON.stringify({ name })).join(', ')}]\n`;
    expect(desiredOf(file).map(({ key }) => key)).toEqual(texts);
  });

  test.each([
    '${each.key',
    'x ${each',
    '${each:key}',
    '${var:X',
    '${each.key ${var:X}',
    '${office.key}',
    '$${office.key}',
    '${office.value.net',
  ])('%j in an earlier revision keeps the meaning that it had in earlier versions', text => {
    const vars = new Map([['X', 'x']]);
    const inputs = { env: () => undefined, file: () => undefined, vars, isEarlier: true };
    const file = `groups: [{ name: ${JSON.stringify(text)} }]\n`;
    const { desired, diagnostics } = load(file, inputs);
    expect(diagnostics).toEqual([]);
    expect(desired.map(({ key }) => key)).toEqual([text.replace('${var:X}', 'x')]);
  });
});
