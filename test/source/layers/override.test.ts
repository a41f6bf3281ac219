// What a layer says of the objects of the layers before it.
import { describe, expect, test } from 'vitest';
import { readKinds } from '../../../src/kinds/registry.ts';
import { readerOf } from '../../../src/source/load.ts';
import type { Inputs } from '../../../src/source/values/externalInputs.ts';

const inputs: Inputs = {
  env: () => 'there',
  file: () => 'there',
  vars: new Map([['SITE', 'fra']]),
};
const reader = readerOf(readKinds());

/** What these layers declare, or the faults. */
function read(...texts: readonly string[]) {
  const sources = texts.map((text, order) => ({
    file: `${order}.yaml`,
    text,
    layer: { order, fromLastLayer: order === texts.length - 1 ? '' : `../${order}` },
  }));
  const { desired, diagnostics } = reader.read(sources, inputs);
  return {
    faults: diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(
        ({ code, message, at, hint }) =>
          `${at?.file}:${at?.line}:${at?.column} ${code} ${message} (${hint})`,
      ),
    objects: Object.fromEntries(
      desired.map(({ kind, key, fields, lifecycle }) => [
        `${kind} ${key}`,
        { ...fields, ...(Object.keys(lifecycle).length > 0 && { lifecycle }) },
      ]),
    ),
    at: (kind: string, key: string, pointer: string) => {
      const found = desired.find(one => one.kind === kind && one.key === key);
      const span = found?.spans[pointer] ?? found?.at;
      return `${span?.file}:${span?.line}:${span?.column}`;
    },
  };
}

const POLICY = `policies:
  - name: web
    description: everybody
    rules:
      - { name: http, sources: [staff], destinations: [web], protocol: tcp, ports: ["80"] }
      - { name: ping, sources: [staff], destinations: [web], protocol: icmp }
groups: [{ name: staff }, { name: web }]
`;
const NETWORK = `networks:
  - name: office
    description: here
    resources:
      - { name: wiki, address: 10.0.0.5, groups: [web] }
      - { name: nas, address: 10.0.0.6, groups: [web] }
groups: [{ name: web }]
`;

