// Every flag and argument that names a place to write obeys one rule: what a commit or a neighbour on the machine has prepared there, or on
// the way, gets nothing.
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { give, mayGiveAway } from '../../support/neighbour.ts';
import { pipe } from '../../support/specialFiles.ts';
import { hasVariations, someOf } from '../../support/variations.ts';

const FILES = `setup_keys: [{ name: KEY, type: reusable, expires_in: 86400 }]
groups: [{ name: a }, { name: b }]
policies:
  - { name: one, rules: [{ name: r, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }] }
  - name: two
    rules:
      - { name: r, protocol: tcp, ports: ["22"], sources: [a], destinations: [b] }
      - { name: web, protocol: tcp, ports: ["443"], sources: [a], destinations: [b] }
`;

/**
 * What is written at a place: a text, which may also go to a pipe; a whole file; several files in a folder; or the files of a folder
 * that declares something.
 */
type Kind = 'text' | 'file' | 'folder' | 'files';
type Row = readonly [kind: Kind, commandFor: (place: string) => readonly string[]];

const GRANT = 'grant from group/a to network_resource/n/r --for 4h --reason x'.split(' ');
const PASSED_ON = ['--secrets-to', 'exec:true'];
const withOut = (...words: readonly string[]): Row => ['text', place => [...words, place]];
const applying = (...words: readonly string[]) => ['apply', 'n.yaml', '--yes', ...words];

/** A command for each flag and argument that names a place to write. */
const WRITES: Readonly<Record<string, Row>> = {
  'init [folder]': ['folder', place => ['init', place]],
  'init --update': ['files', place => ['init', '--update', place]],
  'plan --out': withOut('plan', 'n.yaml', '--force', '--out'),
  'plan --html': withOut('plan', 'n.yaml', '--force', '--html'),
  'apply --secrets-to': ['text', place => applying('--secrets-to', `file:${place}`)],
  'apply --journal': ['file', place => applying(...PASSED_ON, '--journal', place)],
  'apply --fingerprints': ['file', place => applying(...PASSED_ON, '--fingerprints', place)],
  'drift --metrics': withOut('drift', 'n.yaml', '--metrics'),
  'drift --notify-state': withOut('drift', 'n.yaml', '--notify', '--notify-state'),
  'grant [path]': ['files', place => [...GRANT, place]],
  'expire --write': ['files', place => ['expire', place, '--yes', '--write']],
  'export --out': withOut('export', '--force', '--out'),
  'export --out, a folder': ['folder', place => ['export', '--out', place]],
  'export --state': withOut('export', '--force', '--state'),
  'fleet plan --out': ['folder', place => ['fleet', 'plan', '--out', place]],
  'fleet status --html': withOut('fleet', 'status', '--html'),
  'fleet status --metrics': withOut('fleet', 'status', '--metrics'),
  'access --html': withOut('access', 'n.yaml', '--force', '--html'),
  'graph --out': withOut('graph', 'n.yaml', '--force', '--out'),
  'tighten --write': ['files', place => ['tighten', place, '--write']],
  'observe --store': ['folder', place => ['observe', '--store', place]],
  'emulator --db': ['file', place => ['emulator', '--db', place]],
  'emulator --request-log': withOut('emulator', '--request-log'),
};

/** Flags and arguments that may look as if they did, and only read; those without a command in every command. */
const READS = [
  '--token-file',
  '--ca-file',
  '--base',
  '--from',
  '--from-state',
  '--check',
  '--same-as',
  '--notify-url-file',
  '--resume',
  '--undo',
  '--drift',
  '--fleet',
  '--plans',
  '--snapshot',
  '--account',
  '--tenant-snapshot',
  '--stub',
  '[path]',
  '[file]',
  'plan --fingerprints',
  'fleet plan --fingerprints',
  'access --state',
  'graph --state',
  'plan --store',
  'plan check --store',
  'apply --store',
  'access --store',
  'tighten --store',
];

/** Flags whose value the same code opens as that of a flag above. */
const SAME: Readonly<Record<string, string>> = {
  'expire --journal': 'apply --journal',
  'fleet apply --secrets-to': 'apply --secrets-to',
  'fleet worker --secrets-to': 'apply --secrets-to',
};

const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });

