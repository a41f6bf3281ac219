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
import { type Fact, type Facts, slowChanges } from '../slow/changes.ts';

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

/** As the slow evaluator has it. */
function expectedFor(before: Account, after: Account, found: Changes): Changes {
  const asText = (facts: Facts): Changes =>
    Object.fromEntries([...facts].map(([name, fact]) => [name, factText(fact)]));
  return asText(slowChanges(before, after, facts => doubtfulPairs(found, asText(facts))));
}

const factText = ({ kind, gives, takes, isOnlyIfPassed, texts }: Fact): string =>
  [kind, gives, takes, isOnlyIfPassed, ...texts].join(' | ');

/** The pairs of a source and a target about which two say something else. */
function doubtfulPairs(one: Changes, other: Changes): readonly string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.filter(name => one[name] !== other[name]).map(name => name.replace(/ \w+$/, ''));
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
