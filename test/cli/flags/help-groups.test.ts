// The help of a command lists its flags in groups that a reader can take in, and each flag once.
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { meshform } from '../../support/cli.ts';

/** Longer lists are searched, not read. */
const LONGEST = 10;

const groupsOf = (command: Command): [string, number][] =>
  Object.entries(
    Object.groupBy(
      command.options.filter(({ hidden }) => !hidden),
      ({ helpGroupHeading = 'Options:' }) => helpGroupHeading,
    ),
  ).map(([heading, options = []]) => [`${command.name()} ${heading}`, options.length]);

test('no command has a flag group that is too long to read', () => {
  const program = buildProgram({ io: {} as Io, version: '', finish: () => {}, run: async () => 0 });
  const groups = program.commands.flatMap(groupsOf);
  expect(groups.length).toBeGreaterThan(20);
  expect(groups.filter(([, size]) => size > LONGEST)).toEqual([]);
});

test('no format has the name of a flag: --format summary is refused, because --summary exists', async () => {
  const { code, stderr } = await meshform(['plan', '--format', 'summary']);
  expect(code).toBe(64);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('text, json, markdown, comment');
});
