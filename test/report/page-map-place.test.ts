// Where the map of a page begins, and which part of it is in sight.
import { expect, test } from 'vitest';
import { beginningOf, MARKED, partIn, sidesBeyond } from '../../assets/page/mapPlace.js';
import type { NodeChange } from '../../src/report/graph/graph.ts';

const VIEW = { width: 1000, height: 700 };
const at = (x: number, y: number) => ({ x, y, width: 100, height: 30 });

test.each([
  [
    'at the top left, also if more boxes are in the middle',
    [at(16, 300), at(600, 900), at(600, 950)],
    [],
    0,
    0,
  ],
  [
    'at the first box, if none is in sight at the top left',
    [at(1500, 16), at(16, 1200)],
    [],
    0,
    1156,
  ],
  [
    'at the top left, if a change is in sight there',
    [at(16, 16), at(600, 300)],
    [at(600, 300)],
    0,
    0,
  ],
  [
    'at the first change otherwise',
    [at(16, 16), at(600, 1300)],
    [at(600, 2000), at(600, 1300)],
    0,
    1256,
  ],
  [
    'at a change at the left rather than at one above it that is further right',
    [at(16, 16)],
    [at(1500, 16), at(16, 1200)],
    0,
    1156,
  ],
  ['further right only for a change that is there', [at(16, 16)], [at(1500, 100)], 1456, 56],
])('it begins %s', (_, boxes, marked, x, y) => {
  expect(beginningOf(boxes, marked, VIEW)).toEqual({ x, y });
});

test('a map begins at the left of a narrow window, which has room only for the beginning of a box', () => {
  const box = { x: 205, y: 16, width: 250, height: 50 };
  const further = { x: 750, y: 16, width: 150, height: 50 };
  expect(beginningOf([], [further, box], { width: 349, height: 700 })).toEqual({ x: 0, y: 0 });
});

test('a map continues beyond the sides that hide a part of it', () => {
  const part = { x: 200, y: 0, ...VIEW };
  expect(sidesBeyond(part, { width: 1500, height: 702 })).toEqual(['left', 'right']);
  expect(sidesBeyond({ ...part, x: 0 }, VIEW)).toEqual([]);
});

test('the part in sight has the same place in the overview', () => {
  const found = partIn(
    { x: 500, y: 0, width: 1000, height: 700 },
    { width: 2000, height: 700 },
    { width: 100, height: 35 },
  );
  expect(found).toEqual({ x: 25, y: 0, width: 50, height: 35 });
});

test('every change of a box is a mark at which a map may begin', () => {
  const marks: Readonly<Record<NodeChange, true>> = { added: true, removed: true, changed: true };
  expect(MARKED.split(', ')).toEqual(Object.keys(marks).map(change => `.${change}`));
});
