// Names in the headers of the matrix of a page: what is cut leaves what differs in sight.
import { expect, test } from 'vitest';
import { cutApart, cutInMiddle } from '../../assets/page/cut.js';

test.each([
  ['short', 10, 'short'],
  ['machines that enrol', 9, 'mach…nrol'],
  ['😀😀😀😀😀😀', 5, '😀😀…😀😀'],
])('%j is cut in its middle to %i characters', (text, most, expected) => {
  expect(cutInMiddle(text, most)).toBe(expected);
});

test('texts that would be cut to the same show where they differ', () => {
  const texts = ['staff', 'all', 'engineers'].map(
    name => `machines that enrol with group/${name} and group/everybody else`,
  );
  const cut = cutApart(texts, text => text.length <= 30);
  const shown = texts.map(text => cut.get(text) ?? '');
  expect(new Set(shown).size).toBe(3);
  for (const text of shown) expect(text.length).toBeLessThanOrEqual(30);
  expect(shown[0]).toContain('staff');
  expect(cutApart(['one', 'two'], () => true)).toEqual(
    new Map([
      ['one', 'one'],
      ['two', 'two'],
    ]),
  );
});

test.each([
  ['machine-1, machine-3, machine-4 and 5 more', 'machine-1 and 7 more'],
  ['machine-0, machines that enrol with group/All', 'machine-0 and 1 more'],
  ['"a, b", charlie, delta', '"a, b" and 2 more'],
])(
  'the list %j is its first name and the number of the others if it does not fit',
  (text, shown) => {
    expect(cutApart([text], one => one.length <= 20).get(text)).toBe(shown);
    expect(cutApart([text], () => true).get(text)).toBe(text);
  },
);

test('lists that begin alike show where they differ', () => {
  const lists = ['machine-1, machine-2 of the office', 'machine-1, machine-3 of the office'];
  const shown = cutApart(lists, text => text.length <= 24);
  expect(new Set(shown.values()).size).toBe(2);
});