describe('lifecycle.override', () => {
  test('merges by the rules of templates, and rules by name', () => {
    const { objects, faults, at } = read(
      POLICY,
      `policies:
  - name: web
    description: null
    enabled: false
    lifecycle: { override: true }
    rules:
      - { name: http, ports: ["80", "443"] }
      - { name: ping, omit: true }
      - { name: ssh, sources: [staff], destinations: [web], protocol: tcp, ports: ["22"] }
`,
    );
    expect(faults).toEqual([]);
    const rule = { sources: ['staff'], destinations: ['web'], protocol: 'tcp' };
    expect(objects['policy web']).toEqual({
      name: 'web',
      enabled: false,
      rules: [
        { name: 'http', ...rule, ports: ['80', '443'] },
        { name: 'ssh', ...rule, ports: ['22'] },
      ],
    });
    expect(at('policy', 'web', '/enabled')).toBe('1.yaml:4:14');
    expect(at('policy', 'web', '/rules/0/ports/1')).toBe('1.yaml:7:37');
    expect(at('policy', 'web', '/rules/0/protocol')).toBe('0.yaml:5:72');
    expect(at('policy', 'web', '/rules/1/name')).toBe('1.yaml:9:17');
  });

  test('merges children by name, and replaces every other list', () => {
    const { objects, faults } = read(
      NETWORK,
      `networks:
  - name: office
    lifecycle: { override: true, protect: true }
    resources:
      - { name: wiki, groups: [staff] }
      - { name: nas, omit: true }
      - { name: mail, address: 10.0.0.7, groups: [web] }
groups: [{ name: staff }]
`,
    );
    expect(faults).toEqual([]);
    expect(Object.keys(objects).sort()).toEqual([
      'group staff',
      'group web',
      'network office',
      'network_resource office/mail',
      'network_resource office/wiki',
    ]);
    expect(objects['network office']).toMatchObject({
      description: 'here',
      lifecycle: { protect: true },
    });
    expect(objects['network_resource office/wiki']).toMatchObject({
      address: '10.0.0.5',
      groups: ['staff'],
    });
  });

  describe('in an object that extends templates', () => {
    const base = 'groups: [{ name: g }]\nnetworks:\n  - name: n\n    description: of base\n';
    const lists =
      '    resources: [{ name: r, description: of base, address: 10.0.0.1, groups: [g] }]\n';
    const templates = (field: string) => `templates: [{ name: t, ${field} }]\n`;
    const over = (rest: string) =>
      `networks: [{ name: n, lifecycle: { override: true }, ${rest} }]\n`;
    const described = 'description: of t';
    const added = 'name: s, address: 10.0.0.2, groups: [g]';

    test.each([
      ['the object', described, 'extends: t, description: null', 'network n'],
      [
        'the object, that the template does not set',
        'resources: []',
        'extends: t, description: null',
        'network n',
      ],
      ['the template', 'description: null', 'extends: t', 'network n'],
      [
        'a child',
        described,
        'resources: [{ name: r, extends: t, description: null }]',
        'network_resource n/r',
      ],
      [
        'a repeated child',
        described,
        'resources: [{ for_each: [r], name: "${each.key}", extends: t, description: null }]',
        'network_resource n/r',
      ],
    ])('null removes the value of the earlier layer: null of %s', (_, field, rest, key) => {
      const { faults, objects } = read(base + lists, templates(field) + over(rest));
      expect(faults).toEqual([]);
      expect(objects[key]).not.toHaveProperty('description');
    });

    test('a part of a mapping is removed by null too', () => {
      const checks = (rest: string) =>
        `checks: { nb_version_check: { min_version: 0.60.0 }, ${rest} }`;
      const { objects } = read(
        `posture_checks: [{ name: c, ${checks('os_version_check: { ios: { min_version: "16" } }')} }]\n`,
        `${templates(described)}posture_checks: [{ name: c, extends: t, lifecycle: { override: true }, ${checks('os_version_check: null')} }]\n`,
      );
      expect(objects['posture_check c']).toMatchObject({
        checks: { nb_version_check: { min_version: '0.60.0' } },
      });
      expect(JSON.stringify(objects['posture_check c'])).not.toContain('os_version_check');
    });

    test.each([
      ['beside others', lists],
      ['as the first', ''],
    ])('null in a new child removes only the value of the template: %s', (_, known) => {
      const rest = `resources: [{ ${added}, extends: t, description: null }]`;
      const { faults, objects } = read(base + known, templates(described) + over(rest));
      expect(faults).toEqual([]);
      expect(objects['network_resource n/s']).toEqual({
        name: 's',
        address: '10.0.0.2',
        groups: ['g'],
      });
    });
  });

  test('applies through all layers in their order', () => {
    const step = (text: string) =>
      `groups: [{ name: staff, peers: [${text}], lifecycle: { override: true } }]\n`;
    const { objects, faults } = read(
      'groups: [{ name: staff, peers: [a] }]\n',
      step('b'),
      step('c'),
    );
    expect(faults).toEqual([]);
    expect(objects['group staff']).toEqual({ name: 'staff', peers: ['c'] });
  });

  test('matches names as they are written', () => {
    const over = (name: string) =>
      `groups: [{ name: "${name}", peers: [b], lifecycle: { override: true } }]\n`;
    const own = 'groups: [{ name: "${var:SITE}-db", peers: [a] }]\n';
    expect(read(own, over('${var:SITE}-db')).objects['group fra-db']).toMatchObject({
      peers: ['b'],
    });
    expect(read(own, over('fra-db')).faults[0]).toContain('OVERRIDE_NOTHING');
  });

  test('treats a hostile key as a key', () => {
    const { faults } = read(
      'groups: [{ name: staff }]\n',
      'groups: [{ name: staff, __proto__: { peers: [x] }, lifecycle: { override: true } }]\n',
    );
    expect(faults.join()).toContain('SCHEMA_UNKNOWN_FIELD');
    expect(({} as { peers?: unknown }).peers).toBeUndefined();
  });
});

