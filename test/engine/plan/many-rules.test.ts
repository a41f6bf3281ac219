// The work for a policy grows with the number of its rules, and not with the square. It is counted, not timed: a machine may be busy.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { declared, group, planFor, policy } from '../planning.ts';

const rule = (i: number, port: number): JsonObject => ({
  name: `rule ${i}`,
  description: '',
  enabled: true,
  action: 'accept',
  bidirectional: false,
  protocol: 'tcp',
  ports: [String(port)],
  sources: ['a'],
  destinations: ['b'],
});

const numbered = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Plans a policy of so many rules, each of which changes. */
function planOf(count: number): number {
  const live = numbered(count, i => ({
    ...rule(i, i + 1),
    id: `r${i}`,
    sources: ['ga'],
    destinations: ['gb'],
  }));
  const wanted = declared('policy', 'p', {
    fields: { name: 'p', rules: numbered(count, i => rule(count - 1 - i, count - i + 1)) },
  });
  const account = [group('ga', 'a'), group('gb', 'b'), policy('p', 'p', [], [], { rules: live })];
  const groups = ['a', 'b'].map(name => declared('group', name));
  return planFor([...groups, wanted], account).changes[0]?.fields.length ?? 0;
}

/** The methods of lists that look at their entries one by one. */
const WALKS = [
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'flatMap',
  'forEach',
  'includes',
  'indexOf',
  'map',
  'reduce',
  'some',
] as const;

type Walk = (this: readonly unknown[], ...args: unknown[]) => unknown;

/** Through how many entries lists were walked, at most. */
function entriesIn(work: () => void): number {
  const prototype = Array.prototype as unknown as Record<string, Walk>;
  const own = WALKS.map(name => [name, prototype[name] as Walk] as const);
  let count = 0;
  try {
    for (const [name, walk] of own)
      prototype[name] = function (...args) {
        count += this.length;
        return walk.apply(this, args);
      };
    work();
  } finally {
    for (const [name, walk] of own) prototype[name] = walk;
  }
  return count;
}

test('four times as many rules take at most four times as much work', () => {
  expect(planOf(3)).toBe(3);
  const few = entriesIn(() => planOf(100));
  const many = entriesIn(() => planOf(400));
  expect(few).toBeGreaterThan(10_000);
  expect(many / few).toBeLessThan(5);
});

test('quadratic work is detected', () => {
  const search = (count: number) =>
    numbered(count, i => i).map((one, _, all) => all.find(other => other === one));
  const few = entriesIn(() => search(100));
  expect(entriesIn(() => search(400)) / few).toBeGreaterThan(10);
});
