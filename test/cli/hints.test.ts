// A hint that names a command of a folder names the folder too: without it, the command is about the working directory.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** Commands that are about one folder, with their other arguments. */
const COMMAND =
  /`meshform (base (?:show|sign|record|(?:adopt|forget) \S+?)|lock (?:show|release|break \S+?)|runs(?: show \S+?)?|apply(?= --(?:resume|undo|record-base)`))(?=[`\s])([^`\n]*)(?:`|$)/gm;

/** A folder: its name, or a place for one. */
const FOLDER = /\bFOLDER\b|\bnetwork\b|\$\{/;

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  // The commands themselves and their examples.
  name => name.endsWith('.ts') && !name.startsWith('cli/commands/'),
);

test('every hint with a command of a folder names the folder', () => {
  const without = files.flatMap(name => {
    const text = readFileSync(join(SRC, name), 'utf8').replaceAll('\\`', '`');
    return [...text.matchAll(COMMAND)]
      .filter(([, , rest = '']) => !FOLDER.test(rest))
      .map(([command]) => `${name}: ${command}`);
  });
  expect(without).toEqual([]);
});