/** Values that may name a place, and words that say that something is written. */
const IS_PLACE = /file|folder|place|path|journal/i;
const SAYS_WRITE = /\b(?:writes?|edits?|saves?|appends?|where to store|remove files)\b/i;

function declaredIn(command: Command, names: string): readonly string[] {
  const flags = command.options
    .filter(({ hidden, description, flags }) => {
      const [, value = ''] = flags.split(' ');
      return !hidden && (IS_PLACE.test(value) || SAYS_WRITE.test(description));
    })
    .map(({ long }) => `${names} ${long}`);
  const inArguments = command.registeredArguments
    .filter(argument => IS_PLACE.test(argument.name()))
    .map(argument => `${names} [${argument.name()}]`);
  const below = command.commands.flatMap(one => declaredIn(one, `${names} ${one.name()}`));
  return [...flags, ...inArguments, ...below];
}

const lastWord = (text: string): string => text.split(' ').at(-1) ?? '';

test('each flag or argument that may name a place to write is known to write or to read', () => {
  const declared = program.commands.flatMap(command => declaredIn(command, command.name()));
  const writing = Object.keys(WRITES).map(one => one.replace(/,.*/, ''));
  const known = new Set([...writing, ...Object.keys(SAME), ...READS]);
  expect(declared.filter(one => !known.has(one) && !known.has(lastWord(one)))).toEqual([]);
  const used = new Set(declared.flatMap(one => [one, lastWord(one)]));
  // The path of a grant is one of its words.
  expect([...known].filter(one => !used.has(one))).toEqual(['grant [path]']);
});

const NOW = Date.parse('2026-01-02T03:04:05Z');
const ENDED = `policies: [{ name: e, lifecycle: { until: 2026-01-01 }, rules: [{ name: r, protocol: tcp, ports: ["1"], sources: [a], destinations: [b] }] }]\n`;

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount();
});
afterAll(() => account.close());

/** The paths of everything in these folders, and the texts of their files. */
const seenIn = (...folders: readonly string[]): readonly string[] =>
  folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
      const path = join(folder, name);
      return lstatSync(path).isFile() ? `${path} ${readFileSync(path, 'utf8')}` : path;
    }),
  );

/** Folders with what a commit, a neighbour and the user have prepared. */
function prepared(folder: string) {
  for (const name of ['home/net/grants', 'elsewhere/net/grants', 'checkout/.git', 'shared/theirs'])
    mkdirSync(join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'shared/theirs/net/grants'), { recursive: true });
  for (const name of ['home', 'elsewhere/net', 'shared/theirs/net', 'home/net'])
    writeFileSync(join(folder, name, 'n.yaml'), FILES.replace('KEY', basename(folder)));
  for (const name of ['elsewhere/net', 'shared/theirs/net'])
    writeFileSync(join(folder, name, 'grants/e.yaml'), ENDED);
  writeFileSync(join(folder, 'elsewhere/file.yaml'), '');
  writeFileSync(
    join(folder, 'home/fleet.yaml'),
    'accounts: [{ name: x, credentials: c, layers: [net] }]\n',
  );
  symlinkSync('../elsewhere/file.yaml', join(folder, 'checkout/file.yaml'));
  symlinkSync('../elsewhere', join(folder, 'checkout/way'));
  symlinkSync('../elsewhere/net', join(folder, 'checkout/net'));
  chmodSync(join(folder, 'shared'), 0o1777);
}

/** Where each kind of output finds a prepared place. */
const PLACES: Readonly<Record<string, Readonly<Record<Kind, string>>>> = {
  'a link to what is elsewhere': {
    text: 'checkout/file.yaml',
    file: 'checkout/file.yaml',
    folder: 'checkout/way',
    files: 'checkout/net',
  },
  'a link on the way': {
    text: 'checkout/way/new.yaml',
    file: 'checkout/way/new.yaml',
    folder: 'checkout/way/new',
    files: 'checkout/way/net',
  },
  'a folder of another user': {
    text: 'shared/theirs/new.yaml',
    file: 'shared/theirs/new.yaml',
    folder: 'shared/theirs',
    files: 'shared/theirs/net',
  },
};

