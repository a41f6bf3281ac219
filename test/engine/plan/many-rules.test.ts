// The work for a policy grows with the number of its rules, and not with the square. It is counted, not timed: a machine may be busy.
import { Session } from 'node:inspector/promises';
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

/** How often blocks and functions of the sources ran. */
async function runsIn(work: () => void): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const ours = result.filter(({ url }) => /\/src\/[^?]*\.ts/.test(url));
    return ours
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    session.disconnect();
  }
}

test('four times as many rules take four times the work', async () => {
  expect(planOf(3)).toBe(3);
  const few = await runsIn(() => planOf(50));
  const many = await runsIn(() => planOf(200));
  expect(few).toBeGreaterThan(5_000);
  expect(many / few).toBeLessThan(5);
});
