// A flag or an argument that is an empty text: a script passed on a variable that is not set. No command takes it for
// anything else, and each says which one it is.
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { inFolder, meshform } from '../../support/cli.ts';

interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}

function leaves(command: Command, path: readonly string[] = []): Leaf[] {
  return command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap(inner => leaves(inner, [...path, inner.name()]));
}

const LEAVES = leaves(
  buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 }),
);

/** Words that make a command complete, so that nothing but the empty one can be wrong with it. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  show: ['plan.json'],
  describe: ['listGroups'],
  call: ['listGroups'],
};

const FLAGS = LEAVES.flatMap(({ path, command }) =>
  command.options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ long }) => (long ? [{ path, long }] : [])),
);

/** What a script would do with an unset variable, and what is said. */
async function refused(argv: readonly string[], what: string): Promise<void> {
  await inFolder(async cwd => {
    const { code, stdout, stderr } = await meshform(argv, { cwd });
    expect(code, argv.join(' ')).toBe(64);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      `Error: ${what} is empty\n  hint: the likely cause is an unset variable: set it, or remove the flag or argument\n`,
    );
  });
}

test('the tests of empty flags cover more than 80 flags', () => {
  expect(FLAGS.length).toBeGreaterThan(80);
});

describe('an empty value is refused for', () => {
  test.each(FLAGS)('$path $long', async ({ path, long }) => {
    const words = [...path, ...(NEEDED[path.at(-1) ?? ''] ?? [])];
    await refused([...words, long, ''], long);
    await refused([...words, `${long}=`], long);
  });

  test.each(['audit', 'traffic', 'proxy'])('every filter of events %s', async log => {
    const { stdout } = await meshform(['events', log, '--help']);
    const filters = stdout.split('Filters:')[1]?.split('Options:')[0] ?? '';
    const flags = [...filters.matchAll(/^ {2}(--[a-z-]+) </gm)].map(([, flag = '']) => flag);
    if (log !== 'audit') expect(flags.length).toBeGreaterThan(3);
    for (const flag of flags) await refused(['events', log, flag, ''], flag);
  });

  test('each part of a flag that names objects or kinds', async () => {
    await refused(['plan', '--kinds', 'groups,'], 'a name in --kinds groups,');
    await refused(['export', '--kinds', ' ,'], "a name in --kinds ' ,'");
    await refused(['plan', '--allow', 'DELETES_OBJECT='], '--allow DELETES_OBJECT=');
    await refused(['plan', '--resolve', 'desired='], '--resolve desired=');
  });
});

test.each(
  LEAVES.filter(({ command }) => command.registeredArguments.some(({ variadic }) => !variadic)),
)('an empty argument of $path is refused', async ({ path, command }) => {
  await refused([...path, ''], `the argument ${command.registeredArguments[0]?.name()}`);
});
