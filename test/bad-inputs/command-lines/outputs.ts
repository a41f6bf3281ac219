// Bad places for outputs, and applies that nobody has allowed.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { device, pipe } from '../../support/specialFiles.ts';
import { GROUPS, type Line, NET } from './line.ts';

export const OUTPUTS: readonly Line[] = [
  [
    'a plan in the place of desired state',
    ['plan', 'net', '--out', 'net/a.yaml'],
    64,
    'net/a.yaml',
    '--force',
  ],
  [
    'a plan in the place of other JSON',
    ['plan', 'net', '--out', 'package.json'],
    64,
    'package.json',
    '--force',
    { files: { ...NET, 'package.json': '{"name": "x"}\n' } },
  ],
  [
    'a plan in a folder that is not there',
    ['plan', 'net', '--out', 'nowhere/p.json'],
    64,
    'nowhere/p.json',
    'folder',
  ],
  ['a plan in the place of a folder', ['plan', 'net', '--out', 'net'], 64, 'folder', 'file'],
  [
    'a plan through a link to another file',
    ['plan', 'net', '--out', 'p.json'],
    64,
    'p.json',
    '--force',
    { links: { 'p.json': '../outside/token' } },
  ],
  [
    'a plan through a link in a circle',
    ['plan', 'net', '--out', 'p.json'],
    64,
    'p.json',
    '',
    { links: { 'p.json': 'p.json' } },
  ],
  [
    'a plan below a file',
    ['plan', 'net', '--out', 'net/a.yaml/p.json'],
    64,
    'net/a.yaml/p.json',
    '',
  ],
  [
    'a plan of a name that is too long',
    ['plan', 'net', '--out', `${'p'.repeat(300)}.json`],
    64,
    'too long',
    '',
  ],
  [
    'a journal that is there',
    ['apply', 'net', '--yes', '--journal', 'net/a.yaml'],
    64,
    'net/a.yaml',
    '--journal',
  ],
  [
    'a journal in a folder that is not there',
    ['apply', 'net', '--yes', '--journal', 'nowhere/j.jsonl'],
    64,
    'nowhere',
    '',
  ],
  [
    'journals in the place of a file',
    ['apply', 'net', '--yes'],
    64,
    'net/a.yaml',
    '',
    { env: { MESHFORM_JOURNALS: 'net/a.yaml' } },
  ],
  [
    'fingerprints in a file of another kind',
    ['plan', 'net', '--fingerprints', 'net/a.yaml'],
    3,
    'net/a.yaml',
    '',
    { env: { MESHFORM_FINGERPRINT_KEY: 'a key of sixteen characters and more' } },
  ],
  [
    'fingerprints without a key',
    ['plan', 'net', '--fingerprints', 'f.json'],
    64,
    'MESHFORM_FINGERPRINT_KEY',
    '16',
  ],
  [
    'fingerprints with a key that is too short',
    ['plan', 'net', '--fingerprints', 'f.json'],
    64,
    'MESHFORM_FINGERPRINT_KEY',
    '16',
    { env: { MESHFORM_FINGERPRINT_KEY: 'short key' }, secrets: ['short key'] },
  ],
  [
    'an export in the place of a file that is none',
    ['export', '--out', 'notes.yaml'],
    3,
    'notes.yaml',
    'known',
    { files: { 'notes.yaml': 'hello: world\n' } },
  ],
  [
    'an export into files with a fault',
    ['export', '--out', 'net'],
    3,
    'SOURCE_YAML',
    'spaces',
    { files: { 'net/a.yaml': 'groups:\n\t- x\n' } },
  ],
  [
    'an export into a device',
    ['export', '--out', 'full'],
    1,
    'full',
    '',
    { make: ({ cwd }) => device(join(cwd, 'full')) },
  ],
  ['an export below a file', ['export', '--out', 'net/a.yaml/x'], 3, 'net/a.yaml', ''],
  [
    'a first desired state over one that is there',
    ['init', 'net'],
    6,
    'net',
    '',
    { files: { 'net/network.yaml': GROUPS } },
  ],
  [
    'a first desired state in the place of a file',
    ['init', 'net/a.yaml'],
    64,
    'net/a.yaml',
    'folder',
  ],
  [
    'a first desired state through a link that leads to nothing',
    ['init', 'net'],
    64,
    'net',
    '',
    { files: {}, links: { net: 'nowhere/at/all' } },
  ],
  [
    'a first desired state with a pipe in its way',
    ['init', 'new'],
    6,
    'already contains desired state',
    '',
    {
      make: ({ cwd }) => {
        mkdirSync(join(cwd, 'new'));
        pipe(join(cwd, 'new/network.yaml'));
      },
    },
  ],
  ['a log of requests in a folder', ['emulator', '--request-log', 'net'], 64, 'net', ''],
];

export const GUARDS: readonly Line[] = [
  [
    'a deletion that nobody allowed',
    ['apply', 'net', '--yes'],
    6,
    'DELETES_OBJECT',
    '--allow',
    { files: { 'net/a.yaml': 'networks: [{ name: old, lifecycle: { delete: true } }]\n' } },
  ],
  [
    'all that is not declared',
    ['apply', 'net', '--yes', '--prune', 'unmanaged'],
    6,
    'DELETES_OBJECT',
    '--allow',
    { files: { 'net/a.yaml': 'networks: [{ name: other }]\n' } },
  ],
  [
    'what the project protects',
    ['apply', 'net', '--yes', '--allow', 'DELETES_OBJECT'],
    6,
    'PROTECTED',
    '',
    {
      files: {
        'net/meshform.yaml': 'protect: [network/old]\n',
        'net/a.yaml': 'networks: [{ name: old, lifecycle: { delete: true } }]\n',
      },
    },
  ],
  [
    'a key without a place for its secret',
    ['apply', 'net', '--yes'],
    6,
    'REVEALS_SECRET',
    '--secrets-to',
    { files: { 'net/a.yaml': 'setup_keys: [{ name: k, type: reusable, expires_in: 86400 }]\n' } },
  ],
  ['an answer that is not yes', ['apply', 'net'], 6, 'not applied', 'yes', { answer: 'y' }],
];
