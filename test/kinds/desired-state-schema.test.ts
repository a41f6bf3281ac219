// The schema for editors: fresh, readable, and never stricter than `validate`. BLESS=1 writes it anew.
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { desiredStateSchema } from '../../src/kinds/schema/desiredStateSchema.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { KINDS, load } from '../support/files.ts';

const FILE = new URL('../../schemas/desired-state.schema.json', import.meta.url);
const schema = desiredStateSchema(
  KINDS,
  shippedSchema('lifecycle.schema.json'),
  shippedSchema('access-tests.schema.json'),
);

// As an editor has it: without keywords and formats of the house.
const compiler = new Ajv2020({ allErrors: true, strictTypes: false });
const accepts = compiler.compile(schema);

/** As the formatter writes JSON: lists of plain values on one line where they fit. */
function formatted(value: Json): string {
  const text = JSON.stringify(value, null, 2);
  const inOneLine = text.replaceAll(/^(.*)\[\n([^[\]{}]*?)\n\s*\](,?)$/gm, (...match) => {
    const [whole, before = '', items = '', comma = ''] = match.map(String);
    const line = `${before}[${items.trim().replaceAll(/\n\s*/g, ' ')}]${comma}`;
    return line.length <= 100 ? line : String(whole);
  });
  return `${inOneLine}\n`;
}

test('the generated file is fresh', async () => {
  if (process.env.BLESS === '1') await writeFile(FILE, formatted(schema));
  else expect(readFileSync(FILE, 'utf8')).toBe(formatted(schema));
});

/** Every schema of a property, wherever it stands, by its path. */
function properties(value: Json, path = ''): [string, Json][] {
  if (isList(value)) return value.flatMap((item, i) => properties(item, `${path}/${i}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    const isCondition = ['if', 'then', 'not'].includes(name);
    const own = name === 'properties' && isObject(item) ? Object.entries(item) : [];
    return [
      ...own.map(([field, found]): [string, Json] => [`${path}/${field}`, found]),
      ...(isCondition ? [] : properties(item, `${path}/${name}`)),
    ];
  });
}

describe('an editor shows', () => {
  const fields = properties(schema);

  test('a title and a description on every field', () => {
    const bare = fields.filter(
      ([, field]) => !isObject(field) || !field.title || !field.description,
    );
    expect(fields.length).toBeGreaterThan(60);
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  test('descriptions without markup', () => {
    const texts = fields.map(([, field]) => String((field as JsonObject).description));
    expect(texts.filter(text => /`|\*\*|__|\]\(|<[a-z]/.test(text))).toEqual([]);
  });

  test('no keyword that editors do not know', () => {
    expect(JSON.stringify(schema)).not.toMatch(/"x-(?:kind|trait)"|"readOnly"/);
  });
});

