// A plan judges the access tests on the state after it, as it is compared with the state before. The verdicts are those of the
// state on its own: what only the state before has is no source, no destination and no part of a name.
import { expect, test } from 'vitest';
import { reachesIn, reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Json } from '../../../src/model/value.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';

const EXTENT: Extent = { slice: 60, full: 2_000 };
const AT = { file: 'tests.yaml', line: 1, column: 1 };
const written = (text: string) => ({ text, at: AT });

function stateOf(account: object): AccessState {
  const answered = stateOfAnswers(JSON.parse(JSON.stringify(account)) as Json);
  if ('faults' in answered) throw new Error(answered.faults.join());
  return answered.state;
}

// One test of every form for each group, with and without assumptions.
function testsFor({ groups }: AccessState): readonly AccessTest[] {
  const none = { at: AT, allow: [], deny: [], onlyFrom: [], except: [], passesPosture: false };
  const names = groups.map(({ key }) => `group/${key}`);
  return names.flatMap((name, at): AccessTest[] => {
    const other = written(`${names[(at + 1) % names.length]}:tcp/80`);
    const from = written(name);
    return [
      { ...none, name: 'allow', from, allow: [other] },
      { ...none, name: 'deny', from, deny: [other] },
      { ...none, name: 'deny all', from: written('all'), deny: [from] },
      { ...none, name: 'allow all', from: written('all'), allow: [from] },
      { ...none, name: 'old', from, deny: [other], facts: { version: '0.30.0', country: 'DE' } },
      { ...none, name: 'pass', from, allow: [other], passesPosture: true },
      { ...none, name: 'only', to: other, onlyFrom: [from] },
    ];
  });
}

// Flows are listed in the order of members, which depends on the other state.
const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value
        .map(inOrder)
        .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inOrder(one)]))
      : value;

test(
  'the verdicts in a comparison equal those of each state alone',
  () => {
    const { count, seed, found } = proof('access tests in a comparison', EXTENT);
    let failed = 0;
    let judged = 0;
    for (const pair of fc.sample(generatedPair, { numRuns: count, seed })) {
      const [before, after] = pair.map(stateOf);
      if (before === undefined || after === undefined) throw new Error('two states');
      const [, world] = worldsOf([before, after]);
      if (world === undefined) throw new Error('two worlds');
      const tests = testsFor(after);
      const alone = judgeTests(reachesIn(after), tests);
      const compared = judgeTests(reachesOf(world, rowPool()), tests);
      expect(inOrder(compared), JSON.stringify(pair)).toEqual(inOrder(alone));
      failed += alone.verdicts.filter(({ failures }) => failures.length > 0).length;
      judged += tests.length;
    }
    expect(failed).toBeGreaterThan(0);
    expect(judged).toBeGreaterThan(failed);
    found(`${judged} tests, of which ${failed} fail, judged alike`);
  },
  patience(EXTENT, 300),
);
