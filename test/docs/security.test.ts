// `docs/security.md`: each attacker has what they can do, what they cannot, and for every line of that a test that exists.
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pageAt, textOf } from './blocks.ts';

const ATTACKERS = [
  'A pull request from a fork',
  'A contributor with push rights',
  'A maintainer',
  'A neighbour on the machine',
  'The server itself',
  'A machine in the network',
];

const [, ...sections] = textOf('docs/security.md').split(/^## /m);
const titleOf = (section: string): string => section.slice(0, section.indexOf('\n'));

test('the page lists these attackers', () => {
  expect(sections.map(titleOf)).toEqual(ATTACKERS);
});

describe.each(sections.map(section => [titleOf(section), section] as const))('%s', (_, section) => {
  test('says what the attacker can do', () => {
    expect(section).toMatch(/^\*\*Can\.\*\* \S/m);
  });

  test('names a test for each thing that the attacker cannot do', () => {
    const [head, , ...rows] = section.split('\n').filter(line => line.startsWith('|'));
    expect(head).toBe('| cannot | because | shown by |');
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const cells = row.slice(2, -2).split(' | ');
      expect(
        cells.filter(cell => cell.trim() !== ''),
        row,
      ).toHaveLength(3);
      const [, , tests = ''] = cells;
      const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(named.length, row).toBeGreaterThan(0);
      for (const path of named) {
        expect(path).toMatch(/^test\/.+\.ts$/);
        expect(statSync(pageAt(path), { throwIfNoEntry: false })?.isFile(), path).toBe(true);
      }
    }
  });
});
