// Bad desired state: YAML that is none, fields that do not fit, values from outside, and what lies in a folder.
import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../support/git.ts';
import { pipe } from '../support/special.ts';
import type { Row } from './row.ts';

type Said = readonly [title: string, text: string | Uint8Array, says: string, help: string];

/** Rows of one file each, which is found bad offline. */
const inFile =
  (more: Partial<Row> = {}) =>
  ([title, text, says, help]: Said): Row => ({
    ...{ title, files: { 'net/a.yaml': text }, argv: ['validate', 'net'], code: 3, says, help },
    ...more,
  });

const GROUPS = 'groups: [{ name: a }, { name: b }]\n';
const policy = (rule: string, more = ''): string =>
  `${GROUPS}policies:\n  - { name: p, rules: [{ ${rule} }]${more} }\n`;
const WEB = 'name: r, sources: [a], destinations: [b], protocol: tcp, ports: ["80"]';
const resource = (fields: string): string =>
  `${GROUPS}networks: [{ name: n, resources: [{ name: r, ${fields} }] }]\n`;
const router = (fields: string): string => `networks: [{ name: n, routers: [{ ${fields} }] }]\n`;
const route = (fields: string): string =>
  `${GROUPS}routes: [{ network_id: r, description: d, groups: [a], peer_groups: [b], masquerade: true, metric: 9, ${fields} }]\n`;
const check = (checks: string): string => `posture_checks: [{ name: c, checks: { ${checks} } }]\n`;
const channel = (fields: string): string => `notification_channels: [{ ${fields} }]\n`;
const group = (fields: string): string => `groups: [{ name: a, ${fields} }]\n`;

const LAUGHS = `x-a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]
${[...'bcdefghi'].map((name, i) => `x-${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(', ')}]`).join('\n')}
groups: *i
`;

