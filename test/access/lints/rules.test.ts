// The lints about rules that other rules cover, and rules that match nobody.
import { describe, expect, test } from 'vitest';
import { type Case, foundBy } from './linted.ts';

const BASE = `groups: [{ name: staff }, { name: dba }, { name: dbs }, { name: gateways }, { name: addresses }]
peers: [{ name: laptop, groups: [staff] }, { name: server }]
posture_checks:
  - { name: linux, checks: { os_version_check: { linux: { min_kernel_version: "6.1" } } } }
  - { name: windows, checks: { os_version_check: { windows: { min_kernel_version: "10" } } } }
  - { name: both, checks: { os_version_check: { linux: { min_kernel_version: "5" }, windows: { min_kernel_version: "10" } } } }
  - { name: berlin, checks: { geo_location_check: { action: allow, locations: [{ country_code: DE, city_name: Berlin }] } } }
  - { name: not-de, checks: { geo_location_check: { action: deny, locations: [{ country_code: DE }] } } }
  - { name: not-hamburg, checks: { geo_location_check: { action: deny, locations: [{ country_code: DE, city_name: Hamburg }] } } }
networks:
  - name: prod
    routers: [{ peer_groups: [gateways], masquerade: true }]
    resources: [{ name: db, address: 10.0.0.5, groups: [addresses] }]
policies:
`;
const policy = (name: string, rule: string, checks = '') =>
  `  - { name: ${name}, source_posture_checks: [${checks}], rules: [{ name: r, ${rule} }] }\n`;
const ignoring = (text: string, field: string) =>
  text.replace(/ }\n$/, `, lifecycle: { ignore: [${field}] } }\n`);
const files = (...policies: readonly string[]) => BASE + policies.join('');

const WIDE = 'sources: [staff, dba], destinations: [dbs], protocol: tcp';
const NARROW = 'sources: [staff], destinations: [dbs], protocol: tcp, ports: ["22"]';
const DROP = 'action: drop, sources: [staff], destinations: [dbs], protocol: all';
const AT = '15:';

const COVERED: readonly Pick<Case, 'what' | 'fires' | 'silent'>[] = [
  {
    what: 'wider ports and sources',
    fires: files(policy('b', NARROW), policy('a', WIDE)),
    silent: files(policy('b', NARROW.replace('tcp', 'udp')), policy('a', WIDE)),
  },
  {
    what: 'All, which holds no network resource',
    fires: files(policy('b', NARROW), policy('a', WIDE.replace('[dbs]', '[All]'))),
    silent: files(
      policy('b', NARROW.replace('[dbs]', '[addresses]')),
      policy('a', WIDE.replace('[dbs]', '[All]')),
    ),
  },
  {
    what: 'the network resources of a group',
    fires: files(
      policy(
        'b',
        'sources: [dba], destinationResource: { network_resource: prod/db }, protocol: tcp',
      ),
      policy('a', 'sources: [staff, dba], destinations: [addresses], protocol: tcp'),
    ),
    silent: files(
      policy(
        'b',
        'sources: [dba], destinationResource: { network_resource: prod/db }, protocol: tcp',
      ),
      policy('a', 'sources: [staff, dba], destinations: [dbs], protocol: tcp'),
    ),
  },
  {
    what: 'weaker posture, not stronger',
    fires: files(policy('b', NARROW, 'both, linux'), policy('a', WIDE, 'both')),
    silent: files(policy('b', NARROW, 'both'), policy('a', WIDE, 'both, linux')),
  },
  {
    what: 'a drop rule takes everything away',
    fires: files(policy('b', NARROW), policy('a', DROP)),
    silent: files(policy('b', NARROW), policy('a', DROP, 'both')),
  },
  {
    what: 'a member of the group, where no posture check is demanded',
    fires: files(
      policy(
        'b',
        'sourceResource: { peer: laptop }, destinationResource: { peer: server }, protocol: icmp',
      ),
      policy('a', 'sources: [staff], destinations: [All], protocol: all'),
    ),
    silent: files(
      policy(
        'b',
        'sourceResource: { peer: laptop }, destinationResource: { peer: server }, protocol: icmp',
      ),
      policy('a', 'sources: [staff], destinations: [All], protocol: all', 'both'),
    ),
  },
  {
    what: 'in one direction, not in both',
    fires: files(policy('b', NARROW), policy('a', `${WIDE}, bidirectional: true`)),
    silent: files(policy('b', `${NARROW}, bidirectional: true`), policy('a', WIDE)),
  },
  {
    what: 'while the other one is enabled',
    fires: files(policy('b', NARROW), policy('a', `${WIDE}, enabled: true`)),
    silent: files(policy('b', NARROW), policy('a', `${WIDE}, enabled: false`)),
  },
];

