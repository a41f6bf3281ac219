// A machine is lost in the middle of an apply, with its disk. Another one, with a new clone and an empty home, finds the journal at the
// Git remote and brings the account where it was to go, with nothing there twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/emulator/index.ts';
import { type Ended, inFolder, meshform } from '../support/cli.ts';
import { git } from '../support/git.ts';
import { LAUNCHER } from '../support/program/program.ts';
import { patience, proof } from '../support/proof.ts';
import { ALLOWED, itemsOf, type Mixed, startMixed } from './mixed.ts';

/** After each of 81 requests, twice. */
const RUNS = { slice: 2, full: 162 };
const REVERTS = { slice: 1, full: 81 };

const START = Date.parse('2026-01-02T03:04:05Z');

test(
  'an apply whose machine is lost after any request is resumed in a new clone with an empty home',
  () =>
    startMixed(async mixed => {
      const { count, seed, found } = proof('machines that are lost in an apply of 12 kinds', RUNS);
      const random = seededRandom(seed);
      const figures = { resumed: 0, others: 0 };
      const step = mixed.requests / Math.min(count, mixed.requests);
      const remote = await shared(mixed);
      for (let run = 0; run < count; run++) {
        const nth = 1 + (Math.floor(run * step + random() * step) % mixed.requests);
        const about = `seed ${seed}: after request ${nth}`;
        await mixed.reset();
        await emptied(remote);
        await lostAfter(nth, mixed);
        const isBegun = isUnfinished(remote);
        await inFolder(async folder => {
          const resume = isBegun ? ['--resume', ...CONFIRMED] : [...mixed.apply.slice(2)];
          const ended = await elsewhere(folder, remote, mixed)('apply', 'after', ...resume);
          expect(ended.code, `${about}\n${ended.stdout.slice(-3000)}\n${ended.stderr}`).toBe(0);
          // The lock of the lost machine said what it was for.
          if (isBegun) expect(ended.stderr, about).toMatch(/Plan +sha256:/);
        });
        expect(await mixed.held(), about).toBe(mixed.wanted);
        expect(git(remote, 'for-each-ref', 'refs/meshform-locks'), about).toBe('');
        expect(lastLine(remote), about).toContain('"type":"close","complete":true');
        figures[isBegun ? 'resumed' : 'others'] += 1;
      }
      const { resumed, others } = figures;
      found(
        `${resumed} resumed in a new clone, ${others} had sent nothing or were done: each came to what was wanted, nothing twice`,
      );
      expect(resumed).toBeGreaterThan(count / 3);
    }),
  patience(RUNS, 15_000),
);

test(
  'no object that a lost machine created is left once the change of that machine is reverted',
  () =>
    startMixed(async mixed => {
      const { count, seed, found } = proof('changes of lost machines that are reverted', REVERTS);
      const random = seededRandom(seed);
      const remote = await shared(mixed);
      const { folder } = mixed;
      const files = join(folder, 'after/all.yaml');
      const before = await readFile(join(folder, 'before/all.yaml'));
      const after = await readFile(files);
      await mixed.reset();
      // A field that no file declares keeps its value.
      const held = async () => (await mixed.held()).replace(/ +description: First floor\n/, '');
      const unchanged = await held();
      const figures = { lost: 0, others: 0 };
      const step = mixed.requests / Math.min(count, mixed.requests);
      await committed(folder, files, before);
      const first = await inFolder(one => elsewhere(one, remote, mixed)(...RECORDED));
      expect(first.code, first.stderr).toBe(0);
      const base = git(
        remote,
        'for-each-ref',
        '--format=%(objectname) %(refname)',
        'refs/meshform-base',
      );
      const [commit = '', ref = ''] = base.trim().split(' ');
      for (let run = 0; run < count; run++) {
        const nth = 1 + (Math.floor(run * step + random() * step) % mixed.requests);
        const about = `seed ${seed}: after request ${nth}`;
        await mixed.reset();
        await emptied(remote);
        git(remote, 'update-ref', ref, commit);
        await committed(folder, files, after);
        // The journal of a saved plan comes with the lock, before any request that checks the plan.
        const isSaved = run % 2 === 1;
        if (isSaved) await savedIn(mixed);
        await lostAfter(nth, { ...mixed, apply: isSaved ? SAVED : RECORDED }, isSaved);
        const isBegun = isUnfinished(remote);
        await committed(folder, files, before);
        const ended = await inFolder(one => elsewhere(one, remote, mixed)(...RECORDED));
        expect(ended.code, `${about}\n${ended.stdout.slice(-3000)}\n${ended.stderr}`).toBe(0);
        if (isBegun) expect(ended.stderr, about).toContain('was not finished');
        expect(await held(), `${about}\n${ended.stderr}\n${ended.stdout}`).toBe(unchanged);
        figures[isBegun ? 'lost' : 'others'] += 1;
      }
      const { lost, others } = figures;
      found(
        `${lost} lost in the middle, ${others} before the first write or at the end: the next apply left nothing of them`,
      );
      expect(lost).toBeGreaterThan(count / 3);
    }),
  patience(REVERTS, 15_000),
);

