// The lints about groups, ranges and names.
import { describe, expect, test } from 'vitest';
import { foundBy } from './linted.ts';

const said = (code: string, text: string) => foundBy(code, text).map(({ message }) => message);

describe('GROUP_UNUSED', () => {
  const unused = (text: string) => said('GROUP_UNUSED', text);
  const GROUP = 'groups: [{ name: staff }]\n';

  test('finds a group that only has members', () => {
    const text = `${GROUP}setup_keys: [{ name: k, type: reusable, expires_in: 86400, auto_groups: [staff] }]\npeers: [{ name: p, groups: [staff] }]\n`;
    expect(unused(text)).toEqual([
      'group `staff` is not used by any declared object: membership in it has no effect',
    ]);
  });

  test.each([
    'policies: [{ name: p, enabled: false, rules: [{ name: r, sources: [staff], destinations: [All], protocol: icmp }] }]',
    'routes: [{ network_id: r, network: 10.0.0.0/8, peer: p, masquerade: true, groups: [staff], access_control_groups: [All] }]',
    'networks: [{ name: n, routers: [{ peer_groups: [staff], masquerade: true }] }]',
    'access_tests: [{ name: t, from: group/staff, deny: [all] }]',
  ])('does not report a group that is used: %s', use => {
    expect(unused(`${GROUP}${use}\n`)).toEqual([]);
  });
});

describe('RANGE_REDUNDANT', () => {
  const ranges = (list: string) =>
    said(
      'RANGE_REDUNDANT',
      `policies: [{ name: p, rules: [{ name: r, sources: [All], destinations: [All], protocol: tcp, port_ranges: [${list}] }] }]\n`,
    );

  test.each([
    ['{ start: 80, end: 89 }, { start: 82, end: 85 }', ['lies within 80-89']],
    ['{ start: 82, end: 85 }, { start: 80, end: 89 }', ['the range 82-85 lies within 80-89']],
    ['{ start: 80, end: 89 }, { start: 85, end: 95 }', ['the ranges 80-89 and 85-95 overlap']],
    ['{ start: 80, end: 84 }, { start: 85, end: 89 }', []],
  ])('ports: %s', (list, parts) => {
    const found = ranges(list);
    expect(found).toHaveLength(parts.length);
    for (const part of parts) expect(found.join()).toContain(part);
  });

  test.each([
    ['10.0.0.0/8, 10.1.0.0/16', 1],
    ['10.0.0.0/16, 10.1.0.0/16', 0],
    ['"2001:db8::/32", "2001:db8:7::/48"', 1],
    ['0.0.0.0/0, "2001:db8::/32"', 0],
  ])('addresses of a posture check: %s', (list, count) => {
    const text = `posture_checks: [{ name: c, checks: { peer_network_range_check: { action: allow, ranges: [${list}] } } }]\n`;
    expect(said('RANGE_REDUNDANT', text)).toHaveLength(count);
  });

  const network = (groups: string, more = '') =>
    `groups: [{ name: a }, { name: b }]\nnetworks:\n  - name: n\n    resources:\n      - { name: all, address: 10.0.0.0/8, groups: [a] }\n      - { name: one, address: 10.1.2.3, groups: [${groups}] }\n${more}`;
  const NAMES = `policies: [{ name: p, rules: [{ name: r, sources: [b], destinationResource: { network_resource: n/one }, protocol: tcp }] }]\n`;

  test('a network resource within another network resource to which the same rules lead', () => {
    expect(said('RANGE_REDUNDANT', network('a'))).toEqual([
      'network resource `n/one` lies within `n/all`, which has the same groups, and no declared rule names it',
    ]);
    expect(said('RANGE_REDUNDANT', network('a, b'))).toEqual([]);
    expect(said('RANGE_REDUNDANT', network('a', NAMES))).toEqual([]);
  });
});

describe('NAMES_ALIKE', () => {
  const alike = (...names: readonly string[]) =>
    said(
      'NAMES_ALIKE',
      `groups:\n${names.map(name => `  - name: ${JSON.stringify(name)}\n`).join('')}`,
    );

  test.each([
    ['ops', 'Ops', 'upper and lower case'],
    ['web servers', 'web-servers', 'spaces, hyphens and underscores'],
    ['ops', 'оps', 'characters that look alike (U+043E)'],
    ['pool-l', 'pool-1', 'characters that look alike (U+0031)'],
    ['café', 'cafe', 'accents'],
    ['ops', 'op\u200bs', 'invisible characters'],
    ['ops', 'ops\u2800', 'invisible characters'],
    ['ops', 'ops\u{1d159}', 'invisible characters'],
    ['web servers', 'web\u3000servers', 'invisible characters'],
  ])('%s and %s', (one, other, difference) => {
    expect(alike(one, other).join()).toContain(`they differ only in ${difference}`);
    expect(alike(other, one)).toHaveLength(1);
  });

  test.each([
    ['ops', 'opts'],
    ['web-1', 'web-2'],
    ['prod-db', 'proddb'],
  ])('NAMES_ALIKE is not reported for %s and %s', (one, other) => {
    expect(alike(one, other)).toEqual([]);
  });

  test('a group that looks like All', () => {
    expect(alike('ALL').join()).toContain('which exists in every account');
  });

  test('resources of two networks, because their names are unique in the account; not objects of two kinds', () => {
    const text = `groups: [{ name: DB }]
networks:
  - { name: n1, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }
  - { name: n2, resources: [{ name: dB, address: 10.0.0.2, groups: [] }] }
`;
    expect(said('NAMES_ALIKE', text)).toHaveLength(1);
  });
});