describe('an editor accepts', () => {
  const EXAMPLES = new URL('../../examples/', import.meta.url);
  const examples = readdirSync(EXAMPLES, { recursive: true })
    .map(String)
    // A project file declares no objects, and has a schema of its own.
    .filter(name => name.endsWith('.yaml') && !name.endsWith('meshform.yaml'));

  test.each(examples)('%s', name => {
    accepts(parse(readFileSync(new URL(name, EXAMPLES), 'utf8')));
    expect(accepts.errors).toBeNull();
  });

  // What cannot be looked up is not judged, wherever a text may stand.
  const OUTSIDE = `
routes:
  - network_id: prefix-\${var:A_NAME_THAT_IS_LONGER_THAN_FORTY_CHARACTERS}
    network: \${var:OFFICE}
    peer: \${var:GATEWAY}
    masquerade: true
    groups: ["\${var:TEAM}"]
policies:
  - name: \${var:NAME}
    rules:
      - name: ssh
        action: \${var:ACTION:-accept}
        protocol: \${var:PROTOCOL}
        sources: [engineers]
        destinations: [servers]
        authorized_groups: { engineers: [root] }
        ports: ["\${var:PORT}"]
posture_checks:
  - name: countries
    checks:
      geo_location_check: { action: allow, locations: [{ country_code: "\${var:COUNTRY}" }] }
notification_channels:
  - type: \${var:TYPE}
    target: { url: "\${var:HOOK}", headers: { X-Key: "Bearer \${env:KEY}" } }
    event_types: [user.join]
`;

  test('values from outside in any string field', () => {
    accepts(parse(OUTSIDE));
    expect(accepts.errors).toBeNull();
  });

  test('values of encrypted files in any secret', () => {
    const everything = examples.map(name => readFileSync(new URL(name, EXAMPLES), 'utf8'));
    const sealed = everything.map(text =>
      text.replaceAll(/\$\{(?:env|file):[^}]*\}/g, '$${sops:sealed.enc.yaml#path.to.value}'),
    );
    expect(sealed.join().match(/\{sops:/g)?.length).toBeGreaterThan(5);
    expect(sealed.filter(text => !accepts(parse(text)))).toEqual([]);
  });

  test('anchored values under a key that begins with x-', () => {
    accepts(parse('x-both: &both [a, b]\ngroups: [{ name: c, peers: *both }]\n'));
    expect(accepts.errors).toBeNull();
  });

  test('objects that take fields from templates, and null to remove one', () => {
    const text = `
templates:
  - { name: closed, lifecycle: { protect: true }, description: x }
  - { name: web, extends: [closed], rules: [{ name: r, protocol: icmp, sources: [a], destinations: [b] }] }
  - { name: hook, event_types: [user.join], enabled: false, target: { headers: { X-A: "\${env:KEY:-none}" } } }
groups: [{ name: a }, { name: b }]
policies:
  - { name: x, extends: web }
  - { name: y, extends: [closed, web], description: null, lifecycle: { protect: null, break_glass: true } }
notification_channels:
  - { type: webhook, extends: hook, enabled: true, target: { url: "https://hooks.example.com/1" } }
`;
    accepts(parse(text));
    expect(accepts.errors).toBeNull();
    expect(load(text).diagnostics).toEqual([]);
  });

  test('objects that override, omit or extend those of an earlier layer', () => {
    const text = `
policies:
  - name: web
    lifecycle: { override: true }
    description: null
    rules: [{ name: http, ports: ["443"] }, { name: ping, omit: true }]
  - { name: old, lifecycle: { omit: true } }
networks:
  - name: office
    lifecycle: { override: true }
    resources: [{ name: wiki, groups: [a] }, { name: nas, omit: true }]
  - name: lab
    resources: [{ name: x, lifecycle: { override: true }, groups: [a] }, { name: y, lifecycle: { omit: true } }]
`;
    accepts(parse(text));
    expect(accepts.errors).toBeNull();
  });

  test('members that are repeated, and entries in place of values of any type', () => {
    const text = `
sets:
  offices: { hamburg: { on: true, hosts: { wiki: 10.0.0.5 }, ports: ["80"], life: { protect: true } } }
  names: [a, b]
templates:
  - { name: office, for_each: offices, as: office, description: "office \${office.key}" }
groups:
  - { for_each: names, name: "\${each.key}" }
  - { for_each: [x, y], name: "g-\${each.value}" }
networks:
  - name: n \${office.key}
    extends: office
    lifecycle: \${office.value.life}
    resources:
      - { for_each: "\${office.value.hosts}", name: "\${each.key}", address: "\${each.value}", groups: [a], enabled: "\${office.value.on}" }
    routers:
      - { peer_groups: "\${office.value.gateways:-}", for_each: "\${office.value.none:-}", metric: "\${each.value.metric:-7}", masquerade: true }
policies:
  - name: p \${each.key}
    for_each: offices
    enabled: \${each.value.on}
    rules:
      - for_each: [in, out]
        as: side
        name: \${side.key}
        protocol: \${each.value.protocol:-tcp}
        sources: [a]
        destinations: [b]
        ports: \${each.value.ports}
setup_keys:
  - { for_each: names, name: "k \${each.key}", type: "\${each.value.type:-reusable}", expires_in: "\${each.value.e:-86400}", usage_limit: 0 }
`;
    accepts(parse(text));
    expect(accepts.errors).toBeNull();
    expect(load(text).diagnostics).toEqual([]);
  });

  test('no repetition in access tests, which have none', () => {
    const test = { name: 't', from: 'group/a', deny: ['group/b'] };
    const file = (more: JsonObject) => ({ access_tests: [{ ...test, ...more }] });
    expect(accepts(file({ from: 'group/${var:SITE}' }))).toBe(true);
    for (const more of [{ for_each: ['a'] }, { as: 'site' }, { deny: '${each.value.groups}' }]) {
      expect(accepts(file(more)), JSON.stringify(more)).toBe(false);
      const text = JSON.stringify({ ...file(more), groups: [{ name: 'a' }, { name: 'b' }] });
      expect(load(text).diagnostics, text).not.toEqual([]);
    }
  });

  test('the same values as validate, once the variables are set', () => {
    const values: Readonly<Record<string, string>> = {
      A_NAME_THAT_IS_LONGER_THAN_FORTY_CHARACTERS: 'hamburg',
      OFFICE: '10.0.0.0/16',
      PROTOCOL: 'netbird-ssh',
      PORT: '22',
      COUNTRY: 'NL',
      TYPE: 'webhook',
      ACTION: 'drop',
      HOOK: 'https://hooks.example.com/1',
    };
    const names = [...OUTSIDE.matchAll(/\{var:([^}:]+)/g)].map(([, name = '']) => name);
    const value = (name: string) => values[name] ?? 'something';
    const { diagnostics } = load(OUTSIDE, {
      env: value,
      file: () => undefined,
      vars: new Map(names.map(name => [name, value(name)])),
    });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

describe('an editor underlines', () => {
  const WRONG: readonly [string, string][] = [
    ['an unknown place', 'group: []'],
    [
      'a variable of the environment where a plan would show it',
      'notification_channels: [{ type: "${env:TYPE}", event_types: [user.join] }]',
    ],
    [
      'a value of an encrypted file where a plan would show it',
      'notification_channels: [{ type: "${sops:a.yaml#b}", event_types: [user.join] }]',
    ],
    ['an unknown field', 'groups: [{ name: a, peer: [] }]'],
    ['a field of the server', 'groups: [{ name: a, id: x }]'],
    ['a child of the wrong kind', 'networks: [{ name: a, resources: [{ name: b }] }]'],
    [
      'both of two fields',
      'networks: [{ name: a, routers: [{ peer: b, peer_groups: [c], masquerade: true }] }]',
    ],
    [
      'an unknown protocol',
      'policies: [{ name: a, rules: [{ name: b, protocol: tpc, sources: [c], destinations: [d] }] }]',
    ],
    [
      'ports of a ping',
      'policies: [{ name: a, rules: [{ name: b, protocol: icmp, ports: ["80"], sources: [c], destinations: [d] }] }]',
    ],
    [
      'a number for a text',
      'posture_checks: [{ name: a, checks: { nb_version_check: { min_version: 1 } } }]',
    ],
    ['a missing field of an object that extends nothing', 'policies: [{ name: a }]'],
    [
      'a missing part of a field of an object that extends nothing',
      'notification_channels: [{ type: webhook, event_types: [user.join], enabled: true, target: {} }]',
    ],
    ['null in an object that extends nothing', 'groups: [{ name: a, peers: null }]'],
    [
      'a rule with a part where nothing is overridden',
      'policies: [{ name: a, rules: [{ name: b, ports: ["1"] }] }]',
    ],
    [
      'an omitted rule where nothing is overridden',
      'policies: [{ name: a, rules: [{ name: b, omit: true }] }]',
    ],
    ['an override that is false', 'groups: [{ name: a, lifecycle: { override: false } }]'],
    ['for_each of a number', 'groups: [{ name: a, for_each: 7 }]'],
    [
      'a text that is no reference for a number',
      'networks: [{ name: a, routers: [{ peer: b, masquerade: true, metric: x }] }]',
    ],
    [
      'a variable for a number',
      'networks: [{ name: a, routers: [{ peer: b, masquerade: true, metric: "${var:M}" }] }]',
    ],
    ['for_each of what there is one of', 'account_settings: { for_each: [a] }'],
    ['a set that is text', 'sets: { a: b }'],
    ['a template without a name', 'templates: [{ description: x }]'],
    ['a mapping in place of the name of a template', 'groups: [{ name: a, extends: { b: c } }]'],
    ['an unknown lifecycle entry', 'groups: [{ name: a, lifecycle: { protected: true } }]'],
  ];

  test.each(WRONG)('%s', (_, text) => {
    expect(accepts(parse(text))).toBe(false);
  });
});