const run = (folder: string, argv: readonly string[]) =>
  meshform(argv, {
    cwd: join(folder, 'home'),
    env: {
      ...environmentOf(account),
      MESHFORM_FINGERPRINT_KEY: 'a-long-key-of-fingerprints',
      MESHFORM_NOTIFY_URL: 'http://127.0.0.1:9/',
    },
    now: NOW,
    // An emulator that was not refused would run on.
    onDocument: (_, interrupt) => argv[0] === 'emulator' && interrupt('SIGTERM'),
  });

/** Each flag at one of the places, another one for the next flag; with the variations, at each of them. */
const CASES = Object.keys(PLACES).flatMap((what, i, all) =>
  Object.keys(WRITES)
    .filter((_, row) => hasVariations || row % all.length === i)
    .map(name => [name, what] as const),
);

/** What another user has is not refused where a test cannot give anything away. */
const POSSIBLE = CASES.filter(([, what]) => mayGiveAway || !what.includes('another user'));

test.each(POSSIBLE)('a prepared place gets nothing: %s, %s', (name, what) =>
  inFolder(async folder => {
    prepared(folder);
    const { elsewhere, theirs } = foldersIn(folder);
    if (mayGiveAway) for (const one of ['', 'net', 'net/grants']) give(join(theirs, one));
    const before = seenIn(elsewhere, theirs);
    const writes = writesOf(account);
    const [kind, commandFor] = WRITES[name] ?? expect.unreachable(name);
    const place = PLACES[what]?.[kind] ?? expect.unreachable(what);
    const { code, stderr } = await run(folder, commandFor(join(folder, place)));
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /leads out of the checkout|of another user \(uid 65534\)|it is a link/,
    );
    // A file that cannot be removed stays, and the run goes on.
    expect(name === 'expire --write' ? [0] : [3, 64, 69], stderr).toContain(code);
    expect([seenIn(elsewhere, theirs), writesOf(account)]).toEqual([before, writes]);
  }),
);

const foldersIn = (folder: string) => ({
  elsewhere: join(folder, 'elsewhere'),
  theirs: join(folder, 'shared/theirs'),
});

const writesOf = ({ requests }: TestAccount): number =>
  requests.filter(({ method }) => method !== 'GET').length;

/** What a pipe got, and how a command ended that was told to write there. */
async function piped(folder: string, commandFor: (place: string) => readonly string[]) {
  prepared(folder);
  const place = join(folder, 'home/pipe');
  pipe(place);
  chmodSync(place, 0o600);
  const reader = openSync(place, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const ended = await run(folder, commandFor(place));
  expect(lstatSync(place).isFIFO()).toBe(true);
  return { ...ended, received: receivedBy(reader) };
}

function receivedBy(reader: number): string {
  const bytes = Buffer.alloc(65_536);
  try {
    return bytes.toString('utf8', 0, readSync(reader, bytes));
  } catch {
    return '';
  }
}

const rowsOf = (isText: boolean) =>
  Object.entries(WRITES).filter(([, [kind]]) => (kind === 'text') === isText);

// A page is larger than a pipe. The log of an emulator has a line for each request, and the status of a fleet needs a remote.
const TEXTS = rowsOf(true).filter(([name]) => !/--html|fleet|emulator/.test(name));

test.each(someOf(TEXTS, 2))('a pipe gets one text and stays a pipe: %s', (_, [, commandFor]) =>
  inFolder(async folder => {
    const { code, stderr, received } = await piped(folder, commandFor);
    expect([0, 2], stderr).toContain(code);
    expect(received).not.toBe('');
  }),
);

// An export to a pipe is one text.
const FILES_ONLY = rowsOf(false).filter(([name]) => !name.startsWith('export'));

test.each(someOf(FILES_ONLY, 4))(
  'a pipe in place of files is refused and stays a pipe: %s',
  (_, [, commandFor]) =>
    inFolder(async folder => {
      const { code, stderr, received } = await piped(folder, commandFor);
      expect([1, 3, 64, 69], stderr).toContain(code);
      expect(received).toBe('');
    }),
);

test('an emulator refuses a pipe that no program reads, because it would wait for one', () =>
  inFolder(async folder => {
    prepared(folder);
    pipe(join(folder, 'home/pipe'));
    const { code, stderr } = await run(folder, ['emulator', '--request-log', 'pipe']);
    expect([code, stderr], stderr).toEqual([64, expect.stringContaining('no program reads')]);
  }));
