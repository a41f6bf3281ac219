// Bad journals: what an apply left behind and somebody cut, edited or took from elsewhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject } from '../../src/model/value.ts';
import { resealed } from '../support/resealed.ts';
import { signedJournal, unsignedJournal } from '../support/signedJournal.ts';
import type { Row } from './row.ts';

const RESUME = ['apply', 'net', '--resume', 'j.jsonl', '--yes'];
const UNDO = ['apply', 'net', '--undo', 'j.jsonl', '--yes'];

/** A row whose journal is what `make` makes of the lines of a good one. */
const journal = (
  title: string,
  make: (lines: readonly string[]) => string | Uint8Array | readonly string[],
  says: string,
  more: Partial<Row> = {},
): Row => ({
  title,
  files: { 'net/a.yaml': 'groups: []\n' },
  make: ({ cwd, good, account }) => {
    const made = make(good.journal.trimEnd().split('\n'));
    // Signed anew, so that what is wrong with it is said, and not only that it is not ours.
    const text = Array.isArray(made)
      ? `${signedJournal(made, account.token).join('\n')}\n`
      : (made as string | Uint8Array);
    writeFileSync(join(cwd, 'j.jsonl'), text);
  },
  argv: RESUME,
  code: 3,
  says,
  help: '',
  ...more,
});

/** A line with some of it replaced. */
const line = (text: string | undefined, fields: JsonObject): string =>
  JSON.stringify({ ...(JSON.parse(text ?? '{}') as JsonObject), ...fields });

/** The first line with another plan in it, whose digest fits where it is to. */
function head(text: string | undefined, edit: (own: JsonObject) => void, isSealed = true): string {
  const first = JSON.parse(text ?? '{}') as JsonObject;
  const { plan } = first;
  if (!isObject(plan) || !isObject(plan.meshform)) throw new Error('no plan');
  edit(plan.meshform);
  if (!isSealed) return JSON.stringify(first);
  const sealed = resealed(plan);
  const { digest = '' } = isObject(sealed.meshform) ? sealed.meshform : {};
  return JSON.stringify({ ...first, plan: sealed, plan_digest: digest });
}

const set =
  (fields: JsonObject) =>
  (own: JsonObject): void =>
    void Object.assign(own, fields);

const at = '2026-01-02T03:04:05.000Z';