const PLANNED = ['after', '--prune', 'removed', '--base', 'auto', '--record-base'];
const CONFIRMED = ['--yes', '--secrets-to', 'file:secrets.jsonl', ...ALLOWED];

/** An apply that records its base. */
const RECORDED = ['apply', ...PLANNED, ...CONFIRMED];

/** The same of a saved plan. */
const SAVED = ['apply', 'plan.json', '--record-base', ...CONFIRMED];

async function savedIn({ folder, env }: Mixed): Promise<void> {
  const own = { ...env, PATH: process.env.PATH ?? '', MESHFORM_SIGNING_KEY: KEY };
  const planned = await meshform(['plan', ...PLANNED, '--out', 'plan.json'], {
    cwd: folder,
    env: own,
  });
  expect(planned.code, planned.stderr).toBe(0);
}

async function committed(folder: string, file: string, text: Buffer): Promise<void> {
  await writeFile(file, text);
  git(folder, 'commit', '--quiet', '--allow-empty', '--all', '--message=a change');
  git(folder, 'push', '--quiet', 'origin', 'HEAD:main');
}

/** Makes the folder a clone of a remote with its files; resolves to the remote. */
async function shared({ folder, call }: Mixed): Promise<string> {
  const [all] = itemsOf(await call('GET', '/api/groups')).filter(({ name }) => name === 'All');
  const project = `account: ${String(all?.id)}\nlock: git\nlock_ttl: 15\n`;
  await writeFile(join(folder, 'after/meshform.yaml'), project);
  const remote = join(folder, '.git/remote.git');
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  git(folder, 'add', 'before', 'after');
  git(folder, 'commit', '--quiet', '--message=files');
  git(folder, 'remote', 'add', 'origin', `file://${remote}`);
  git(folder, 'push', '--quiet', 'origin', 'main');
  return remote;
}

// A machine that is lost with its last request may have pushed the end of its run before.
const isUnfinished = (remote: string): boolean =>
  git(remote, 'for-each-ref', 'refs/meshform-journal') !== '' &&
  !lastLine(remote).includes('"type":"close"');

/** The last line of the only journal at the remote. */
function lastLine(remote: string): string {
  const ref = git(remote, 'for-each-ref', '--format=%(refname)', 'refs/meshform-journal').trim();
  const files = git(remote, 'ls-tree', '--name-only', ref).trim().split('\n');
  const name = files.find(file => file.endsWith('.jsonl')) ?? '';
  return git(remote, 'show', `${ref}:${name}`).trim().split('\n').at(-1) ?? '';
}

async function emptied(remote: string): Promise<void> {
  const refs = git(remote, 'for-each-ref', '--format=%(refname)').split('\n');
  for (const ref of refs.filter(one => one.startsWith('refs/meshform-')))
    git(remote, 'update-ref', '-d', ref);
}

// Runs the change as a process, and ends it as the nth request is answered. Its disk is lost with it.
async function lostAfter(
  nth: number,
  { folder, env, apply, watch }: Mixed,
  isShorter = false,
): Promise<void> {
  let count = 0;
  const home = join(folder, 'home');
  const child = spawn(process.execPath, [LAUNCHER, ...apply], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'] as const,
    env: {
      ...env,
      PATH: process.env.PATH,
      HOME: home,
      XDG_STATE_HOME: home,
      MESHFORM_SIGNING_KEY: KEY,
    },
  });
  watch(() => {
    count += 1;
    if (count === nth) child.kill('SIGKILL');
  });
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
  watch(null);
  // Some requests more or less, and it was over before.
  if (signal === null && !isShorter) expect(count, stderr).toBeGreaterThan(nth - 5);
  for (const name of ['home', 'run.jsonl', 'secrets.jsonl'])
    await rm(join(folder, name), { recursive: true, force: true });
}

const KEY = 'a signing key of all machines';

/** Runs commands on another machine. A pause is over at once, and its time has passed. */
function elsewhere(
  folder: string,
  remote: string,
  { env }: Mixed,
): (...argv: string[]) => Promise<Ended> {
  const clone = join(folder, 'clone');
  git(folder, 'clone', '--quiet', `file://${remote}`, clone);
  let time = START;
  const clock = {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds;
      await new Promise(resolve => setImmediate(resolve));
    },
  };
  const home = join(folder, 'home');
  const own = {
    ...env,
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: home,
    MESHFORM_JOURNALS: join(home, 'journals'),
    MESHFORM_SIGNING_KEY: KEY,
  };
  return (...argv) => meshform(argv, { cwd: clone, env: own, clock });
}
