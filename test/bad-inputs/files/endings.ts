// Ends that are none, that nothing can carry out, or that could give access; and grants beyond their limits.
import type { Row } from '../row.ts';
import { GROUPS, group, inFile, type Said, WEB } from './said.ts';

const UNTIL = 'lifecycle: { until: 2036-12-01 }';
const MEMBER = '{ name: m, until: 2036-12-01 }';
const ending = (more: string) => `${GROUPS}policies: [{ name: p, ${more}, rules: [{ ${WEB} }] }]\n`;
const rule = (more: string) => `${GROUPS}policies: [{ name: p, rules: [{ ${more} }] }]\n`;

export const ENDS: readonly Said[] = [
  ['an end that is a word', ending('lifecycle: { until: friday }'), 'SCHEMA_FORMAT', '2026-12-01'],
  ['an end on 31 April', ending('lifecycle: { until: 2036-04-31 }'), 'calendar', '2026-12-01'],
  ['an end at 25 o’clock', ending('lifecycle: { until: 2036-04-01T25:00Z }'), 'calendar', '2026'],
  ['an end without a zone', ending('lifecycle: { until: 2036-04-01T10:00 }'), 'zone', 'add `Z`'],
  [
    'an end in a named zone',
    ending('lifecycle: { until: 2036-04-01T10:00 CET }'),
    'SCHEMA_FORMAT',
    'Z',
  ],
  ['an end that is a number', ending('lifecycle: { until: 20361201 }'), 'SCHEMA_TYPE', 'quotes'],
  ['an end that is a list', ending('lifecycle: { until: [2036-12-01] }'), 'SCHEMA_TYPE', 'remove'],
  ['an empty end', ending('lifecycle: { until: "" }'), 'SCHEMA_LENGTH', 'remove'],
  ['an end without a value', ending('lifecycle: { until: }'), 'SCHEMA_TYPE', 'remove'],
  [
    'an end with protect',
    ending('lifecycle: { until: 2036-12-01, protect: true }'),
    'SCHEMA_COMBINATION',
    'keep one',
  ],
  [
    'an end with delete',
    ending('lifecycle: { until: 2036-12-01, delete: true }'),
    'SCHEMA_COMBINATION',
    'keep one',
  ],
  ['an end of a network', `networks: [{ name: n, ${UNTIL} }]\n`, 'END_REFUSED', 'delete: true'],
  [
    'an end of a posture check',
    `posture_checks: [{ name: c, checks: { nb_version_check: { min_version: 0.50.0 } }, ${UNTIL} }]\n`,
    'END_REFUSED',
    'remove',
  ],
  [
    'an end of what denies',
    `${GROUPS}policies: [{ name: p, ${UNTIL}, rules: [{ ${WEB}, action: drop }] }]\n`,
    'END_REFUSED',
    'separate object',
  ],
  [
    'a member of what denies',
    rule(
      'name: r, sources: [{ name: a, until: 2036-12-01 }], destinations: [b], protocol: all, action: drop',
    ),
    'END_REFUSED',
    'only the name',
  ],
  [
    'a member that is denied access',
    `groups: [{ name: a, peers: [${MEMBER}] }, { name: b }]\npolicies: [{ name: p, rules: [{ ${WEB}, action: drop }] }]\n`,
    'END_REFUSED',
    'another object',
  ],
  [
    'a group that ends before its user',
    `${group(UNTIL)}users: [{ email: a@example.com, name: A, role: user, auto_groups: [a] }]\n`,
    'END_REFUSED',
    'not later',
  ],
  [
    'a member with an end of a list that has none',
    'setup_keys: [{ name: k, type: one-off, expires_in: 86400, auto_groups: [{ name: a, until: 2036-12-01 }] }]\n',
    'END_REFUSED',
    'meshform explain',
  ],
  [
    'a member without a name',
    group('peers: [{ until: 2036-12-01 }]'),
    'SCHEMA_MISSING_FIELD',
    'until: 2026',
  ],
  ['a member without an end', group('peers: [{ name: m }]'), 'SCHEMA_MISSING_FIELD', 'until: 2026'],
  [
    'a member with more',
    group('peers: [{ name: m, until: 2036-12-01, why: x }]'),
    'SCHEMA_UNKNOWN_FIELD',
    'name: c',
  ],
  [
    'a member of a hostile key',
    group('peers: [{ name: m, until: 2036-12-01, __proto__: x }]'),
    '__proto__',
    'name: c',
  ],
  [
    'a member whose name is a list',
    group('peers: [{ name: [m], until: 2036-12-01 }]'),
    'SCHEMA_TYPE',
    'name: c',
  ],
  [
    'a member twice, once with an end',
    group(`peers: [m, ${MEMBER}]`),
    'MEMBERSHIP_CONTRADICTED',
    'keep one',
  ],
  [
    'a member twice, with two ends',
    group(`peers: [${MEMBER}, { name: m, until: 2036-12-02 }]`),
    'MEMBERSHIP_CONTRADICTED',
    'keep one',
  ],
  [
    'an end of a member that is ignored',
    group(`peers: [${MEMBER}], lifecycle: { ignore: [peers] }`),
    'END_REFUSED',
    'remove one',
  ],
];

const granted = (title: string, text: string, says: string, help: string, project = ''): Row => ({
  ...inFile()([title, GROUPS, says, help]),
  files: {
    'net/a.yaml': GROUPS,
    'net/grants/g.yaml': text,
    'net/meshform.yaml': project === '' ? 'exclude: []\n' : project,
  },
});

const GRANT = `policies: [{ name: p, ${UNTIL}, rules: [{ ${WEB} }] }]\n`;

export const GRANTS: readonly Row[] = [
  granted(
    'a grant without an end',
    GRANT.replace(UNTIL, 'enabled: true'),
    'GRANT_REFUSED',
    'until',
  ),
  granted(
    'a grant that takes over a policy',
    GRANT.replace('name: p,', 'name: p, lifecycle: { was: old, until: 2036-12-01 },').replace(
      `${UNTIL}, `,
      '',
    ),
    'GRANT_REFUSED',
    'must create a new object',
  ),
  granted('a grant beyond its time', GRANT, 'GRANT_REFUSED', 'earlier', 'grants: { max: 8h }\n'),
  granted(
    'a grant from elsewhere',
    GRANT,
    'GRANT_REFUSED',
    'it allows',
    'grants: { from: [group/x] }\n',
  ),
  granted(
    'a grant to elsewhere',
    GRANT,
    'GRANT_REFUSED',
    'it allows',
    'grants: { to: ["group/b:tcp/22"] }\n',
  ),
  granted('a limit without a unit', GRANT, 'SCHEMA', 'quotes', 'grants: { max: 8 }\n'),
  granted('a limit of nothing', GRANT, 'SCHEMA', 'max, from, to', 'grants: {}\n'),
  granted(
    'a limit of an address',
    GRANT,
    'PROJECT_INVALID',
    'group/contractors',
    'grants: { to: [10.0.0.0/8] }\n',
  ),
];
