// A hint names only flags that its command has: for every command and every flag that takes a file, a file of another kind, a
// folder that is not there, and a flag that does not exist.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const { commands } = buildProgram({
  io: {} as Io,
  version: '',
  finish: () => {},
  run: async () => 0,
});

/** Commands that run a server, or have no flags of their own. */
const APART: ReadonlySet<string> = new Set([
  'emulator',
  'studio',
  'demo',
  'api',
  'completion',
  'complete',
  'help',
]);
const tested = commands.filter(command => !APART.has(command.name()));

const flagsIn = (text: string): readonly string[] => text.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];

/** Flags in hints that name no other command. */
const hinted = (stderr: string) =>
  stderr
    .split('\n')
    .filter(line => /hint:/.test(line) && !/meshform \w/.test(line))
    .flatMap(flagsIn);

const fileFlags = (command: Command) =>
  command.options.filter(({ flags }) => /<(file|path)>/.test(flags)).map(({ long }) => long ?? '');

describe.each(tested.map(command => [command.name(), command] as const))('%s', (name, command) => {
  const known = new Set(command.options.map(({ long }) => long));
  test('hints name only flags that the command has', () =>
    inFolder(async cwd => {
      const account = await startAccount();
      onTestFinished(() => account.close());
      await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]\n');
      await writeFile(join(cwd, 'other.txt'), 'something else\n');
      const env = { ...environmentOf(account), MESHFORM_NOTIFY_URL: 'http://127.0.0.1:9/' };
      const tried = fileFlags(command).flatMap(flag => [
        [flag, 'other.txt'],
        [flag, 'nowhere/deep.txt'],
      ]);
      const companions = known.has('--notify') ? ['--notify'] : [];
      for (const words of [...tried, ['--no-such-flag']]) {
        const { stderr } = await meshform([name, ...words, ...companions], { cwd, env });
        expect({ words, unknown: hinted(stderr).filter(flag => !known.has(flag)) }).toEqual({
          words,
          unknown: [],
        });
        if (words[0] === '--notify-state' && words[1] !== 'other.txt')
          expect(stderr).toContain('the folder `nowhere` does not exist');
      }
    }));
});