export const JOURNALS: readonly Row[] = [
  journal('that is empty', () => '', 'cut off before it began', { help: 'apply' }),
  journal('of blank lines', () => '\n\n\n', 'cut off before it began', { help: 'apply' }),
  journal(
    'that is cut in its first line',
    ([first = '']) => first.slice(0, 200),
    'cut off before it began',
    { help: 'apply' },
  ),
  journal(
    'without its first line',
    ([, ...rest]) => rest,
    'does not begin with the record of a run',
    {
      help: 'journal',
    },
  ),
  journal(
    'with a line that is no JSON',
    ([first = '', ...rest]) => [first, 'not json', ...rest],
    'line 2',
    { help: 'journal' },
  ),
  journal(
    'with a line of a sort that is none',
    ([first = '', ...rest]) => [
      first,
      `{"at":"${at}","type":"end","outcome":{"action":"x","status":"splendid"}}`,
      ...rest,
    ],
    'line 2',
    { help: 'journal' },
  ),
  journal(
    'with a line that is a list',
    ([first = '', ...rest]) => [first, '[]', ...rest],
    'line 2',
    { code: 6, help: 'MESHFORM_SIGNING_KEY' },
  ),
  journal(
    'with an answer to what is no action',
    lines => [
      ...lines,
      `{"at":"${at}","type":"answer","action":"nobody","verb":"create","result":"done","id":"x"}`,
    ],
    'nobody',
    { help: 'journal' },
  ),
  journal(
    'with an outcome of what is no action',
    lines => [
      ...lines.slice(0, -1),
      `{"at":"${at}","type":"end","outcome":{"action":"nobody","status":"done","id":"x"}}`,
    ],
    '',
    { help: 'journal' },
  ),
  journal(
    'with an id that is a number',
    lines => [
      ...lines,
      `{"at":"${at}","type":"answer","action":"x","verb":"create","result":"done","id":7}`,
    ],
    'line',
    { help: 'journal' },
  ),
  journal(
    'of another version',
    ([first, ...rest]) => [line(first, { format_version: '99.0' }), ...rest],
    '99.0',
    { help: 'journal' },
  ),
  journal(
    'whose plan was edited',
    ([first, ...rest]) => [head(first, set({ folder: 'elsewhere' }), false), ...rest],
    'digest',
    { help: 'journal' },
  ),
  journal(
    'of another digest than its plan',
    ([first, ...rest]) => [line(first, { plan_digest: `sha256:${'0'.repeat(64)}` }), ...rest],
    'digest',
    { help: 'journal' },
  ),
  journal(
    'without its plan',
    ([first, ...rest]) => [line(first, { plan: null }), ...rest],
    'line 1',
    { help: 'journal' },
  ),
  journal(
    'whose plan has a kind that is none',
    ([first, ...rest]) => [
      head(first, own => {
        Object.assign((own.actions as JsonObject[])[0] ?? {}, { kind: 'spaceship' });
      }),
      ...rest,
    ],
    'spaceship',
    { help: 'apply' },
  ),
  journal(
    'of another account',
    ([first, ...rest]) => [head(first, set({ account: 'another' })), ...rest],
    'another',
    { code: 6, help: 'token' },
  ),
  journal(
    'of another server',
    ([first, ...rest]) => [line(first, { server: 'https://evil.example.com' }), ...rest],
    'evil.example.com',
    { code: 6, help: '--any-server' },
  ),
  journal(
    'of another server, to be undone',
    ([first, ...rest]) => [line(first, { server: 'https://evil.example.com' }), ...rest],
    'evil.example.com',
    { code: 6, argv: UNDO, help: '--any-server' },
  ),
  journal(
    'of another account, to be undone',
    ([first, ...rest]) => [head(first, set({ account: 'another' })), ...rest],
    'another',
    { code: 6, argv: UNDO, help: 'token' },
  ),
  journal(
    'whose plan has a kind that is none, to be undone',
    ([first, ...rest]) => [
      head(first, own => {
        Object.assign((own.actions as JsonObject[])[0] ?? {}, { kind: 'spaceship' });
      }),
      ...rest,
    ],
    'spaceship',
    { argv: UNDO, help: 'apply' },
  ),
  journal('of binary', () => Buffer.from([0x00, 0xff, 0xfe, 0x0a, 0x80]), '', { help: 'journal' }),
  journal('that is a saved plan', () => '', 'run', {
    make: ({ cwd, good }) => writeFileSync(join(cwd, 'j.jsonl'), good.plan),
    help: 'journal',
  }),
  journal(
    'with twenty thousand levels in a line',
    ([first = '', ...rest]) => [first, `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, ...rest],
    'line 2',
    { code: 6, help: 'MESHFORM_SIGNING_KEY' },
  ),
  journal('with a plan and planning flags', lines => lines, '--prune', {
    argv: [...RESUME, '--prune', 'unmanaged'],
    code: 64,
    help: 'plan --out',
  }),
  journal(
    'with the prototype in a line',
    ([first = '', ...rest]) => [
      first,
      `{"at":"${at}","type":"kept","action":"x","field":"y","__proto__":{"type":"end"}}`,
      ...rest,
    ],
    '',
    { help: 'journal' },
  ),
  {
    title: 'that somebody with another key signed',
    make: ({ cwd, good }) => {
      const lines = signedJournal(good.journal.trimEnd().split('\n'), 'nbp_another');
      writeFileSync(join(cwd, 'j.jsonl'), `${lines.join('\n')}\n`);
    },
    argv: RESUME,
    code: 6,
    says: 'line 1 of the journal',
    help: 'MESHFORM_SIGNING_KEY',
  },
  {
    title: 'that has no signatures, with nobody to ask',
    make: ({ cwd, good }) => {
      const lines = unsignedJournal(good.journal.trimEnd().split('\n'));
      writeFileSync(join(cwd, 'j.jsonl'), `${lines.join('\n')}\n`);
    },
    argv: UNDO,
    code: 6,
    says: 'an older version of meshform',
    help: 'at a terminal',
  },
  {
    title: 'with a signing key that can be guessed',
    make: ({ cwd, good }) => writeFileSync(join(cwd, 'j.jsonl'), good.journal),
    env: { MESHFORM_SIGNING_KEY: 'short key' },
    secrets: ['short key'],
    argv: RESUME,
    code: 64,
    says: 'MESHFORM_SIGNING_KEY',
    help: 'at least 16',
  },
  {
    title: 'that is not there',
    argv: RESUME,
    code: 3,
    says: 'does not exist',
    help: '~/.local/state/meshform/journals/',
  },
  {
    title: 'that is not there, to be undone',
    argv: UNDO,
    code: 3,
    says: 'does not exist',
    help: '~/.local/state/meshform/journals/',
  },
  {
    title: 'that is a folder',
    make: ({ cwd }) => void mkdirSync(join(cwd, 'j.jsonl')),
    argv: RESUME,
    code: 64,
    says: 'folder',
    help: '`meshform apply j.jsonl --resume`',
  },
  {
    title: 'that is a device without an end',
    links: { 'j.jsonl': '/dev/zero' },
    argv: RESUME,
    code: 3,
    says: 'device',
    help: '~/.local/state/meshform/journals/',
  },
  {
    title: 'that is a link to a secret',
    links: { 'j.jsonl': '../outside/token' },
    argv: UNDO,
    code: 3,
    says: '',
    help: 'journal',
  },
  {
    title: 'that lies beside the files, with the last one wanted',
    files: { 'net/a.yaml': 'groups: []\n' },
    env: { MESHFORM_JOURNALS: '' },
    make: ({ cwd, good }) => {
      mkdirSync(join(cwd, 'net/.meshform/journal'), { recursive: true });
      writeFileSync(join(cwd, 'net/.meshform/journal/a.jsonl'), good.journal);
    },
    argv: ['apply', 'net', '--resume', '--yes'],
    code: 64,
    says: 'there is no journal',
    help: 'name the journal',
  },
];
