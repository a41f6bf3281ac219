// A command reads each project file once. A change during the run counts as a whole in the next run.
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { fileIn } from '../../../src/read/files/projectFilesAbove.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

const OUTER = 'meshform.yaml';
const INNER = join('network', 'meshform.yaml');

interface Network {
  /** Runs a command during which somebody makes each project file unreadable after its first reading. */
  readonly run: (
    argv: readonly string[],
  ) => Promise<{ readonly code: number; readonly stderr: string; readonly read: unknown }>;
  readonly declare: (...groups: string[]) => Promise<void>;
}

/** A clone with a project file in the planned folder and one above it. Its base is at the remote. */
async function network(story: (network: Network) => Promise<void>): Promise<void> {
  const account = await startAccount();
  const [all] = (await account.call('GET', '/api/groups')) as { readonly id: string }[];
  const projects = new Map([
    [OUTER, 'lock: git\n'],
    [INNER, `account: ${all?.id}\n`],
  ]);
  const use = async (folder: string): Promise<void> => {
    const remote = join(folder, 'remote.git');
    const cwd = join(folder, 'clone');
    git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
    git(folder, 'clone', '--quiet', remote, cwd);
    await mkdir(join(cwd, 'network'));
    const restore = () => {
      for (const [file, text] of projects) writeFileSync(join(cwd, file), text);
    };
    const declare = (...groups: string[]) =>
      writeFile(
        join(cwd, 'network/groups.yaml'),
        JSON.stringify({ groups: groups.map(name => ({ name })) }),
      );
    restore();
    await declare('staff');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '--quiet', '--message', 'staff');
    const env = {
      ...environmentOf(account),
      PATH: process.env.PATH ?? '',
      MESHFORM_SIGNING_KEY: 'a signing key of all machines',
    };
    const applied = ['apply', 'network', '--record-base', '--first', '--yes'];
    const { code, stderr } = await meshform(applied, { cwd, env });
    expect(code, stderr).toBe(0);
    const run: Network['run'] = async argv => {
      const read: Record<string, number> = {};
      const readProjectFile: typeof fileIn = (place, name) => {
        const found = fileIn(place, name);
        if (found === null) return null;
        const file = relative(cwd, found.file);
        read[file] = (read[file] ?? 0) + 1;
        rmSync(found.file);
        writeFileSync(found.file, 'account: [');
        return found;
      };
      const ended = await meshform(argv, { cwd, env, readProjectFile });
      restore();
      return { code: ended.code, stderr: ended.stderr, read };
    };
    await story({ run, declare });
  };
  await inFolder(use).finally(account.close);
}

test('a command reads the project file of its folder and the one above it once', async () => {
  await network(async ({ run, declare }) => {
    await declare('staff', 'guests');
    for (const [code, ...argv] of [
      [0, 'validate', 'network'],
      [0, 'plan', 'network', '--base', 'auto', '--out', 'plan.json'],
      [0, 'drift', 'network', '--base', 'auto'],
      [0, 'apply', 'plan.json', '--yes'],
      [0, 'apply', 'network', '--base', 'auto', '--yes'],
      [0, 'lock', 'show', 'network'],
      [0, 'base', 'show', 'network'],
      [0, 'runs', 'network'],
      [2, 'export', '--check', 'network'],
    ] as const) {
      const { stderr, ...ended } = await run(argv);
      expect({ argv, ...ended }, stderr).toEqual({
        argv,
        code,
        read: { [OUTER]: 1, [INNER]: 1 },
      });
    }
  });
});