describe('RULE_SHADOWED', () => {
  test.each(COVERED)('$what', ({ fires, silent }) => {
    const found = foundBy('RULE_SHADOWED', fires);
    expect(found.map(({ at }) => `${at?.line}:`)).toEqual([AT]);
    expect(found[0]?.message).toContain('rule `r` of policy `a` (network.yaml:16:');
    expect(foundBy('RULE_SHADOWED', silent)).toEqual([]);
  });

  test('the users who may log in by SSH are part of the rule', () => {
    const ssh = (users: string) =>
      `sources: [staff], destinations: [dbs], protocol: netbird-ssh, ports: ["22"], authorized_groups: { staff: [${users}] }`;
    expect(
      foundBy('RULE_DUPLICATE', files(policy('a', ssh('root')), policy('b', ssh('root')))),
    ).toHaveLength(1);
    expect(
      foundBy('RULE_DUPLICATE', files(policy('a', ssh('root')), policy('b', ssh('dev')))),
    ).toEqual([]);
  });

  test('a rule between all machines that covers several rules is one finding, about this rule', () => {
    const all = policy('Default', 'sources: [All], destinations: [All], protocol: all');
    const found = foundBy(
      'RULE_SHADOWED',
      files(all, policy('a', NARROW), policy('b', WIDE), policy('c', NARROW)),
    );
    expect(found.map(({ at }) => at?.line)).toEqual([15]);
    expect(found[0]?.message).toMatch(
      /^3 rules have no effect, because rule `r` of policy `Default` accepts all of it: rule `r` of policy `a` \(network.yaml:16:\d+\), /,
    );
    const silenced = policy('a', NARROW).replace(
      ' }] }',
      ' }], lifecycle: { lint_ignore: { RULE_SHADOWED: "until autumn" } } }',
    );
    expect(foundBy('RULE_SHADOWED', files(all, silenced, policy('b', WIDE)))).toHaveLength(1);
  });

  test('a finding that depends on undeclared objects says so', () => {
    const [found] = foundBy(
      'RULE_SHADOWED',
      files(policy('b', NARROW), policy('a', WIDE.replace('[dbs]', '[All]'))),
    );
    expect(found?.message).toMatch(/considering only the declared network resources and routes$/);
  });
});

test('RULE_DUPLICATE: reports the second of two equal rules, and no rule that differs', () => {
  const twice = files(policy('a', NARROW), policy('b', NARROW));
  const found = foundBy('RULE_DUPLICATE', twice);
  expect(found.map(({ at }) => at?.line)).toEqual([16]);
  expect(found[0]?.message).toContain(
    'rule `r` of policy `b` has the same effect as rule `r` of policy `a`',
  );
  expect(foundBy('RULE_SHADOWED', twice)).toEqual([]);
  const other = files(policy('a', NARROW), policy('b', NARROW.replace('22', '23')));
  expect(foundBy('RULE_DUPLICATE', other)).toEqual([]);
});

