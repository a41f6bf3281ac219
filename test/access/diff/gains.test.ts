// What a plan says that it grants, against the slow evaluator: no gain of any source is missing, under any posture.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { itselfIn } from '../../../src/access/flows/targets.ts';
import { gainedTraffic } from '../../../src/access/plan/gains.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { ofProtocol, PROTOCOLS, SPAN } from '../../../src/access/sets/traffic.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { generatedPair } from '../generated.ts';
import { memberName, stateOf, targetName } from '../names.ts';
import type { Account } from '../slow/account.ts';
import { BOUNDS, type Bound, comparedIn, movedUnder } from '../slow/moved.ts';
import { portsWorthAsking } from '../slow/rows.ts';

/** Points of traffic, such as `mia > gw tcp 22`. */
interface Gained {
  readonly always: ReadonlySet<string>;
  readonly withPosture: ReadonlySet<string>;
}

function modelled(before: Account, after: Account, ports: readonly number[]): Gained {
  const worlds = worldsOf([stateOf(before), stateOf(after)]);
  const pool = rowPool();
  const [one, other] = worlds.map(world => reachesOf(world, pool));
  if (!one || !other) throw new Error('two states have two worlds');
  const states = { before: one, after: other };
  const always = new Set<string>();
  const withPosture = new Set<string>();
  for (const change of accessChanges(one, other).changes) {
    const gained = gainedTraffic(change, states);
    for (const source of indexesIn(change.sources))
      for (const target of change.targets) {
        if (itselfIn(one.world, target) === source) continue;
        const name = `${memberName(source, worlds)} > ${targetName(target, worlds)}`;
        for (const protocol of PROTOCOLS)
          for (const port of protocol === 'icmp' ? [0] : ports) {
            const point = SPAN[protocol].from + port;
            const has = (traffic: typeof gained.always) =>
              ofProtocol(traffic, protocol).some(({ from, to }) => from <= point && point <= to);
            if (has(gained.always)) always.add(`${name} ${protocol} ${port}`);
            if (has(gained.withPosture)) withPosture.add(`${name} ${protocol} ${port}`);
          }
      }
  }
  return { always, withPosture };
}

function slow(before: Account, after: Account): Gained {
  const both = [before, after];
  const pointsIn = (reach: ReadonlyMap<string, ReadonlySet<number>>) =>
    new Set(
      [...reach].flatMap(([name, ports]) =>
        name.endsWith(' icmp')
          ? [...ports].slice(0, 1).map(() => `${name} 0`)
          : [...ports].map(port => `${name} ${port}`),
      ),
    );
  const is = (bound: Bound) => pointsIn(comparedIn(after, bound, both));
  const gainedUnder = (bound: Bound) =>
    is(bound).difference(pointsIn(comparedIn(before, bound, both)));
  const opened = pointsIn(movedUnder(before, after, 4).opened);
  const all = new Set([...BOUNDS.flatMap(bound => [...gainedUnder(bound)]), ...opened]);
  // What rules allowed before is gained where a machine begins to route.
  const routed = new Set([...gainedUnder('certain'), ...gainedUnder('possible'), ...opened]);
  return {
    always: gainedUnder('unconditional').union(routed.intersection(is('unconditional'))),
    withPosture: all.difference(is('unconditional')),
  };
}

const RUNS = { slice: 40, full: 3_000 };

test(
  'the slow evaluator finds every grant of a change, and no others',
  () => {
    const { count, seed, found: note } = proof('what a plan grants', RUNS);
    let conditional = 0;
    fc.assert(
      fc.property(generatedPair, ([before, after]) => {
        const found = modelled(before, after, portsWorthAsking([before, after]));
        const expected = slow(before, after);
        expect([...found.always].sort()).toEqual([...expected.always].sort());
        expect([...expected.withPosture.difference(found.withPosture)]).toEqual([]);
        conditional += expected.withPosture.size;
      }),
      { numRuns: count, seed },
    );
    note(`${conditional} points of traffic gained under a posture check`);
    expect(conditional).toBeGreaterThan(count / 4);
  },
  patience(RUNS, 200),
);