const YAML: readonly Said[] = [
  ['a tab that indents', 'groups:\n\t- name: a\n', 'a tab cannot indent', 'spaces'],
  ['a bracket that is not closed', 'groups: [{ name: a }\nx-b: 1\n', 'SOURCE_YAML', 'add'],
  ['a quote that is not closed', 'groups: [{ name: "a }]\n', 'SOURCE_YAML', 'comma'],
  ['a key written twice', 'groups: []\ngroups: []\n', 'SOURCE_DUPLICATE_KEY', 'one'],
  ['a field written twice', 'groups: [{ name: a, name: b }]\n', 'SOURCE_DUPLICATE_KEY', 'one'],
  ['an alias of nothing', 'groups: *nothing\n', 'SOURCE_YAML', '&name'],
  ['an alias in itself', 'groups: &a [{ name: *a }]\n', 'SOURCE_YAML', 'write it out'],
  ['aliases that multiply', LAUGHS, 'SOURCE_YAML', 'write out'],
  [
    'a merge of what is no mapping',
    'x-l: &l [1]\ngroups: [{ <<: *l, name: a }]\n',
    'SOURCE_YAML',
    'mapping',
  ],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${GROUPS}`, 'utf16le'), 'UTF-8', 'fix it'],
  ['bytes that are not UTF-8', Buffer.from([0x67, 0xff, 0xfe, 0x3a, 0x0a]), 'UTF-8', 'fix it'],
  ['a NUL in a name', 'groups: [{ name: "a\0b" }]\n', 'SOURCE_YAML', 'take it away'],
  ['NUL bytes alone', Buffer.alloc(4096), 'NUL', 'take it away'],
  ['a list at the top', '- name: a\n', 'SOURCE_NO_KIND', 'groups'],
  ['one word', 'hello\n', 'SOURCE_NO_KIND', 'groups'],
  ['nothing but a comment', '# nothing\n', 'SOURCE_NO_KIND', 'exclude'],
  ['a second document that is a list', `${GROUPS}---\n- a\n`, 'SOURCE_NO_KIND', 'groups'],
  ['an alias across documents', 'x-a: &a { name: a }\n---\ngroups: [*a]\n', 'SOURCE_YAML', '&name'],
  ['a tag of a language', 'groups: !!python/object:os.system [a]\n', 'tag', '${var:NAME}'],
  ['a tag of one’s own', 'groups: [{ name: !env TOKEN }]\n', 'tag', '${var:NAME}'],
  ['binary in a name', 'groups: [{ name: !!binary aGVsbG8= }]\n', 'tag', '${var:NAME}'],
  ['another version of YAML', '%YAML 1.1\n---\ngroups: []\n', '1.1', '%YAML'],
  ['nesting without an end', `groups: ${'['.repeat(5_000)}`, 'SOURCE_YAML', 'deep'],
  [
    'mappings in mappings',
    `groups: ${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}\n`,
    'SOURCE_YAML',
    'deep',
  ],
  ['a merge conflict', `<<<<<<< HEAD\n${GROUPS}=======\n>>>>>>> other\n`, 'conflict', 'side'],
  ['a template that nobody filled in', 'groups: {{ .Values.groups }}\n', 'SOURCE_YAML', ''],
  ['JSON that ends in the middle', '{"groups": [{"name": "a"', 'SOURCE_YAML', ''],
  ['a text that begins with @', 'groups: [{ name: @a }]\n', 'cannot begin with', 'quotes'],
  ['an escape that is none', 'groups: [{ name: "\\q" }]\n', 'escape', 'single quotes'],
  ['a key that is a list', '? [a, b]\n: 1\n', 'SOURCE_NO_KIND', ''],
  ['a kind that is misspelt', 'gruops: []\n', 'SOURCE_NO_KIND', 'groups'],
];

const VALUES: readonly Said[] = [
  [
    'an infinite number',
    router('peer_groups: [a], masquerade: true, metric: 1e400'),
    'SCHEMA_TYPE',
    'write a',
  ],
  [
    'not a number',
    router('peer_groups: [a], masquerade: true, metric: .nan'),
    'SCHEMA_TYPE',
    'write a',
  ],
  [
    'an old octal number',
    router('peer_groups: [a], masquerade: true, metric: 0o27777'),
    'SCHEMA_RANGE',
    'write a',
  ],
  [
    'a fraction where a whole number is',
    router('peer_groups: [a], masquerade: true, metric: 1.5'),
    'SCHEMA_TYPE',
    'write a',
  ],
  ['a date for a name', 'groups: [{ name: 2026-01-01T00:00:00Z, peers: 7 }]\n', 'SCHEMA_TYPE', '['],
  ['a number for a name', 'groups: [{ name: 42 }]\n', 'SCHEMA_TYPE', 'quotes'],
  ['yes for true', policy(`${WEB}, bidirectional: yes`), 'SCHEMA_TYPE', 'true'],
  ['a name that is empty', 'groups: [{ name: "" }]\n', 'SCHEMA_LENGTH', 'write a text'],
  ['an object without a name', 'groups: [{ peers: [] }]\n', 'SCHEMA_MISSING_FIELD', 'name'],
  ['a text for a list', 'groups: a\n', 'SCHEMA_TYPE', '- '],
  ['a member that is nothing', 'groups:\n  - name: a\n  -\n', 'SCHEMA_TYPE', '- name:'],
  ['a field that is not known', group('colour: red'), 'SCHEMA_UNKNOWN_FIELD', 'known here'],
  ['a field of another spelling', policy(`${WEB}, source: [a]`), 'SCHEMA_UNKNOWN_FIELD', 'sources'],
  ['a field of the server', group('peers_count: 3'), 'SCHEMA_READ_ONLY', 'leave it out'],
  [
    'the prototype as a field',
    group('__proto__: { admin: true }'),
    'SCHEMA_UNKNOWN_FIELD',
    'known here',
  ],
  ['a constructor as a kind', 'constructor: []\n', 'SOURCE_NO_KIND', 'groups'],
  [
    'a field that is missing',
    `${GROUPS}policies: [{ name: p }]\n`,
    'SCHEMA_MISSING_FIELD',
    'rules',
  ],
  [
    'a value that is none of those allowed',
    policy(WEB.replace('tcp', 'http')),
    'SCHEMA_VALUE',
    'one of',
  ],
  ['a port above all ports', policy(WEB.replace('80', '65536')), '65535', ''],
  [
    'a range that runs backwards',
    policy(`${WEB.replace('ports: ["80"]', 'port_ranges: [{ start: 9, end: 1 }]')}`),
    'ends before it starts',
    'change one',
  ],
  [
    'ports of a protocol without',
    policy(WEB.replace('tcp', 'icmp')),
    'SCHEMA_COMBINATION',
    'change one',
  ],
  [
    'no source at all',
    policy('name: r, destinations: [b], protocol: tcp, ports: ["1"]'),
    'SCHEMA',
    'add',
  ],
  [
    'two sources of one rule',
    policy(`${WEB}, sourceResource: { network_resource: n/r }`),
    'SCHEMA_EXCLUSIVE',
    'one of',
  ],
  [
    'an address that is none',
    resource('address: 10.0.0.256, groups: [a]'),
    'SCHEMA_FORMAT',
    '0 to 255',
  ],
  [
    'a domain with a blank',
    resource('address: "a b.example.com", groups: [a]'),
    '*.example.com',
    '',
  ],
  [
    'a metric of nought',
    router('peer_groups: [a], masquerade: true, metric: 0'),
    'SCHEMA_RANGE',
    'write a',
  ],
  [
    'a router of a peer and of groups',
    router('peer: x, peer_groups: [a], masquerade: true, metric: 1'),
    'SCHEMA_EXCLUSIVE',
    'one of',
  ],
  ['a route without a target', route('enabled: true'), 'SCHEMA_EXCLUSIVE', 'add one'],
  [
    'a route of domains and a network',
    route('network: 10.0.0.0/8, domains: [a.example.com]'),
    'SCHEMA_EXCLUSIVE',
    'one of',
  ],
  [
    'more domains than may be',
    route(`domains: [${Array.from({ length: 33 }, (_, i) => `d${i}.example.com`).join(', ')}]`),
    'at most 32',
    '',
  ],
  [
    'a network id that is too long',
    route('network: 10.0.0.0/8').replace('network_id: r', `network_id: ${'r'.repeat(41)}`),
    'at most 40',
    '',
  ],
  [
    'a check of nothing',
    'posture_checks: [{ name: c, checks: {} }]\n',
    'SCHEMA_COUNT',
    'it may hold',
  ],
  [
    'a version that is a number',
    check('nb_version_check: { min_version: 0.6 }'),
    'SCHEMA_TYPE',
    'quotes',
  ],
  [
    'a country that is none',
    check('geo_location_check: { action: allow, locations: [{ country_code: DEU }] }'),
    'SCHEMA',
    'ISO 3166',
  ],
  [
    'a key that has ended before it begins',
    'setup_keys: [{ name: k, type: one-off, expires_in: -5 }]\n',
    'at least 0',
    '',
  ],
  [
    'an e-mail address that is none',
    channel('type: email, target: { emails: [nobody] }, event_types: []'),
    'not an e-mail address',
    '',
  ],
  [
    'a channel whose target does not fit',
    channel('type: email, target: { url: "https://x.example.com" }, event_types: []'),
    'target.emails',
    'change one',
  ],
  ['one name twice', 'groups: [{ name: a }, { name: a }]\n', 'OBJECT_DUPLICATE', 'first'],
  [
    'one rule twice',
    `${GROUPS}policies:\n  - { name: p, rules: [{ ${WEB} }, { ${WEB} }] }\n`,
    'OBJECT_DUPLICATE',
    'told apart',
  ],
  [
    'a pointer without its network',
    policy(WEB.replace('destinations: [b]', 'destinationResource: { network_resource: r }')),
    'REF_MALFORMED',
    '[',
  ],
  [
    'a pointer by an id that is empty',
    policy(WEB.replace('[a]', '["id:"]')),
    'REF_MALFORMED',
    'id',
  ],
  [
    'a lifecycle that contradicts itself',
    group('lifecycle: { protect: true, delete: true }'),
    'SCHEMA_COMBINATION',
    'protect',
  ],
  ['a lifecycle of nothing', group('lifecycle: {}'), 'SCHEMA_COUNT', 'was'],
  [
    'a lifecycle for a field that is none',
    group('lifecycle: { ignore: [colour] }'),
    'LIFECYCLE_UNKNOWN_FIELD',
    'peers',
  ],
  [
    'one id for two objects',
    'groups: [{ name: a, lifecycle: { id: x } }, { name: b, lifecycle: { id: x } }]\n',
    'OBJECT_DUPLICATE',
    'first',
  ],
  [
    'a secret in the clear',
    channel(
      'type: webhook, target: { url: "https://h.example.com", headers: { X-Key: hunter2hunter2 } }, event_types: []',
    ),
    'SECRET_LITERAL',
    '${env:',
  ],
];

const OUTSIDE: readonly Said[] = [
  [
    'a variable that is not set',
    'groups: [{ name: "${var:NOWHERE}" }]\n',
    'INPUT_UNDEFINED',
    '--var NOWHERE=VALUE',
  ],
  ['a variable without a name', 'groups: [{ name: "${var:}" }]\n', 'INPUT_UNDEFINED', 'name'],
  [
    'a variable of another name',
    'groups: [{ name: "${var:two words}" }]\n',
    'INPUT_UNDEFINED',
    'letters',
  ],
  [
    'the environment in a name',
    'groups: [{ name: "${env:DB_PASSWORD}" }]\n',
    'INPUT_NOT_ALLOWED',
    '${var:DB_PASSWORD}',
  ],
  [
    'a file in a name',
    'groups: [{ name: "${file:../../outside/token}" }]\n',
    'INPUT_NOT_ALLOWED',
    '${var:',
  ],
  [
    'an encrypted file in a name',
    'groups: [{ name: "${sops:a.enc.yaml#x}" }]\n',
    'INPUT_FORBIDDEN',
    '${var:',
  ],
  [
    'our own token as a secret',
    channel('type: webhook, target: { url: "${env:MESHFORM_TOKEN}" }, event_types: []'),
    'INPUT_FORBIDDEN',
    'another name',
  ],
  [
    'a variable in a secret',
    channel(
      'type: webhook, target: { url: "https://h.example.com", headers: { X-Key: "${var:DB}" } }, event_types: []',
    ),
    'INPUT_FORBIDDEN',
    '${env:',
  ],
];

const secretFrom = (source: string): string =>
  channel(
    `type: webhook, target: { url: "https://h.example.com", headers: { X-Key: "${source}" } }, event_types: []`,
  );

/** Places of secrets: found bad by the apply that needs them. */
const SECRETS: readonly Said[] = [
  ['a secret that is not set', secretFrom('${env:NOWHERE}'), 'SECRET_UNDEFINED', 'NOWHERE'],
  [
    'a secret from a file that is not there',
    secretFrom('${file:nowhere.key}'),
    'SECRET_UNDEFINED',
    'nowhere.key',
  ],
  [
    'a secret from a file outside',
    secretFrom('${file:../../outside/token}'),
    'INPUT_FORBIDDEN',
    'folder',
  ],
  [
    'a secret from an absolute path',
    secretFrom('${file:/etc/hostname}'),
    'SECRET_UNDEFINED',
    'set it',
  ],
  [
    'an encrypted file that is not there',
    secretFrom('${sops:nowhere.enc.yaml#x}'),
    'nowhere.enc.yaml',
    '',
  ],
];

const FOLDER: readonly (Omit<Row, 'argv' | 'code' | 'says'> & Partial<Row>)[] = [
  { title: 'a folder that is not there', help: 'path', says: 'SOURCE_UNREADABLE' },
  {
    title: 'a folder of nothing',
    make: ({ cwd }) => void mkdirSync(join(cwd, 'net')),
    help: 'init',
    says: 'SOURCE_EMPTY',
  },
  {
    title: 'a file with an ending that is nearly right',
    files: { 'net/a.ymal': GROUPS },
    help: '.yaml',
    says: 'SOURCE_MISNAMED',
  },
  {
    title: 'a link that leads out',
    files: { 'net/b.yaml': GROUPS },
    links: { 'net/a.yaml': '../../outside/secrets.yaml' },
    help: 'exclude',
  },
  {
    title: 'a link to the environment of the process',
    files: { 'net/b.yaml': GROUPS },
    links: { 'net/a.yaml': '/proc/self/environ' },
    help: 'exclude',
  },
  {
    title: 'a link that leads to itself',
    files: { 'net/b.yaml': GROUPS },
    links: { 'net/a.yaml': 'a.yaml' },
    help: 'exclude',
  },
  {
    title: 'a link to nothing',
    files: { 'net/b.yaml': GROUPS },
    links: { 'net/a.yaml': 'gone.yaml' },
    help: 'exclude',
  },
  {
    title: 'a link to a folder',
    files: { 'net/b.yaml': GROUPS, 'more/a.yaml': GROUPS },
    links: { 'net/sub': '../more' },
    help: 'exclude',
  },
  {
    title: 'a pipe among the files',
    files: { 'net/b.yaml': GROUPS },
    make: ({ cwd }) => pipe(join(cwd, 'net/a.yaml')),
    help: 'exclude',
  },
  {
    title: 'a link to a device',
    files: { 'net/b.yaml': GROUPS },
    links: { 'net/a.yaml': '/dev/zero' },
    help: 'exclude',
  },
  {
    title: 'a submodule that is not checked out',
    files: {
      'net/b.yaml': GROUPS,
      '.gitmodules': '[submodule "net/sub"]\n\tpath = net/sub\n\turl = https://example.com/x.git\n',
    },
    make: ({ cwd }) => {
      git(cwd, 'init', '--quiet');
      mkdirSync(join(cwd, 'net/sub'));
    },
    help: 'exclude',
  },
  { title: 'the path is a pipe', make: ({ cwd }) => pipe(join(cwd, 'net')), help: 'folder' },
  { title: 'the path is a link in a circle', links: { net: 'net' }, help: 'path' },
  {
    title: 'a file that is larger than 2 GB',
    files: { 'net/a.yaml': '' },
    make: ({ cwd }) => truncateSync(join(cwd, 'net/a.yaml'), 2 ** 31 + 1),
    help: 'exclude',
  },
  { title: 'a name longer than names may be', argv: ['validate', 'n'.repeat(300)], help: 'path' },
  { title: 'a NUL in the path', argv: ['validate', 'n\u0000t'], help: 'path' },
];

const PROJECT: readonly Said[] = [
  ['a project file that is no YAML', 'url: "https://x\n', 'SOURCE_YAML', 'closing quote'],
  ['a project file that is a list', '- url\n', 'SCHEMA_TYPE', 'it holds'],
  [
    'a key of the project file that is not known',
    'servr: x\n',
    'SCHEMA_UNKNOWN_FIELD',
    'known here',
  ],
  ['an address without a scheme in it', 'url: api.example.com\n', 'SCHEMA_FORMAT', 'https://'],
  ['a dialect that is none', 'dialect: klingon\n', 'SCHEMA_VALUE', 'netbird'],
  ['a hazard that is none', 'allow: [DELETES_EVERYTHING]\n', 'PROJECT_INVALID', 'DELETES_OBJECT'],
  [
    'a threshold of a kind that is none',
    'thresholds: { gruops: { deletes: 1 } }\n',
    'PROJECT_INVALID',
    'groups',
  ],
  [
    'a share of more than all',
    'thresholds: { default: { share: 30 } }\n',
    'SCHEMA_RANGE',
    'write a number',
  ],
  [
    'a day that is none',
    'acknowledge: [{ object: group/a, reason: r, until: 2026-02-30 }]\n',
    'PROJECT_INVALID',
    '2026-12-31',
  ],
  [
    'a variable in the project file',
    'account: ${var:ACCOUNT}\n',
    'PROJECT_INVALID',
    'value itself',
  ],
  [
    'the environment in the project file',
    'url: ${env:MESHFORM_URL}\n',
    'PROJECT_INVALID',
    'MESHFORM_URL',
  ],
  ['what was once called inputs', 'inputs: [env:DB_PASSWORD]\n', 'PROJECT_INVALID', 'remove it'],
  ['two documents in the project file', 'account: a\n---\naccount: b\n', 'PROJECT_INVALID', '---'],
  ['an exclude that leaves nothing', 'exclude: ["**"]\n', 'SOURCE_EMPTY', '.yaml'],
  ['one key of the project file twice', 'account: a\naccount: b\n', 'SOURCE_DUPLICATE_KEY', 'one'],
  ['an exclude that is a text', 'exclude: charts\n', 'SCHEMA_TYPE', '['],
];

/** Faults that only the account can show. */
const AGAINST: readonly Said[] = [
  ['a pointer to nothing', policy(WEB.replace('[a]', '[nowhere]')), 'REF_UNKNOWN', 'declare'],
  [
    'an id that no object has',
    'groups: [{ name: a, lifecycle: { id: nowhere } }]\n',
    'PAIR_UNKNOWN_ID',
    'id',
  ],
  ['a group that is reserved', 'groups: [{ name: All }]\n', 'PAIR_RESERVED', 'without declaring'],
  [
    'a peer that never enrolled',
    'peers: [{ name: nobody }]\n',
    'PAIR_NOT_CREATABLE',
    'correct the name',
  ],
];

const folderRow = (row: (typeof FOLDER)[number]): Row => ({
  ...{ argv: ['validate', 'net'], code: 3, says: 'SOURCE_UNREADABLE' },
  ...row,
});

export const FILES: readonly Row[] = [
  ...YAML.map(inFile()),
  ...VALUES.map(inFile()),
  ...OUTSIDE.map(inFile()),
  ...SECRETS.map(inFile({ argv: ['apply', 'net', '--yes'] })),
  ...AGAINST.map(inFile({ argv: ['plan', 'net'] })),
  ...FOLDER.map(folderRow),
  ...PROJECT.map(
    ([title, text, says, help]): Row => ({
      ...{ title, files: { 'net/meshform.yaml': text, 'net/a.yaml': GROUPS } },
      ...{ argv: ['validate', 'net'], code: 3, says, help },
    }),
  ),
];