// An apply leaves an ignored field as the account has it.
describe('no rule covers another by what the files have in a field of `lifecycle.ignore`:', () => {
  const a = policy('a', WIDE);
  const b = policy('b', NARROW);
  const covered = (text: string) =>
    ['RULE_SHADOWED', 'RULE_DUPLICATE'].flatMap(code => foundBy(code, text).map(one => one.code));
  test.each(['enabled', 'rules', 'source_posture_checks'])('%s of either policy', field => {
    expect(covered(files(b, ignoring(a, field)))).toEqual([]);
    expect(covered(files(ignoring(b, field), a))).toEqual([]);
    expect(covered(files(ignoring(a, field), policy('c', WIDE)))).toEqual([]);
    expect(covered(files(policy('c', WIDE), ignoring(a, field)))).toEqual([]);
  });

  test('a description decides nothing', () => {
    expect(covered(files(b, ignoring(a, 'description')))).toEqual(['RULE_SHADOWED']);
    expect(covered(files(ignoring(a, 'description'), policy('c', WIDE)))).toEqual([
      'RULE_DUPLICATE',
    ]);
  });

  test('the members of a group', () => {
    const one = policy(
      'b',
      'sourceResource: { peer: laptop }, destinationResource: { peer: server }, protocol: icmp',
    );
    const text = files(one, policy('a', 'sources: [staff], destinations: [All], protocol: all'));
    expect(covered(text)).toEqual(['RULE_SHADOWED']);
    expect(
      covered(text.replace('{ name: staff }', '{ name: staff, lifecycle: { ignore: [peers] } }')),
    ).toEqual([]);
  });

  test('the groups of a network resource', () => {
    const one = policy(
      'b',
      'sources: [dba], destinationResource: { network_resource: prod/db }, protocol: tcp',
    );
    const text = files(
      one,
      policy('a', 'sources: [staff, dba], destinations: [addresses], protocol: tcp'),
    );
    const ignored = (whole: string) =>
      whole.replace('groups: [addresses]', '$&, lifecycle: { ignore: [groups] }');
    expect(covered(text)).toEqual(['RULE_SHADOWED']);
    expect(covered(ignored(text))).toEqual([]);
    // The network resource may be in any group.
    const all = files(b, policy('a', WIDE.replace('[dbs]', '[All]')));
    expect(covered(all)).toEqual(['RULE_SHADOWED']);
    expect(covered(ignored(all))).toEqual([]);
  });
});

const NOBODY: readonly Pick<Case, 'what' | 'fires' | 'silent' | 'dialect'>[] = [
  {
    what: 'no sources',
    fires: files(policy('p', 'sources: [], destinations: [dbs], protocol: icmp')),
    silent: files(policy('p', 'sources: [dba], destinations: [dbs], protocol: icmp')),
  },
  {
    what: 'a peer and itself',
    fires: files(
      policy(
        'p',
        'sourceResource: { peer: laptop }, destinationResource: { peer: laptop }, protocol: icmp',
      ),
    ),
    silent: files(
      policy(
        'p',
        'sourceResource: { peer: laptop }, destinationResource: { peer: server }, protocol: icmp',
      ),
    ),
  },
  {
    what: 'posture checks for different systems',
    fires: files(policy('p', NARROW, 'linux, windows')),
    silent: files(policy('p', NARROW, 'linux, both')),
  },
  {
    what: 'a place that another check denies',
    fires: files(policy('p', NARROW, 'berlin, not-de')),
    silent: files(policy('p', NARROW, 'berlin, not-hamburg')),
  },
  {
    what: 'the routing peers of the network resource',
    fires: files(policy('p', 'sources: [gateways], destinations: [addresses], protocol: icmp')),
    silent: files(
      policy('p', 'sources: [gateways, dba], destinations: [addresses], protocol: icmp'),
    ),
  },
  {
    what: 'a source beside the single peer that the first rule delivers to',
    dialect: 'spec',
    fires: `${BASE}  - name: p
    rules:
      - { name: one, sourceResource: { peer: laptop }, destinations: [addresses], protocol: icmp }
      - { name: two, sources: [dba], destinations: [addresses], protocol: tcp }
`,
    silent: `${BASE}  - name: p
    rules:
      - { name: two, sources: [dba], destinations: [addresses], protocol: tcp }
      - { name: three, sources: [staff], destinations: [addresses], protocol: icmp }
`,
  },
];

describe('RULE_MATCHES_NOBODY', () => {
  test.each(NOBODY)('$what', ({ fires, silent, dialect }) => {
    expect(foundBy('RULE_MATCHES_NOBODY', fires, dialect)).toHaveLength(1);
    expect(foundBy('RULE_MATCHES_NOBODY', silent, dialect)).toEqual([]);
  });

  const empty = policy('p', 'sources: [], destinations: [dbs], protocol: icmp');
  const checked = policy('p', NARROW, 'linux, windows');
  test.each([
    ['empty sources', 'rules', empty, 0],
    ['empty sources', 'source_posture_checks', empty, 1],
    ['checks that nobody passes', 'source_posture_checks', checked, 0],
    ['checks that nobody passes', 'rules', checked, 0],
    ['checks that nobody passes', 'enabled', checked, 1],
  ] as const)('%s, with `%s` in `lifecycle.ignore`', (_, field, text, count) => {
    expect(foundBy('RULE_MATCHES_NOBODY', files(ignoring(text, field)))).toHaveLength(count);
  });
});
