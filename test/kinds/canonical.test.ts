// The one form in which equal meanings are equal values (docs/server-behaviour.md#normalised-values), and the rules for what is
// missing on either side.
import { describe, expect, test } from 'vitest';
import type { Shape } from '../../src/kinds/kind.ts';
import { canonicalFields, type Side } from '../../src/kinds/values/canonical.ts';
import { present } from '../../src/model/errors.ts';
import { kindName } from '../../src/model/names.ts';
import { type Fields, isList, isObject, type Json } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';
import { fc } from '../support/seeded.ts';

const SIDES: readonly Side[] = ['desired', 'live'];

const shape = (kind: string) => present(KINDS.get(kindName(kind)), kind).shape;
const canonical = (kind: string, fields: Fields, side: Side): Fields =>
  canonicalFields(shape(kind), fields, side);

const RULE = { name: 'web', protocol: 'tcp', sources: ['b', 'a'], destinations: ['c'] };
const SAMPLES: Readonly<Record<string, Fields>> = {
  group: { name: 'engineers', peers: ['b', 'a', 'b'] },
  network: { name: 'production', description: '' },
  network_resource: { name: 'db', address: '10.0.0.5', groups: ['b', 'a'] },
  network_router: { peer_groups: ['b', 'a'], masquerade: true },
  route: {
    network_id: 'office',
    domains: ['B.example.com', 'a.example.com'],
    peer: 'gateway',
    masquerade: false,
    groups: ['b', 'a'],
  },
  policy: {
    name: 'web',
    source_posture_checks: ['b', 'a'],
    rules: [
      {
        ...RULE,
        ports: ['443', '080'],
        port_ranges: [
          { start: 2, end: 3 },
          { start: 1, end: 9 },
        ],
      },
      {
        ...RULE,
        name: 'ssh',
        protocol: 'netbird-ssh',
        authorized_groups: { b: ['y', 'x'], a: [] },
      },
    ],
  },
  posture_check: {
    name: 'places',
    checks: {
      geo_location_check: {
        locations: [{ country_code: 'NL', city_name: '' }, { country_code: 'DE' }],
        action: 'allow',
      },
      peer_network_range_check: { ranges: ['2001:DB8::/64', '10.0.0.5/8'], action: 'deny' },
      process_check: { processes: [{ linux_path: '/b', mac_path: '' }, { linux_path: '/a' }] },
    },
  },
  notification_channel: {
    type: 'webhook',
    target: {
      url: 'https://hooks.example.com',
      headers: { B: { $secret: 'b' }, A: { $secret: 'a' } },
    },
    event_types: ['b', 'a'],
  },
};

/** The same value with its mappings written in another order, and lists in another where order means nothing. */
function shuffled(value: Json, shape: Shape | undefined): Json {
  if (isList(value)) {
    const list = shape?.type === 'list' ? shape : undefined;
    const items = value.map(item => shuffled(item, list?.items));
    return list?.set === false ? items : items.reverse();
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, shuffled(item, shapeOf(shape, key))] as const,
  );
  return Object.fromEntries(entries.reverse());
}

function shapeOf(shape: Shape | undefined, name: string): Shape | undefined {
  if (shape?.type === 'dict') return shape.values;
  return shape?.type === 'object' ? shape.fields.get(name)?.shape : undefined;
}

/** What the kinds give as examples of themselves, and better ones where they leave much unsaid. */
const samples: [string, Fields][] = [...KINDS.values()].map(({ name, schema }) => {
  const [example] = isList(schema.examples) ? schema.examples.filter(isObject) : [];
  return [name, SAMPLES[name] ?? present(example, `an example of ${name}`)];
});

describe.each(samples)('%s', (kind, fields) => {
  test.each(SIDES)('is unchanged by a second run, %s', side => {
    const once = canonical(kind, fields, side);
    expect(canonical(kind, once, side)).toEqual(once);
  });

  test.each(SIDES)('does not depend on the order of the input, %s', side => {
    const turned = canonical(kind, shuffled(fields, shape(kind)) as Fields, side);
    expect(JSON.stringify(turned)).toBe(JSON.stringify(canonical(kind, fields, side)));
  });

  test('omits values of the server', () => {
    const read = {
      ...fields,
      id: 'x',
      issued: 'api',
      peers_count: 1,
      resources: [{ id: 'r' }],
      network_type: 'IPv4',
    };
    expect(canonical(kind, read, 'live')).toEqual(canonical(kind, fields, 'live'));
  });
});

