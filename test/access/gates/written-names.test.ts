// Names that lead to an address without a record of the account: those with an address in them, and short names.
import { describe, expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { addressesInName } from '../../../src/access/world/addressesInName.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { Json } from '../../../src/model/value.ts';
import { recordOf, resourceAt, routeTo, stateWith, zoneOf } from './roads.ts';

describe('the addresses in a name', () => {
  test.each<readonly [string, readonly string[]]>([
    ['10.20.0.5.nip.io', ['10.20.0.5']],
    ['app.10.20.0.5.nip.io', ['10.20.0.5']],
    ['app-10-20-0-5.example.com', ['10.20.0.5']],
    ['1.10.20.0.5.nip.io', ['1.10.20.0', '10.20.0.5']],
    ['0a140005.nip.io', ['10.20.0.5']],
    ['app-0a140005.sslip.io', ['10.20.0.5']],
    ['2001-db8--5.sslip.io', ['2001:db8::5']],
    ['*.10-20-0-5.nip.io', ['10.20.0.5']],
    ['*.nip.io', ['0.0.0.0/0']],
    ['*.5.nip.io', ['0.0.0.0/0']],
    ['*.io', ['0.0.0.0/0', '::/0']],
    ['nip.io', []],
    ['0a140005.example.com', []],
    ['2001-db8--5.example.com', []],
    ['10.20.0.nip.io', []],
    ['10.20.0.256.nip.io', []],
    ['v10.20.0.5a.example.com', []],
    ['10-20.0-5.example.com', []],
    ['*.example.com', []],
    ['wiki.notnip.io', []],
  ])('%s', (name, expected) => {
    expect(addressesInName(name)).toEqual(expected);
  });
});

const openedTo = (
  to: string,
  opened: Parameters<typeof stateWith>[0],
  zones: readonly Json[] = [],
) => {
  const pool = rowPool();
  const states = [stateWith({ zones }), stateWith({ ...opened, zones })];
  const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  return movedAccess({ before, after }, 'gained', { to: checkedSelector(to) }).length > 0;
};
const DB = 'network_resource/production/orders-db';
const copyAt = (name: string) => ({ resources: [resourceAt('r2', 'copy', name, 'g5')] });

describe('a network resource or route with such a name opens the address', () => {
  test.each([
    '10.20.0.5.nip.io',
    '0a140005.nip.io',
    'ip-10-20-0-5.compute.internal',
    '*.10-20-0-5.sslip.io',
    '*.nip.io',
  ])('%s', name => {
    expect(openedTo(DB, copyAt(name))).toBe(true);
    expect(openedTo('10.20.0.5', copyAt(name))).toBe(true);
    expect(openedTo(DB, { routes: [routeTo({ domains: [name] })] })).toBe(true);
  });

  test('a name that an alias leads to opens the address too', () => {
    const zones = [
      zoneOf('corp.test', ['g1'], [recordOf('a.corp.test', 'CNAME', '10.20.0.5.nip.io')]),
    ];
    expect(openedTo(DB, copyAt('a.corp.test'), zones)).toBe(true);
  });

  test.each(['10.20.0.6.nip.io', 'wiki.example.com', '*.example.com', '0a140005.example.com'])(
    '%s opens nothing guarded',
    name => {
      expect(openedTo(DB, copyAt(name))).toBe(false);
      expect(openedTo('peer/admin', copyAt(name))).toBe(false);
    },
  );
});

describe('a short name', () => {
  const zones = [
    zoneOf('corp.test', ['g1'], [recordOf('db.corp.test', 'A', '10.20.0.5')]),
    zoneOf('found.test', ['g1'], [recordOf('*.found.test', 'A', '10.20.0.5')], {
      enable_search_domain: true,
    }),
    zoneOf('other.test', ['g1'], [recordOf('*.other.test', 'A', '100.64.0.3')]),
  ];
  test('leads to a record of any zone, and to wildcards of those that are searched', () => {
    expect(openedTo(DB, copyAt('db'), zones)).toBe(true);
    expect(openedTo(DB, copyAt('whatever'), zones)).toBe(true);
    expect(openedTo(DB, copyAt('db'), zones.slice(0, 1))).toBe(true);
    expect(openedTo(DB, copyAt('whatever'), zones.slice(0, 1))).toBe(false);
    expect(openedTo('peer/admin', copyAt('whatever'), zones)).toBe(false);
    expect(openedTo(DB, copyAt('a.whatever'), zones)).toBe(false);
  });

  test('leads to the machine of that name', () => {
    for (const name of ['admin', 'Admin', 'ops'])
      expect(openedTo('peer/admin', copyAt(name))).toBe(true);
    expect(openedTo('peer/admin', copyAt('mia'))).toBe(false);
  });

  test.each<[string, string, string, readonly Json[]]>([
    ['a machine', 'peer/admin', 'admin', []],
    ['a machine, in another case', 'peer/admin', 'ADMIN', []],
    ['a record of any zone', DB, 'db', []],
    ['a wildcard of a zone that is searched', DB, 'whatever', []],
    ['a name of two labels', DB, 'db.b', [recordOf('db.b.alias.test', 'A', '10.20.0.5')]],
    ['another alias', 'peer/admin', 'h.alias.test', [recordOf('h.alias.test', 'CNAME', 'admin')]],
  ])('a short name in an alias is resolved in the same way: %s', (_, to, target, records) => {
    const alias = recordOf('a.alias.test', 'CNAME', target);
    const all = [...zones, zoneOf('alias.test', ['g1'], [alias, ...records])];
    expect(openedTo(to, copyAt('a.alias.test'), all)).toBe(true);
    expect(openedTo(to, { routes: [routeTo({ domains: ['a.alias.test'] })] }, all)).toBe(true);
    expect(openedTo('10.9.9.9', copyAt('a.alias.test'), all)).toBe(false);
  });
});
