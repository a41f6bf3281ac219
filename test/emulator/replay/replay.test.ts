// The recorded exchanges against the emulator: it answers what the public server answered, but for the lines of a table.
import { expect, it } from 'vitest';
import { emulated } from '../emulated.ts';
import { KNOWN } from './known.ts';
import { isHook, readRecording } from './line.ts';
import { lineOf, replay } from './player.ts';

/** How many lines of both files may be answered otherwise. */
const MOST = 20;

it.each(['sequence', 'mutations'] as const)(
  '%s is answered as recorded: status, type and shape',
  async name => {
    const lines = readRecording(name);
    expect(lines.length).toBeGreaterThan(900);
    const api = await emulated({ dialect: 'netbird', edition: 'self-hosted', shuffle: false });
    const found = await replay(lines, api);
    const others = found.filter(({ line }) => !(line in KNOWN[name]));
    expect(others).toEqual([]);
    // A line that agrees by now has no reason any more.
    const differing = new Set(found.map(({ line }) => line));
    expect(Object.keys(KNOWN[name]).filter(line => !differing.has(line))).toEqual([]);
  },
  120_000,
);

it('the table of differences is short, and speaks of lines that there are', () => {
  const tables = Object.values(KNOWN).flatMap(table => Object.keys(table));
  expect(tables.length).toBeLessThanOrEqual(MOST);
  const lines = (['sequence', 'mutations'] as const).flatMap(readRecording);
  const names = new Set(lines.flatMap(line => (isHook(line) ? [] : [lineOf(line)])));
  expect(tables.filter(line => !names.has(line))).toEqual([]);
});
