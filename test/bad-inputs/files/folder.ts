// What lies in a folder besides, and bad project files.
import { mkdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../support/git.ts';
import { pipe } from '../../support/specialFiles.ts';
import type { Row } from '../row.ts';
import { GROUPS, type Said } from './said.ts';

export const FOLDER: readonly (Omit<Row, 'argv' | 'code' | 'says'> & Partial<Row>)[] = [
  { title: 'a folder that is not there', help: 'path', says: 'SOURCE_UNREADABLE' },
  {
    title: 'a folder of nothing',
    make: ({ cwd }) => void mkdirSync(join(cwd, 'net')),
    help: 'init',
    says: 'SOURCE_EMPTY',
  },
  {
    title: 'a layer of the project file that is missing',
    files: { 'net/a.yaml': GROUPS, 'net/meshform.yaml': 'layers: [../base, .]\n' },
    help: 'remove it from the layers',
    says: 'LAYER_INVALID',
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

export const PROJECT: readonly Said[] = [
  ['a project file that is no YAML', 'url: "https://x\n', 'SOURCE_YAML', 'closing quote'],
  ['a project file that is a list', '- url\n', 'SCHEMA_TYPE', 'its keys'],
  [
    'a key of the project file that is not known',
    'servr: x\n',
    'SCHEMA_UNKNOWN_FIELD',
    'allowed here',
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
  [
    'an access threshold that is no number',
    'access_thresholds: { gained: few }\n',
    'SCHEMA_TYPE',
    'of that type',
  ],
  [
    'an access threshold below nothing',
    'access_thresholds: { lost: -1 }\n',
    'SCHEMA_RANGE',
    'a number',
  ],
  [
    'an access threshold that is not known',
    'access_thresholds: { won: 1 }\n',
    'SCHEMA_UNKNOWN_FIELD',
    'gained',
  ],
  ['access thresholds without any', 'access_thresholds: {}\n', 'SCHEMA_COUNT', 'gained'],
  ['guarded that is a text', 'guarded: group/a\n', 'SCHEMA_TYPE', '['],
  ['a guarded number', 'guarded: [22]\n', 'SCHEMA_TYPE', 'of that type'],
  [
    'a guarded way in without an end',
    'guarded: [{ from: peer/a }]\n',
    'SCHEMA_MISSING_FIELD',
    'to',
  ],
  [
    'a guarded entry with more than a way in',
    'guarded: [{ from: peer/a, to: group/a, via: x }]\n',
    'SCHEMA_UNKNOWN_FIELD',
    'from',
  ],
  ['a guarded target that is no selector', 'guarded: [gruop/a]\n', 'PROJECT_INVALID', 'group/NAME'],
  [
    'a guarded port that is none',
    'guarded: ["group/a:tcp/70000"]\n',
    'PROJECT_INVALID',
    ':tcp/443',
  ],
  [
    'a guarded source that is no selector',
    'guarded: [{ from: nobody, to: group/a }]\n',
    'PROJECT_INVALID',
    'peer/NAME',
  ],
  ['one guarded target twice', 'guarded: [group/a, group/a]\n', 'SCHEMA_VALUE', 'keep one'],
  ['an exclude that is a text', 'exclude: charts\n', 'SCHEMA_TYPE', '['],
];

export const folderRow = (row: (typeof FOLDER)[number]): Row => ({
  argv: ['validate', 'net'],
  code: 3,
  says: 'SOURCE_UNREADABLE',
  ...row,
});
