// `docs/security.md`: each attacker has what they can do, what they cannot, and for every line of that a test that exists.
import { describe, expect, test } from 'vitest';
import { textOf } from './blocks.ts';
import { hasTitle, titlesIn } from './titles.ts';

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

test('the page lists the expected attackers', () => {
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
      const named = tests.matchAll(/`(?<path>[^`]+)` \*(?<title>[^*]+)\*(?:, |$)/g);
      const all = [...named].map(({ groups: { path = '', title = '' } = {} }) => ({ path, title }));
      // Nothing in the cell is another text, such as a path without a title.
      expect(all.map(({ path, title }) => `\`${path}\` *${title}*`).join(', '), row).toBe(tests);
      for (const { path, title } of all) {
        expect(path).toMatch(/^test\/.+\.ts$/);
        expect(hasTitle(textOf(path), title), `${path}: ${title}`).toBe(true);
      }
    }
  });
});

test('a title that was changed, removed or skipped is not found', () => {
  const source = `
describe.each(KINDS)('a group of %s', kind => {
  test('is kept', () => {});
  test.each(ROWS)(
    'is refused: %s',
    () => {},
  );
  test.skip('is skipped', () => {});
  // test('is in a comment', () => {});
});
test.runIf(mayGiveAway).each(['file'])('it\\'s behind a %s of another user', () => {});
const steps = {
  'is a step': async () => {},
  'is a text': 'text',
};
`;
  const titles = [
    'a group of',
    'is kept',
    'is refused',
    "it's behind a … of another user",
    'is a step',
  ];
  expect(titlesIn(source)).toEqual(titles);
  expect(hasTitle(source, 'a group of > is kept')).toBe(true);
  for (const wrong of ['is', 'is kept > a group of', 'a group of > is gone', ''])
    expect(hasTitle(source, wrong), wrong).toBe(false);
});
