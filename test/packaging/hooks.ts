// The pre-commit hooks, installed from this repository as their users do, on the example of a company.
import assert from 'node:assert/strict';
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part } from './part.ts';

/** Commits are made many times a day: a slow hook is one that people leave out. */
const LONGEST_S = 1;
const TRIES = 8;

export const hooks: Part = {
  tools: ['pre-commit'],
  notRun: ['pre-commit.ci, which installs hooks itself'],
  open: async bench => {
    const folder = join(bench.scratch, 'repository');
    const env = { ...bench.env, PRE_COMMIT_HOME: join(bench.scratch, 'home') };
    const git = (...args: string[]) => bench.run('git', args, { cwd: folder });
    await bench.run('git', ['init', '--quiet', folder]);
    await cp(join(bench.root, 'examples/company'), folder, { recursive: true });
    await git('add', '--all');
    const tried = async (hook: string, exit: number) => {
      const args = ['try-repo', bench.root, hook, '--all-files', '--verbose'];
      const { stdout } = await bench.run(bench.tool('pre-commit'), args, {
        cwd: folder,
        env,
        exit,
      });
      return stdout;
    };
    const hook = (id: string) => async () => {
      const seconds: number[] = [];
      while (seconds.length < TRIES && Math.min(9, ...seconds) >= LONGEST_S) {
        const [, text] = /- duration: ([\d.]+)s/.exec(await tried(id, 0)) ?? [];
        seconds.push(Number(text ?? 0));
      }
      bench.note(`${id}: ${seconds.join(', ')} s`);
      assert.ok(Math.min(...seconds) < LONGEST_S, `${id} takes ${seconds.join(', ')} s`);
    };
    const edited = async (file: string, text: string, use: () => Promise<void>) => {
      const path = join(folder, file);
      const before = await readFile(path, 'utf8');
      await appendFile(path, text);
      await git('add', '--all');
      await use();
      await writeFile(path, before);
      await git('add', '--all');
    };
    return {
      'meshform-validate accepts the company, in less than a second': hook('meshform-validate'),
      'meshform-test accepts the company, in less than a second': hook('meshform-test'),
      'meshform-validate refuses a fault, with its place': () =>
        edited('groups.yaml', '  - nam: x\n', async () => {
          assert.match(await tried('meshform-validate', 1), /groups\.yaml:\d+:\d+/);
        }),
      'meshform-test refuses files whose access tests fail': () =>
        edited(
          'access-tests.yaml',
          '  - { name: nobody may, from: all, allow: ["group/no-such-thing:tcp/1"] }\n',
          async () => {
            assert.match(await tried('meshform-test', 1), /no-such-thing/);
          },
        ),
    };
  },
};
