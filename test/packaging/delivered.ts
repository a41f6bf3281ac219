// What every form of meshform must be able to do where nothing else is installed: the single executable and the image share this.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import type { Step } from './part.ts';

export interface Delivered {
  readonly command: string;
  /** What stands before the words of a command. */
  readonly before?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** An empty folder in which commands run. */
  readonly folder: string;
}

/** Asks the queue of a fleet whose database is not there; the command ends with 69. */
export async function askQueue(
  { run, scratch }: Bench,
  command: string,
  { folder, env }: Pick<Delivered, 'folder' | 'env'>,
) {
  const fleet = await mkdtemp(join(scratch, 'fleet-'));
  await run('git', ['init', '--quiet', fleet]);
  await mkdir(join(fleet, 'baseline'));
  const file = join(fleet, 'fleet.yaml');
  await writeFile(file, 'accounts: [{ name: acme, credentials: acme, layers: [baseline] }]\n');
  const queue = {
    MESHFORM_DATABASE_URL: `postgresql:///fleet?host=${encodeURIComponent(join(scratch, 'none'))}`,
    MESHFORM_SIGNING_KEY: 'a key for the packaging tests',
  };
  const words = ['fleet', 'schedule', 'drift', file, '--every', '1h'];
  return run(command, words, { cwd: folder, env: { ...env, ...queue }, exit: 69 });
}

/** Uses nearly every kind of shipped file: schemas, the contract, examples, the assets of pages. */
export function deliveredSteps(
  { run, start, root }: Bench,
  { command, before = [], env, folder }: Delivered,
): Readonly<Record<string, Step>> {
  const meshform = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    run(command, [...before, ...args], { cwd: folder, env: { ...env, ...more } });
  return {
    '--version is that of the package': async () => {
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
      assert.equal((await meshform(['--version'])).stdout, `${version}\n`);
    },
    'demo runs': async () => {
      assert.match((await meshform(['demo'])).stdout, /The account matches the files/);
    },
    'init writes a first network, which is valid': async () => {
      await meshform(['init', 'first']);
      await meshform(['validate', 'first', '--strict']);
    },
    'the emulator serves it, and a plan has no changes': async () => {
      const args = ['emulator', '--account', 'first', '--format', 'json'];
      const emulator = await start(command, [...before, ...args], { cwd: folder, env });
      const { url, token } = JSON.parse(emulator.firstLine);
      const account = { MESHFORM_URL: url, MESHFORM_TOKEN: token };
      const { stdout } = await meshform(['plan', 'first', '--detailed-exitcode'], account);
      assert.match(stdout, /^No changes\./m);
      assert.match(
        (await meshform(['api', 'call', 'listGroups'], account)).stdout,
        /"name": "All"/,
      );
      assert.equal(await emulator.stop('SIGINT'), 0);
    },
    'a page has its script and style': async () => {
      await meshform(['access', 'first', '--html', 'access.html']);
      assert.ok((await stat(join(folder, 'access.html'))).size > 20_000);
    },
    'explain and the list of operations read the schemas': async () => {
      assert.match((await meshform(['explain', 'policy'])).stdout, /rules/);
      assert.match((await meshform(['api', 'list'])).stdout, /\/api\/setup-keys/);
    },
  };
}
