// Plans that only replace policies are judged by a few states that enclose all others, with the result of judging each state.
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/access/diff/stateChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { NO_VIOLATIONS, outOfBounds } from '../../../src/access/replay/bounds.ts';
import { directionContextOf, directionOf } from '../../../src/access/replay/direction.ts';
import { episodesIn } from '../../../src/access/replay/episodes.ts';
import { judgedSequence, type SequenceJudge } from '../../../src/access/replay/judgedSequence.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState, Policy } from '../../../src/access/state/accessState.ts';
import { frameOf } from '../../../src/access/world/world.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';

const GROUPS = ['dev', 'ops', 'db', 'web', 'build'];

interface Drawn {
  readonly from: string;
  readonly to: string;
  readonly ports: readonly string[];
  readonly isBidirectional: boolean;
  readonly checks: readonly string[];
  readonly isDrop: boolean;
}

function policy(id: string, { from, to, ports, isBidirectional, checks, isDrop }: Drawn): Policy {
  return {
    key: `id:${id}`,
    id,
    isEnabled: true,
    checks,
    isTemporary: false,
    rules: [
      {
        name: id,
        isEnabled: true,
        isDrop,
        isBidirectional,
        protocol: 'tcp',
        ports,
        ranges: [],
        source: { type: 'groups', groups: [from] },
        destination: { type: 'groups', groups: [to] },
      },
    ],
  };
}

function state(policies: readonly Policy[]): AccessState {
  return {
    machines: [],
    groups: GROUPS.map(key => ({ key, id: key, machines: [], isAll: false })),
    enrolments: [],
    blockedUsers: [],
    policies,
    checks: [
      { key: 'id:recent', id: 'recent', checks: { nb_version_check: { min_version: '1' } } },
    ],
    networks: [],
    routes: [],
    zones: [],
    internetPorts: [],
    services: [],
    unread: new Map(),
  };
}

/** The states in which one policy after the other is replaced. */
function replacing(was: readonly (Policy | undefined)[], is: readonly (Policy | undefined)[]) {
  return [...was, undefined].map((_, count) =>
    state([...is.slice(0, count), ...was.slice(count)].filter(one => one !== undefined)),
  );
}

/** The episodes as `judgedWay` finds them with the number of states that it judged, and a function for those of every single state. */
function judgedTwice(states: readonly AccessState[]) {
  const pairs = states.slice(1).map((is, at) => [states[at] ?? is, is] as const);
  const around = directionContextOf(states);
  const changes = pairs.map(([was, is]) => changesBetween(was, is));
  const directions = pairs.map((pair, at) => directionOf(changes[at] ?? [], pair, around));
  const frame = frameOf(states[0] ?? state([]), states.at(-1) ?? state([]));
  const pool = rowPool();
  const bounds = {
    first: reachesOf(frame.first, pool),
    last: reachesOf(frame.last, pool),
  };
  let looks = 0;
  const mayEvaluate = () => ++looks > 0;
  const judge: SequenceJudge = { frame, pool, bounds, mayEvaluate };
  const { episodes, enclosed } = judgedSequence({ states, directions, changes }, judge);
  // Judging every state takes by far the longest.
  const each = () =>
    episodesIn(
      states.map(one => outOfBounds(reachesOf(frame.between(one), pool), bounds) ?? NO_VIOLATIONS),
    );
  return { episodes, each, looks, enclosed };
}

const drawn = fc.option(
  fc.record({
    from: fc.constantFrom(...GROUPS),
    to: fc.constantFrom(...GROUPS),
    ports: fc.uniqueArray(fc.constantFrom('22', '80', '443', '5432', '8080'), {
      minLength: 1,
      maxLength: 2,
    }),
    isBidirectional: fc.boolean(),
    checks: fc.constantFrom([], [], ['id:recent']),
    isDrop: fc.integer({ min: 0, max: 40 }).map(draw => draw === 0),
  }),
  { nil: undefined, freq: 8 },
);

const RUNS = { slice: 20, full: 1_000 };

test(
  'each step of a plan that replaces policies has its own gaps and openings',
  () => {
    const { count, seed, found: note } = proof('plans judged by states that enclose others', RUNS);
    let enclosed = 0;
    let found = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(drawn, drawn), { minLength: 8, maxLength: 24 }), pairs => {
        const [was, is] = [0, 1].map(side =>
          pairs.map((pair, at) => pair[side] && policy(`p${at}`, pair[side])),
        );
        const { episodes, each: eachOf, looks } = judgedTwice(replacing(was ?? [], is ?? []));
        const each = eachOf();
        const textOf = (list: unknown) => JSON.stringify(list);
        expect(new Set(episodes?.map(textOf))).toEqual(new Set(each.map(textOf)));
        if (looks < pairs.length / 2) enclosed += 1;
        if (each.length > 0) found += 1;
      }),
      { numRuns: count, seed, endOnFailure: true },
    );
    note(
      `${enclosed} plans were judged by less than half of their states; ${found} left the bounds`,
    );
    expect(enclosed).toBeGreaterThan(count / 30);
    expect(found).toBeGreaterThan(count / 30);
  },
  patience(RUNS, 500),
);

test('400 policies that each get a different port are evaluated by two states', () => {
  const at = (first: number) =>
    Array.from({ length: 400 }, (_, nth) =>
      policy(`p${nth}`, {
        from: 'dev',
        to: 'db',
        ports: ['22', String(first + nth)],
        isBidirectional: false,
        checks: [],
        isDrop: false,
      }),
    );
  const { episodes, looks, enclosed } = judgedTwice(replacing(at(1_000), at(20_000)));
  expect(episodes).toEqual([]);
  expect(enclosed).toEqual([{ from: 0, to: 400 }]);
  expect(looks).toBe(2);
});