describe('without lifecycle.override', () => {
  test('a parent with only its children, and a group with only members, add to the declaration of the other layer', () => {
    const { objects, faults, at } = read(
      `${NETWORK}peers: [{ name: a, groups: [web] }]\n`,
      `networks: [{ name: office, resources: [{ name: mail, address: 10.0.0.7, groups: [web] }] }]
groups: [{ name: web, peers: [b, c] }]
`,
      'groups: [{ name: web, peers: [c, d] }]\n',
    );
    expect(faults).toEqual([]);
    expect(objects['network office']).toMatchObject({ description: 'here' });
    expect(objects['network_resource office/mail']).toBeDefined();
    expect(objects['group web']).toMatchObject({ peers: ['b', 'c', 'd', 'a'] });
    expect(at('network', 'office', '')).toBe('0.yaml:2:5');
    expect(at('group', 'web', '/peers/1')).toBe('1.yaml:2:34');
  });

  test.each([
    ['a field', 'groups: [{ name: web, peers: [a], lifecycle: { protect: true } }]', '1:10'],
    ['a description of a parent', 'networks: [{ name: office, description: x }]', '1:12'],
    [
      'a child',
      'networks: [{ name: office, resources: [{ name: wiki, address: 10.0.0.9, groups: [web] }] }]',
      '1:40',
    ],
    ['a policy', 'policies: [{ name: p, rules: [] }]', '1:12'],
  ])('%s of an object of another layer is a duplicate', (_, over, place) => {
    const { faults } = read(
      `${NETWORK}policies: [{ name: p, rules: [{ name: r, sources: [web], destinations: [web], protocol: all }] }]\n`,
      over,
    );
    expect(faults).toEqual([
      expect.stringContaining(`1.yaml:${place} OBJECT_DUPLICATE another layer already declares`),
    ]);
    expect(faults[0]).toContain('lifecycle: { override: true }');
  });
});

describe('lifecycle.omit', () => {
  test('removes an object and its children', () => {
    const { objects, faults } = read(
      NETWORK,
      'networks: [{ name: office, lifecycle: { omit: true } }]\ngroups: [{ name: x }]\n',
    );
    expect(faults).toEqual([]);
    expect(Object.keys(objects).sort()).toEqual(['group web', 'group x']);
  });

  test('removes a child of a parent that adds children', () => {
    const { objects, faults } = read(
      NETWORK,
      'networks: [{ name: office, resources: [{ name: nas, lifecycle: { omit: true } }] }]\n',
    );
    expect(faults).toEqual([]);
    expect(Object.keys(objects).sort()).toEqual([
      'group web',
      'network office',
      'network_resource office/wiki',
    ]);
  });

  test('lets a later layer declare the object again', () => {
    const { objects, faults } = read(
      'groups: [{ name: a, peers: [x] }]\n',
      'groups: [{ name: a, lifecycle: { omit: true } }]\n',
      'groups: [{ name: a, peers: [y] }]\n',
    );
    expect(faults).toEqual([]);
    expect(objects['group a']).toMatchObject({ peers: ['y'] });
  });
});

describe('sets', () => {
  const uses = 'groups: [{ name: "${each.key}-${each.value.port}", for_each: sites }]\n';
  const base = `${uses}sets: { sites: { fra: { port: 1 }, ber: { port: 2 } } }\n`;

  test('sets of a later layer are merged into sets of an earlier layer', () => {
    const { objects, faults } = read(
      base,
      'sets: { sites: { fra: { port: 9 }, ber: null, muc: { port: 3 } } }\n',
    );
    expect(faults).toEqual([]);
    expect(Object.keys(objects)).toEqual(['group fra-9', 'group muc-3']);
  });

  test('sets of one layer are declared once', () => {
    const { faults } = read(
      `${base}---\nsets: { sites: { muc: {} } }\n`,
      'groups: [{ name: x }]\n',
    );
    expect(faults[0]).toContain('the set `sites` is declared twice');
  });

  test('generate objects that a later layer overrides by name', () => {
    const { objects, faults } = read(
      base,
      'groups: [{ name: fra-1, peers: [a], lifecycle: { override: true } }]\n',
    );
    expect(faults).toEqual([]);
    expect(objects['group fra-1']).toMatchObject({ peers: ['a'] });
  });

  test('are repeated in the layer that changes them', () => {
    const over =
      'groups: [{ name: "${each.key}-${each.value.port}", for_each: sites, peers: [a], lifecycle: { override: true } }]\n';
    const { objects, faults } = read(base, over);
    expect(faults).toEqual([]);
    expect(objects['group ber-2']).toMatchObject({ peers: ['a'] });
  });
});

