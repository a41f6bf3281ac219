// Compiled code is kept where nobody else can put any: Node runs it as whoever starts meshform.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LAUNCHER } from '../../support/program/program.ts';

/** A home and a folder for temporary files, and the program started with them. */
function user() {
  const folder = mkdtempSync(join(tmpdir(), 'meshform-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const home = join(folder, 'home');
  const temporary = join(folder, 'tmp');
  for (const one of [home, temporary]) mkdirSync(one, { mode: 0o700 });
  writeFileSync(join(folder, 'network.yaml'), 'groups: [{ name: one }]\n');
  const start = (more: NodeJS.ProcessEnv = {}) => {
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, ...more };
    const argv = [LAUNCHER, 'validate', 'network.yaml'];
    const ended = spawnSync(process.execPath, argv, { cwd: folder, env, encoding: 'utf8' });
    expect(ended.status, ended.stderr).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  };
  return { folder, home, cache: join(home, '.cache/meshform/compiled'), start };
}

const entriesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

test('the compile cache is in a folder of the user, which nobody else can read', () => {
  const { cache, start } = user();
  start();
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(entriesIn(cache).length).toBeGreaterThan(0);
});

test('XDG_CACHE_HOME moves the compile cache', () => {
  const { folder, cache, start } = user();
  start({ XDG_CACHE_HOME: join(folder, 'moved') });
  expect(existsSync(cache)).toBe(false);
  expect(entriesIn(join(folder, 'moved/meshform/compiled')).length).toBeGreaterThan(0);
});

test.each<[string, (place: ReturnType<typeof user>) => void]>([
  ['others can write to', ({ cache }) => chmodSync(cache, 0o777)],
  ['others can read', ({ cache }) => chmodSync(cache, 0o755)],
  ['others can replace', ({ home }) => chmodSync(join(home, '.cache'), 0o777)],
  [
    'is a link',
    ({ cache, folder }) => {
      rmSync(cache, { recursive: true });
      mkdirSync(join(folder, 'planted'), { mode: 0o700 });
      symlinkSync(join(folder, 'planted'), cache);
    },
  ],
])('a cache folder that %s is not used', (_, plant) => {
  const place = user();
  mkdirSync(place.cache, { recursive: true, mode: 0o700 });
  plant(place);
  place.start();
  expect(entriesIn(place.cache)).toEqual([]);
});

test.runIf(process.getuid?.() === 0)('a cache folder of another user is not used', () => {
  const { home, cache, start } = user();
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  chownSync(cache, 65_534, 65_534);
  start();
  expect(entriesIn(cache)).toEqual([]);
  chownSync(cache, 0, 0);
  chownSync(home, 65_534, 65_534);
  start();
  expect(entriesIn(cache)).toEqual([]);
});

test('the program runs without a cache if there is no home folder', () => {
  const { folder, start } = user();
  start({ HOME: '/proc/none' });
  writeFileSync(join(folder, 'file'), '');
  start({ HOME: join(folder, 'file') });
});

test('NODE_COMPILE_CACHE in a folder where others can write is refused', () => {
  const { folder } = user();
  const shared = join(folder, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  const started = (cache: string, more: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, [LAUNCHER, 'validate', 'network.yaml'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, NODE_COMPILE_CACHE: cache, ...more },
      encoding: 'utf8',
    });
  symlinkSync(shared, join(folder, 'link'));
  for (const cache of [shared, join(shared, 'cache'), join(folder, 'link/cache')]) {
    const { status, stdout, stderr } = started(cache);
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toBe(
      `Error: NODE_COMPILE_CACHE is ${JSON.stringify(cache)}, where another user can put code that would run as you\n` +
        '  hint: unset it: meshform keeps compiled code in a folder of your own\n',
    );
  }
  expect(started(join(folder, 'own')).status).toBe(0);
  expect(started(shared, { NODE_DISABLE_COMPILE_CACHE: '1' }).status).toBe(0);
});
