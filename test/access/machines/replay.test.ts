// States between two others, against the slow evaluator: who lacks what both ends allow, and who has what neither does.
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/access/diff/stateChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { directionContextOf, directionOf } from '../../../src/access/replay/direction.ts';
import type { Episode } from '../../../src/access/replay/episodes.ts';
import { judgedSequence } from '../../../src/access/replay/judgedSequence.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { PROTOCOLS, SPAN } from '../../../src/access/sets/traffic.ts';
import { type Frame, frameOf } from '../../../src/access/world/world.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { memberName, stateOf, targetName } from '../names.ts';
import type { Account } from '../slow/account.ts';
import { portsOf, slowViolations, unfounded } from '../slow/way.ts';

const LISTS = [
  'peers',
  'groups',
  'policies',
  'posture_checks',
  'routes',
  'networks',
  'setup_keys',
  'users',
] as const;

/** The accounts on the way from one to the other, one object after another, in an order that the coins give. */
function wayBetween(before: Account, after: Account, order: readonly number[]): Account[] {
  const ids = LISTS.flatMap(list => {
    const all = [...(before[list] ?? []), ...(after[list] ?? [])].map(({ id }) => id);
    return [...new Set(all)].map(id => ({ list, id }));
  });
  const textOf = (account: Account, { list, id }: (typeof ids)[number]) =>
    JSON.stringify(account[list]?.find(one => one.id === id));
  const changed = ids
    .filter(one => textOf(before, one) !== textOf(after, one))
    .map((one, at) => ({ ...one, at: order[at % order.length] ?? 0 }))
    .sort((one, other) => one.at - other.at);
  const way = [before];
  for (const { list, id } of changed) {
    const last = way.at(-1) ?? before;
    const now = last[list] ?? [];
    const then = after[list] ?? [];
    const others: readonly { readonly id: string }[] = now.filter(one => one.id !== id);
    const there: readonly { readonly id: string }[] = then.filter(one => one.id === id);
    way.push({ ...last, [list]: [...others, ...there] });
  }
  return way;
}

function modelled(way: readonly Account[]): ReadonlySet<string> {
  const states = way.map(stateOf);
  const first = states[0];
  const last = states.at(-1);
  if (!first || !last) throw new Error('a way has two ends');
  const frame = frameOf(first, last);
  const pool = rowPool();
  const around = directionContextOf(states);
  const pairs = states.slice(1).map((is, at) => [states[at] ?? is, is] as const);
  const changes = pairs.map(([was, is]) => changesBetween(was, is));
  const directions = pairs.map((pair, at) => directionOf(changes[at] ?? [], pair, around));
  const bounds = {
    first: reachesOf(frame.first, pool),
    last: reachesOf(frame.last, pool),
  };
  const judge = { frame, pool, bounds, mayEvaluate: () => true };
  const episodes = judgedSequence({ states, directions, changes }, judge).episodes ?? [];
  return new Set(episodes.flatMap(one => pointsOf(one, frame, portsOf(way))));
}

// A line for each state, source, target, protocol and port, as the slow evaluator has it.
function pointsOf(
  { kind, target, row, from, until }: Episode,
  { first, last }: Frame,
  ports: readonly number[],
): string[] {
  const worlds = [first, last];
  const points = PROTOCOLS.flatMap(protocol =>
    (protocol === 'icmp' ? [0] : ports).map(port => ({
      text: `${protocol} ${port}`,
      at: SPAN[protocol].from + port,
    })),
  );
  const to = targetName(target, worlds);
  return row.flatMap(segment => {
    const inside = points.filter(({ at }) => segment.from <= at && at <= segment.to);
    return [...indexesIn(segment.sources)].flatMap(source =>
      inside.flatMap(({ text }) =>
        Array.from(
          { length: until - from },
          (_, at) => `${kind} ${from + at} ${memberName(source, worlds)} > ${to} ${text}`,
        ),
      ),
    );
  });
}

const RUNS = { slice: 10, full: 2_000 };

test(
  'the replay and the slow evaluator agree on every state between two generated accounts',
  () => {
    const { count, seed, found: note } = proof('states between two generated accounts', RUNS);
    let found = 0;
    let steps = 0;
    fc.assert(
      fc.property(
        generatedPair,
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 12, maxLength: 12 }),
        ([before, after], order) => {
          const way = wayBetween(before, after, order);
          const expected = slowViolations(way);
          const named = modelled(way);
          found += named.size;
          steps += way.length - 1;
          expect([...expected.difference(named)]).toEqual([]);
          expect([...unfounded(way, named)]).toEqual([]);
        },
      ),
      { numRuns: count, seed },
    );
    note(`${steps} steps with ${found} points out of bounds, as the slow evaluator has them`);
    expect(steps).toBeGreaterThan(count);
    expect(found).toBeGreaterThan(0);
  },
  patience(RUNS, 1_000),
);