describe('an override of nothing', () => {
  test.each([
    ['an object', 'groups: [{ name: x, lifecycle: { override: true } }]', '1:44', 'the group `x`'],
    [
      'an object to omit',
      'groups: [{ name: x, lifecycle: { omit: true } }]',
      '1:40',
      'the group `x`',
    ],
    [
      'a child',
      'networks: [{ name: office, resources: [{ name: x, lifecycle: { override: true } }] }]',
      '1:74',
      '`x`',
    ],
    [
      'a child to omit',
      'networks: [{ name: office, lifecycle: { override: true }, resources: [{ name: x, omit: true }] }]',
      '1:88',
      '`x`',
    ],
    [
      'an item to omit',
      'policies: [{ name: p, lifecycle: { override: true }, rules: [{ name: x, omit: true }] }]',
      '1:79',
      'x',
    ],
    [
      'an object of a new parent',
      'networks: [{ name: new, resources: [{ name: wiki, lifecycle: { override: true } }] }]',
      '1:74',
      '`wiki`',
    ],
  ])('is an error: %s', (_, over, place, name) => {
    const { faults } = read(
      `${NETWORK}policies: [{ name: p, rules: [{ name: r, sources: [web], destinations: [web], protocol: all }] }]\n`,
      over,
    );
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`^1.yaml:${place} OVERRIDE_NOTHING.*${name}`)),
    ]);
  });

  test('is an error in a run with one layer, and in the first', () => {
    const { faults } = read('groups: [{ name: x, lifecycle: { override: true } }]\n');
    expect(faults).toEqual([expect.stringContaining('OVERRIDE_NOTHING')]);
    expect(
      read('groups: [{ name: x, lifecycle: { omit: true } }]\n', 'groups: [{ name: x }]\n').faults,
    ).toEqual([expect.stringContaining('0.yaml:1:40 OVERRIDE_NOTHING')]);
  });

  test('is not an error while a file cannot be read', () => {
    const { faults } = read(
      'groups: [{ name: x\n',
      'groups: [{ name: x, lifecycle: { override: true } }]\n',
    );
    expect(faults.join()).not.toContain('OVERRIDE_NOTHING');
  });
});

describe('protection by another layer', () => {
  const under = `${NETWORK.replace('    description: here\n', '    lifecycle: { protect: true }\n')}policies:
  - { name: door, lifecycle: { break_glass: true }, rules: [{ name: r, sources: [web], destinations: [web], protocol: all }] }
`;
  test.each([
    [
      'protect: false',
      'networks: [{ name: office, lifecycle: { override: true, protect: false } }]',
    ],
    ['protect: null', 'networks: [{ name: office, lifecycle: { override: true, protect: null } }]'],
    ['omitting it', 'networks: [{ name: office, lifecycle: { omit: true } }]'],
    [
      'break_glass: false',
      'policies: [{ name: door, lifecycle: { override: true, break_glass: false } }]',
    ],
    ['omitting a break-glass object', 'policies: [{ name: door, lifecycle: { omit: true } }]'],
  ])('is not removed by %s', (_, over) => {
    const { faults } = read(under, over);
    expect(faults).toEqual([expect.stringContaining('1.yaml:1:')]);
    expect(faults[0]).toContain('LAYER_LOOSENS');
    expect(faults[0]).toContain('0.yaml:');
  });

  test('protection by another layer also covers the children of an omitted object', () => {
    const inner = NETWORK.replace(
      'address: 10.0.0.5,',
      'address: 10.0.0.5, lifecycle: { protect: true },',
    );
    expect(
      read(inner, 'networks: [{ name: office, lifecycle: { omit: true } }]\n').faults[0],
    ).toContain('LAYER_LOOSENS');
    const part =
      'networks: [{ name: office, lifecycle: { override: true }, resources: [{ name: wiki, omit: true }] }]\n';
    expect(read(inner, part).faults[0]).toContain('LAYER_LOOSENS');
    expect(
      read(inner, part.replace('omit: true', 'lifecycle: { protect: false }')).faults[0],
    ).toContain('LAYER_LOOSENS');
  });

  test('does not keep a setting that has no effect any more', () => {
    const ignoring = 'groups: [{ name: a, lifecycle: { ignore: [peers] } }]\n';
    const { objects, faults } = read(
      ignoring,
      'groups: [{ name: a, lifecycle: { override: true, ignore: null } }]\n',
    );
    expect(faults).toEqual([]);
    expect(objects['group a']).toEqual({ name: 'a' });
  });

  test('stays while everything else is merged', () => {
    const { objects, faults } = read(
      under,
      'networks: [{ name: office, description: new, lifecycle: { override: true } }]\n',
    );
    expect(faults).toEqual([]);
    expect(objects['network office']).toMatchObject({
      description: 'new',
      lifecycle: { protect: true },
    });
  });
});
