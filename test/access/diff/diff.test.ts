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
import { memberName, stateOf, targetName } from '../names.ts';
import type { Account } from '../slow/account.ts';
import { portsWorthAsking, rangesText, slowReach } from '../slow/rows.ts';

/** By source, target and protocol: unconditional and granted traffic, before and after. */
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
  const { before = none, after = none, sources, targets } = change;
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
            ];
            const name = `${memberName(source, worlds)} > ${targetName(target, worlds)} ${protocol}`;
            return [name, parts.map(text).join(' | ')];
          }),
    ),
  );
}

const READINGS = ['unconditional', 'certain', 'possible', 'granted'] as const;

function slow(before: Account, after: Account): Changes {
  const both = [before, after];
  const ports = portsWorthAsking(both);
  const reached = both.map(account => READINGS.map(reading => slowReach(account, reading, both)));
  const all = reached.flat();
  const text = (name: string, reach: ReadonlyMap<string, ReadonlySet<number>> | undefined) => {
    const found = [...(reach?.get(name) ?? [])];
    if (name.endsWith(' icmp')) return String(found.length > 0);
    return rangesText(found, ports);
  };
  const names = new Set(all.flatMap(reach => [...reach.keys()]));
  const changes = [...names].flatMap((name): [string, string][] => {
    const [was, is] = reached.map(readings => readings.map(reach => text(name, reach)));
    if (was?.join(' | ') === is?.join(' | ')) return [];
    return [[name, [was?.[0], was?.[3], is?.[0], is?.[3]].join(' | ')]];
  });
  return Object.fromEntries(changes);
}

const RUNS = { slice: 40, full: 5_000 };

test(
  'the model and the slow evaluator agree on what changes between two generated accounts',
  () => {
    const { count, seed, found: note } = proof('what changes between two generated accounts', RUNS);
    let changes = 0;
    fc.assert(
      fc.property(generatedPair, ([before, after]) => {
        const found = modelled(before, after);
        changes += Object.keys(found).length;
        expect(found).toEqual(slow(before, after));
      }),
      { numRuns: count, seed },
    );
    note(`${changes} changes, as the slow evaluator has them`);
    expect(changes).toBeGreaterThan(5 * count);
  },
  patience(RUNS, 200),
);