describe('a missing value', () => {
  test('keeps the live value, if the field has no default', () => {
    expect(canonical('group', { name: 'a' }, 'desired')).toEqual({ name: 'a' });
  });

  test('is the default on the desired side', () => {
    const { enabled, source_posture_checks } = canonical(
      'policy',
      { name: 'a', rules: [] },
      'desired',
    );
    expect({ enabled, source_posture_checks }).toEqual({
      enabled: true,
      source_posture_checks: [],
    });
  });

  test('is the zero on the live side: false, "", [] and {}', () => {
    const live = canonical('policy', { name: 'a', rules: [RULE] }, 'live');
    expect(live).toMatchObject({ enabled: false, description: '', source_posture_checks: [] });
    expect(live.rules).toMatchObject([{ enabled: false, ports: [], authorized_groups: {} }]);
  });

  test('is not a number on the live side', () => {
    expect(canonical('network_router', { peer: 'a' }, 'live')).not.toHaveProperty('metric');
  });

  test('equals null', () => {
    const nulls = {
      name: 'a',
      description: null,
      enabled: null,
      source_posture_checks: null,
      rules: null,
    };
    for (const side of SIDES) {
      expect(canonical('policy', nulls, side)).toEqual(canonical('policy', { name: 'a' }, side));
    }
  });

  test('equals an empty string inside a value', () => {
    const check = (processes: Json) => ({ name: 'a', checks: { process_check: { processes } } });
    const empty = check([{ linux_path: '/a', mac_path: '', windows_path: '' }]);
    const bare = check([{ linux_path: '/a' }]);
    expect(canonical('posture_check', empty, 'live').checks).toEqual(
      canonical('posture_check', bare, 'desired').checks,
    );
  });
});

describe('of fields that exclude each other', () => {
  // What the server reads back beside the field that counts (docs/server-behaviour.md#network-routers,
  // docs/server-behaviour.md#routes).
  test('an empty one counts as missing', () => {
    const live = canonical(
      'network_router',
      { peer: '', peer_groups: ['a'], masquerade: true },
      'live',
    );
    expect(live).not.toHaveProperty('peer');
    expect(
      canonical('network_router', { peer: 'a', peer_groups: null }, 'live'),
    ).not.toHaveProperty('peer_groups');
  });

  test('the declared one stays, although it is empty', () => {
    const rules = [{ name: 'a', protocol: 'all', sources: [], destinationResource: { peer: 'p' } }];
    expect(canonical('policy', { name: 'a', rules }, 'desired').rules).toMatchObject([
      { sources: [] },
    ]);
  });

  test('no more than one is ever left', () => {
    const side = fc.constantFrom(...SIDES);
    const texts = fc.constantFrom(undefined, null, '', 'a');
    const lists = fc.constantFrom(undefined, null, [], ['a']);
    fc.assert(
      fc.property(side, texts, lists, (of, peer, groups) => {
        const written = {
          ...(peer !== undefined && { peer }),
          ...(groups !== undefined && { peer_groups: groups }),
        };
        const found = canonical('network_router', written, of);
        expect('peer' in found && 'peer_groups' in found).toBe(false);
      }),
    );
  });
});

describe('a reference', () => {
  test('a reference as a list of names is its key', () => {
    const rule = (network_resource: Json) => ({
      name: 'a',
      rules: [
        { name: 'r', protocol: 'all', sources: ['g'], destinationResource: { network_resource } },
      ],
    });
    expect(canonical('policy', rule(['production', 'a/b']), 'desired')).toEqual(
      canonical('policy', rule('production/a\\/b'), 'desired'),
    );
  });
});

describe('a secret', () => {
  test('stays unchanged', () => {
    const headers = { 'X-Key': { $secret: '${env:KEY}' } };
    const channel = {
      type: 'webhook',
      target: { url: 'https://a.example', headers },
      event_types: [],
    };
    expect(canonical('notification_channel', channel, 'desired').target).toMatchObject({ headers });
  });
});
