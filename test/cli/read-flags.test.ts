// A flag that nothing reads does nothing, and nobody notices. A command fails here if no code that it loads reads a flag of that name,
// or if the action of a subcommand does not take the flag: its siblings may read a flag of the same name.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Io } from '../../src/cli/io.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { actionFlags, flagReads, importedBy } from '../support/project/readFlags.ts';

const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });

/** Flags without an effect, each with the reason why the command takes them. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'events: dialect':
    'all logs have the same path in both; a script gives each command the same server',
  'observe: dialect': 'what it reads has the same path in both, or is not there',
};

// A hidden flag only refuses: it says what replaced it.
const optionsOf = (command: Command): readonly string[] => [
  ...command.options.filter(({ hidden }) => !hidden).map(option => option.attributeName()),
  ...command.commands.flatMap(optionsOf),
];

test('every flag of a command is read by the code of the command', () => {
  const reads = flagReads();
  const unread = program.commands.flatMap(command => {
    const files = importedBy(`cli/commands/${command.name().replace('complete', 'completion')}.ts`);
    const read = new Set([...files].flatMap(file => [...(reads.get(file) ?? [])]));
    return [...new Set(optionsOf(command))]
      .filter(name => !read.has(name))
      .map(name => `${command.name()}: ${name}`);
  });
  expect(unread).toEqual(Object.keys(WITHOUT_EFFECT));
});

test('every flag of a subcommand is a flag of its action', () => {
  // The subcommands of `events` are one function with one type of flags.
  const groups = program.commands.filter(
    command => command.commands.length > 1 && command.name() !== 'events',
  );
  expect(groups.map(command => command.name())).toEqual(['base', 'lock', 'runs', 'fleet', 'api']);
  const untaken = groups.flatMap(group => {
    const own = [group.name(), `${group.name()}Queue`];
    const taken = new Map(own.flatMap(name => [...actionFlags(`cli/commands/${name}.ts`)]));
    return group.commands.flatMap(command =>
      optionsOf(command)
        .filter(name => !taken.get(command.name())?.has(name))
        .map(name => `${group.name()} ${command.name()}: ${name}`),
    );
  });
  expect(untaken).toEqual([]);
});
