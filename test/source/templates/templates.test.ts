// Objects that extend templates are the same as objects that are written out, and say where each value is written.
import { describe, expect, test } from 'vitest';
import { placeText } from '../../../src/model/diagnostic.ts';
import type { Desired } from '../../../src/model/object.ts';
import { desiredOf, load, loadFiles } from '../../support/files.ts';

const withoutPlaces = (desired: readonly Desired[]) =>
  desired.map(({ at, spans, ...object }) => object);

const OBJECTS = `
groups: [{ name: laptops }, { name: servers }]
networks:
  - name: office
    extends: office
  - name: branch
    extends: [office, described]
    resources: [{ name: wiki, extends: [server, unlabelled], address: 10.2.0.9 }]
    lifecycle: { protect: null }
policies:
  - { name: web, extends: [described, rules], lifecycle: { protect: null, break_glass: true } }
`;
const TEMPLATES = `
templates:
  - name: server
    description: a server
    groups: [servers]
    enabled: true
  - { name: unlabelled, description: null }
  - name: office
    description: an office
    resources:
      - { name: files, extends: server, address: 10.1.0.5 }
      - { name: mail, extends: server, address: 10.1.0.6, groups: [laptops] }
  - { name: described, description: described, lifecycle: { protect: true } }
  - name: rules
    extends: described
    rules: [{ name: in, protocol: icmp, sources: [laptops], destinations: [servers] }]
`;
const WRITTEN_OUT = `
groups: [{ name: laptops }, { name: servers }]
networks:
  - name: office
    description: an office
    resources:
      - { name: files, description: a server, groups: [servers], enabled: true, address: 10.1.0.5 }
      - { name: mail, description: a server, groups: [laptops], enabled: true, address: 10.1.0.6 }
  - name: branch
    description: described
    resources: [{ name: wiki, groups: [servers], enabled: true, address: 10.2.0.9 }]
policies:
  - name: web
    description: described
    rules: [{ name: in, protocol: icmp, sources: [laptops], destinations: [servers] }]
    lifecycle: { break_glass: true }
`;

describe('objects that extend templates', () => {
  const { desired, diagnostics } = loadFiles({
    'objects.yaml': OBJECTS,
    'templates.yaml': TEMPLATES,
  });
  const placeAt = (key: string, path: string) => {
    const found = desired.find(object => object.key === key);
    return found?.spans[path] && placeText(found.spans[path]);
  };

  test('are the same as objects that are written out', () => {
    expect(diagnostics).toEqual([]);
    expect(withoutPlaces(desired)).toEqual(withoutPlaces(desiredOf(WRITTEN_OUT)));
  });

  test('are the same whatever the order of the files', () => {
    const other = loadFiles({ 'templates.yaml': TEMPLATES, 'objects.yaml': OBJECTS });
    expect(other.desired).toEqual(desired);
  });

  test('keep the places where they were written', () => {
    const places = desired.map(({ key, at }) => `${key} ${placeText(at)}`);
    expect(places.slice(2)).toEqual([
      'office objects.yaml:4:5',
      'office/files templates.yaml:11:9, used at objects.yaml:4:5',
      'office/mail templates.yaml:12:9, used at objects.yaml:4:5',
      'branch objects.yaml:6:5',
      'branch/wiki objects.yaml:8:17',
      'web objects.yaml:11:5',
    ]);
  });

  test('have the place where every value is written, and what uses it', () => {
    expect(placeAt('office', '/description')).toBe('templates.yaml:9:18, used at objects.yaml:4:5');
    expect(placeAt('branch', '/description')).toBe(
      'templates.yaml:13:37, used at objects.yaml:6:5',
    );
    expect(placeAt('branch/wiki', '/groups/0')).toBe(
      'templates.yaml:5:14, used at objects.yaml:8:17',
    );
    expect(placeAt('branch/wiki', '/address')).toBe('objects.yaml:8:71');
    expect(placeAt('office/files', '/groups/0')).toBe(
      'templates.yaml:5:14, used at templates.yaml:11:9, objects.yaml:4:5',
    );
    expect(placeAt('web', '/rules/0/name')).toBe('templates.yaml:16:21, used at objects.yaml:11:5');
    expect(placeAt('web', '/lifecycle/break_glass')).toBe('objects.yaml:11:88');
  });
});

test('a template removes fields of earlier templates in the list', () => {
  const templates = `
templates:
  - { name: whole, description: x, enabled: false, lifecycle: { protect: true, break_glass: true } }
  - { name: cleared, description: null, lifecycle: null }
  - { name: again, extends: cleared, lifecycle: { protect: false } }
`;
  const policy = (names: string) =>
    desiredOf(`${templates}
groups: [{ name: a, extends: [again, cleared, whole], description: null, enabled: null, lifecycle: null }]
policies:
  - { name: p, extends: ${names}, rules: [{ name: r, protocol: icmp, sources: [a], destinations: [a] }] }
`).at(-1);
  expect(policy('[whole, cleared]')).toMatchObject({ fields: { enabled: false }, lifecycle: {} });
  expect(policy('[whole, cleared]')?.fields.description).toBeUndefined();
  // A mapping after null is a new one.
  expect(policy('[whole, again]')?.lifecycle).toEqual({ protect: false });
  expect(policy('[cleared, whole]')?.lifecycle).toEqual({ protect: true, break_glass: true });
});

test('a template that cannot be read is not reported as unknown', () => {
  const { diagnostics } = loadFiles({
    'objects.yaml': 'groups: [{ name: a, extends: web }]\n',
    'templates.yaml': 'templates:\n  - { name: web\n  - x\n',
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(['SOURCE_YAML']);
});

test('an encrypted document provides no templates', () => {
  const sealed = 'templates: [{ name: web }]\nsops: { mac: x, version: 3.9.0, age: [] }\n';
  const { diagnostics } = loadFiles({
    'objects.yaml': 'groups: [{ name: a, extends: web }]\n',
    'sealed.yaml': sealed,
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(['TEMPLATE_UNKNOWN']);
});

test('a short file does not expand to more than fits into memory', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `x${i}: 1`).join(', ');
  const users = Array.from({ length: 120 }, (_, i) => `  - { name: g${i}, extends: big }\n`);
  const text = `templates: [{ name: big, peers: { ${many} } }]\ngroups:\n${users.join('')}`;
  const { diagnostics } = load(text);
  expect(diagnostics).toMatchObject([
    {
      code: 'EXPANSION_LIMIT',
      at: { file: 'network.yaml', line: 102 },
      hint: expect.stringContaining('smaller templates'),
    },
  ]);
});
