// The difference of two states, against the slow evaluator: every source, target, protocol and port.
import { expect, test } from 'vitest';
import type { AccessChange } from '../../../src/access/diff/accessChange.ts';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { itselfIn } from '../../../src/access/flows/targets.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { PROTOCOLS, type Traffic } from '../../../src/access/sets/traffic.ts';
import { rangesOf } from '../../../src/access/sets/trafficText.ts';
import { type World, worldsOf } from '../../../src/access/world/world.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { posturePair } from '../generatedPosture.ts';
import { memberName, stateOf, targetName } from '../names.ts';
import type { Account } from '../slow/account.ts';
import { BOUNDS, boundIn, type Moved, movedExactly, movedUnder } from '../slow/moved.ts';
import { portsWorthAsking, rangesText } from '../slow/rows.ts';

/**
 * By source, target and protocol: whether it is a gain, a loss or another change, and in which directions; unconditional, granted and
 * usable traffic, before and after.
 */
type Changes = Record<string, string>;

function modelled(before: Account, after: Account): Changes {
  const states = [stateOf(before), stateOf(after)];
  const worlds = worldsOf(states);
  const pool = rowPool();
  const [one, other] = worlds.map(world => reachesOf(world, pool));
  if (!one || !other) throw new Error('two states have two worlds');
  const changes = accessChanges(one, other).changes.flatMap(change => expanded(change, worlds));
  expect(new Set(changes.map(([name]) => name)).size).toBe(changes.length);
  return Object.fromEntries(changes);
}

function expanded(change: AccessChange, worlds: readonly World[]): [string, string][] {
  const protocols = change.protocol === 'all' ? PROTOCOLS : [change.protocol];
  const none = { unconditional: [], granted: [] };
  const { before = none, after = none, sources, targets, kind, usable } = change;
  if (usable === undefined) throw new Error('changes of small accounts are listed');
  const [world = { members: [] }] = worlds;
  return [...indexesIn(sources)].flatMap(source =>
    targets.flatMap(target =>
      itselfIn(world, target) === source
        ? []
        : protocols.map((protocol): [string, string] => {
            const text = (traffic: Traffic) =>
              protocol === 'icmp'
                ? String(traffic.some(({ from }) => from === 0x20000))
                : rangesOf(traffic, protocol).join();
            const parts = [
              before.unconditional,
              before.granted,
              after.unconditional,
              after.granted,
              usable.before,
              usable.after,
            ];
            const name = `${memberName(source, worlds)} > ${targetName(target, worlds)} ${protocol}`;
            const ways = [change.gains, change.loses, usable.isOnlyIfPassed];
            return [name, [kind, ...ways, ...parts.map(text)].join(' | ')];
          }),
    ),
  );
}

/** As the slow evaluator has it, with what is opened and closed under the fates that were looked at. */
function slow(before: Account, after: Account, { opened, closed }: Moved): Changes {
  const both = [before, after];
  const ports = portsWorthAsking(both);
  const reached = both.map(account => BOUNDS.map(bound => boundIn(account, bound, both)));
  const text = (name: string, found: ReadonlySet<number>) =>
    name.endsWith(' icmp') ? String(found.size > 0) : rangesText([...found], ports);
  const names = new Set([...reached.flat(), opened, closed].flatMap(reach => [...reach.keys()]));
  const changes = [...names].flatMap((name): [string, string][] => {
    const points = reached.map(readings => readings.map(reach => reach.get(name) ?? new Set()));
    const [[u0, c0, p0, g0] = [], [u1, c1, p1, g1] = []] = points as ReadonlySet<number>[][];
    if (!u0 || !c0 || !p0 || !g0 || !u1 || !c1 || !p1 || !g1) throw new Error('four readings');
    const isMore = (one: ReadonlySet<number>, other: ReadonlySet<number>) => !one.isSubsetOf(other);
    const gains = isMore(c1, c0) || isMore(p1, p0) || opened.has(name);
    const loses = isMore(c0, c1) || isMore(p0, p1) || closed.has(name);
    const isGiven = isMore(g1, g0);
    const isTaken = isMore(g0, g1);
    const gives = gains || isGiven || isMore(u1, u0);
    const takes = loses || isTaken || isMore(u0, u1);
    if (!gives && !takes) return [];
    // Nobody may use more or less: what those get, or no longer get, who fail today.
    const isPending = !gains && !loses;
    const isLoss = loses && !gives;
    const isGain = isPending ? isGiven && !isTaken : gains && !loses;
    const kind = isGain ? 'gained' : isLoss ? 'lost' : 'changed';
    const before =
      isPending && isTaken ? g0 : kind === 'gained' && !isPending && !isMore(p1, p0) ? c0 : p0;
    const after =
      isPending && (isTaken || isGiven)
        ? g1
        : isLoss && !isMore(p0, p1)
          ? c1
          : loses && !gains && gives
            ? p1.union(g1.difference(g0))
            : p1;
    const shown = [u0, g0, u1, g1, before, after].map(found => text(name, found));
    return [[name, [kind, gives, takes, isPending && isTaken, ...shown].join(' | ')]];
  });
  return Object.fromEntries(changes);
}

/** The same, exactly where the model says something else: the fates that were looked at may be too few. */
function expectedFor(before: Account, after: Account, found: Changes): Changes {
  const moved = movedUnder(before, after, 6);
  const first = slow(before, after, moved);
  const names = new Set([...Object.keys(found), ...Object.keys(first)]);
  const doubtful = [...names].filter(name => found[name] !== first[name]);
  if (doubtful.length === 0) return first;
  for (const pair of new Set(doubtful.map(name => name.replace(/ \w+$/, '')))) {
    const [source = '', target = ''] = pair.split(' > ');
    const exact = movedExactly(before, after, [source, target]);
    for (const [name, ports] of exact.opened) moved.opened.set(name, ports);
    for (const [name, ports] of exact.closed) moved.closed.set(name, ports);
  }
  return slow(before, after, moved);
}

/** The usual accounts, and those in which posture decides. */
const drawn = fc.oneof(
  { arbitrary: generatedPair, weight: 3 },
  ...(['between', 'awaiting', 'routed'] as const).map(emphasis => ({
    arbitrary: posturePair(emphasis),
    weight: 1,
  })),
);

const RUNS = { slice: 40, full: 5_000 };

test(
  'the model and the slow evaluator agree on what changes between two generated accounts',
  () => {
    const { count, seed, found: note } = proof('what changes between two generated accounts', RUNS);
    let changes = 0;
    fc.assert(
      fc.property(drawn, ([before, after]) => {
        const found = modelled(before, after);
        changes += Object.keys(found).length;
        expect(found).toEqual(expectedFor(before, after, found));
      }),
      { numRuns: count, seed },
    );
    note(`${changes} changes, as the slow evaluator has them`);
    expect(changes).toBeGreaterThan(5 * count);
  },
  patience(RUNS, 200),
);
