import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedBy } from '../../../src/engine/ordering/sort.ts';
import { actionId } from '../../../src/model/names.ts';

/** Edges written `a<b`: a comes before b. */
const edges = (text: string) =>
  text
    .split(' ')
    .filter(part => part !== '')
    .map(part => part.split('<').map(actionId))
    .map(([earlier = actionId(''), later = actionId('')]) => ({ earlier, later }));

function sorted(ids: string, hard: string, strong = '', weak = '') {
  const { order, after, circle } = sortedBy([...ids].map(actionId), {
    hard: edges(hard),
    soft: { strong: edges(strong), weak: edges(weak) },
  });
  const waits = [...after].map(([id, earlier]) => `${id}:${[...earlier].sort().join('')}`);
  return { order: order.join(''), after: waits.sort().join(' '), circle: circle.join('') };
}

test('the rank decides without edges', () => {
  expect(sorted('abc', '')).toEqual({ order: 'abc', after: '', circle: '' });
});

test('a hard constraint takes precedence over the rank', () => {
  expect(sorted('abc', 'c<a')).toEqual({ order: 'bca', after: 'a:c', circle: '' });
});

test('a constraint takes precedence over the rank', () => {
  expect(sorted('abc', '', '', 'c<a')).toMatchObject({ order: 'bca', after: 'a:c' });
});

test('a soft constraint that hard constraints contradict is given up, and the others are not', () => {
  expect(sorted('abc', 'a<b b<c', 'c<a', 'b<c')).toMatchObject({ order: 'abc', after: 'b:a c:b' });
});

test('a constraint waits for its predecessors', () => {
  expect(sorted('abc', 'c<b', '', 'b<a')).toMatchObject({ order: 'cba', after: 'a:b b:c' });
});

test('the stronger of two contradicting soft constraints holds', () => {
  expect(sorted('ab', '', 'b<a', 'a<b')).toMatchObject({ order: 'ba', after: 'a:b' });
});

test('a cycle of hard constraints is reported with the order of its actions, and the rest is ordered', () => {
  const { order, circle } = sorted('abcdx', 'a<b b<c c<a c<d');
  expect(order).toBe('x');
  expect(['abc', 'bca', 'cab']).toContain(circle);
});

test('actions that wait for the last one do not delay the others', () => {
  // So many that looking at all waiting actions after each one would take minutes.
  const names = Array.from({ length: 200_000 }, (_, i) => actionId(`n${i}`));
  const half = names.slice(0, 100_000);
  const last = names.at(-1) ?? actionId('');
  const hard = half.map(later => ({ earlier: last, later }));
  const { order } = sortedBy(names, { hard, soft: { strong: [], weak: [] } });
  expect(order).toEqual([...names.slice(100_000), ...half]);
});

test('an edge given twice changes nothing', () => {
  expect(sorted('ab', 'b<a b<a', 'b<a')).toEqual({ order: 'ba', after: 'a:b', circle: '' });
});

test('the order of edges does not matter, every hard constraint holds, and so does every soft constraint that is kept', () => {
  const pair = fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })).filter(([a, b]) => a !== b);
  const text = (pairs: [number, number][], isUp: boolean) =>
    pairs.map(([a, b]) => `${isUp ? Math.min(a, b) : a}<${isUp ? Math.max(a, b) : b}`).join(' ');
  const many = fc.array(pair, { maxLength: 12 });
  fc.assert(
    fc.property(many, many, many, (hard, strong, weak) => {
      const given = [text(hard, true), text(strong, false), text(weak, false)] as const;
      const backwards = given.map(part => part.split(' ').reverse().join(' '));
      const [first, ...rest] = given;
      const result = sorted('76543210', first, ...rest);
      expect(sorted('76543210', backwards[0] ?? '', backwards[1], backwards[2])).toEqual(result);
      const place = (id: string) => result.order.indexOf(id);
      const kept = result.after.split(' ').filter(Boolean);
      for (const [id = '', earlier = ''] of kept.map(part => part.split(':')))
        for (const one of earlier) expect(place(one)).toBeLessThan(place(id));
      for (const { earlier, later } of edges(first))
        expect(place(earlier)).toBeLessThan(place(later));
    }),
    { seed: 1, numRuns: 200 },
  );
});
