// A rollout as its ledger alone drives it: accounts whose applies and health are drawn, and runs that are killed at any transition.
import fc from 'fast-check';
import { newLedger } from '../../../src/fleet/rollout/newLedger.ts';
import { nextStep, type RolloutStep } from '../../../src/fleet/rollout/next.ts';
import {
  type ApplyEnd,
  accept,
  begin,
  checked,
  ended,
  type Health,
  isCannot,
  plannedAgain,
  type Transition,
} from '../../../src/fleet/rollout/transitions.ts';
import { assignWaves } from '../../../src/fleet/rollout/waves.ts';
import type { FleetStop, FleetWave } from '../../../src/model/fleet.ts';
import type { Ledger } from '../../../src/model/rollout.ts';

/** What happens to an account: how its apply ends, and what a look at it shows. */
export type Fate =
  | { readonly apply: ApplyEnd; readonly health: Health }
  /** The plan was stale, and made again: it does the same, or something else. */
  | { readonly again: 'same' | 'other' };

const FINE: Fate = { apply: { code: 0 }, health: { is: 'healthy' } };

const FATES: readonly Fate[] = [
  { apply: { code: 1 }, health: { is: 'healthy' } },
  { apply: { code: 6, cause: 'hazards' }, health: { is: 'healthy' } },
  { apply: { code: 0 }, health: { is: 'unhealthy', code: 2 } },
  { apply: { code: 0 }, health: { is: 'unhealthy', code: 6, cause: 'access-tests' } },
  { again: 'same' },
  { again: 'other' },
];

/** A fleet: its waves, what stops it, and what happens to each account. */
export interface DrawnFleet {
  readonly waves: readonly FleetWave[];
  readonly stop: FleetStop;
  readonly fates: ReadonlyMap<string, Fate>;
}

const STRICT: FleetStop = { failures: 1, hazards: true, accessTests: true, stale: 0 };

/** A fleet of so many accounts, all of which go well but the given ones. */
export function fleetOf(
  count: number,
  waves: readonly FleetWave[],
  { stop = STRICT, fates = {} }: { stop?: FleetStop; fates?: Readonly<Record<string, Fate>> } = {},
): DrawnFleet {
  const names = Array.from({ length: count }, (_, i) => `t${i}`);
  return { waves, stop, fates: new Map(names.map(name => [name, fates[name] ?? FINE])) };
}

const waveDrawn = fc.record(
  { count: fc.integer({ min: 0, max: 4 }), bake: fc.constantFrom(0, 60_000) },
  { requiredKeys: ['bake'] },
);

/** Draws fleets of up to ten accounts, about a quarter of which do not go well. */
export const fleets: fc.Arbitrary<DrawnFleet> = fc
  .record({
    fates: fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(FINE) },
        { weight: 1, arbitrary: fc.constantFrom(...FATES) },
      ),
      { maxLength: 10 },
    ),
    waves: fc.array(waveDrawn, { maxLength: 4 }),
    stop: fc.record({
      failures: fc.integer({ min: 1, max: 3 }),
      hazards: fc.boolean(),
      accessTests: fc.boolean(),
      stale: fc.constantFrom(0, 20, 100),
    }),
  })
  .map(({ fates, waves, stop }) => ({
    waves: [...waves, { bake: 1000 }],
    stop,
    fates: new Map(fates.map((fate, i) => [`t${i}`, fate])),
  }));

/** The ledger of a fleet before anything begins. */
export function ledgerOf({ waves, stop, fates }: DrawnFleet, now = 0): Ledger {
  const accounts = [...fates.keys()].map(name => ({
    name,
    plan: `sha256:${name}`,
    content_digest: `content of ${name}`,
  }));
  const { waveOf } = assignWaves(
    accounts.map(({ name }) => ({ name, labels: {} })),
    waves,
  );
  const settings = { rollout: 'r1', fleet: 'fleet.yaml', plans: 'sha256:all', flags: {}, now };
  return newLedger({ ...settings, waves, stop, accounts, waveOf });
}

/** The ledger after a transition that must be possible. */
export function moved(ledger: Ledger, ...transitions: readonly Transition[]): Ledger {
  return transitions.reduce((now, transition) => {
    const next = transition(now);
    if (isCannot(next)) throw new Error(next.cannot);
    return next;
  }, ledger);
}

/** How an apply that began ends in the ledger. */
export function endOf(name: string, fate: Fate, at: number): Transition {
  if ('apply' in fate) return ended(name, fate.apply, at);
  const isSame = fate.again === 'same';
  const again = { plan: `again ${name}`, content_digest: isSame ? `content of ${name}` : 'other' };
  return ledger => {
    const next = plannedAgain(name, again, at)(ledger);
    return isSame && !isCannot(next) ? ended(name, { code: 0 }, at)(next) : next;
  };
}

/** What a look at an account shows. */
export const healthOf = (fate: Fate): Health =>
  'health' in fate ? fate.health : { is: 'healthy' };

/** What a simulated rollout did. */
export interface Simulated {
  readonly ledger: Ledger;
  readonly step: RolloutStep;
  /** The ledger after each transition. */
  readonly ledgers: readonly Ledger[];
  /** The accounts whose applies ended, in their order: whoever is killed before that did not carry it out. */
  readonly applied: readonly string[];
}

/** How a rollout is run: how many accounts at once, and after which numbers of transitions the run is killed. */
export interface Running {
  readonly concurrency?: number;
  readonly kills?: readonly number[];
  /** Chooses which of the running accounts ends first. */
  readonly choose?: (count: number) => number;
  /** Whether a stopped rollout goes on with all its accounts accepted. */
  readonly isAccepting?: boolean;
}

/** Runs a rollout to its end, or until it is stopped. Time goes on only while the waves bake. */
export function simulate(fleet: DrawnFleet, running: Running = {}): Simulated {
  const { concurrency = 1, kills = [], choose = () => 0, isAccepting = false } = running;
  const ledgers: Ledger[] = [];
  const applied: string[] = [];
  let ledger = ledgerOf(fleet);
  let now = 0;
  let runner = 1;
  let going: string[] = [];
  const fateOf = (name: string): Fate => fleet.fates.get(name) ?? FINE;
  const change = (transition: Transition): void => {
    ledger = moved(ledger, transition);
    ledgers.push(ledger);
    // A run that is killed knows nothing of what it was working on; its successor has another name.
    if (kills.includes(ledgers.length)) {
      runner += 1;
      going = [];
    }
  };
  const finishOne = (): void => {
    const [name = ''] = going.splice(choose(going.length), 1);
    applied.push(name);
    change(endOf(name, fateOf(name), now));
  };
  for (;;) {
    const isDead = (account: { runner?: string }) => account.runner !== `run ${runner}`;
    const step = nextStep(ledger, { now, isDead });
    if (step.is === 'apply' && going.length < concurrency) {
      const name = step.accounts.find(one => !going.includes(one)) ?? '';
      going.push(name);
      change(begin(name, `run ${runner}`, now));
    } else if (going.length > 0) finishOne();
    else if (step.is === 'check') {
      const [name = ''] = step.accounts;
      change(checked(name, healthOf(fateOf(name)), now));
    } else if (step.is === 'baking') now = step.until;
    else if (step.is === 'stopped' && isAccepting) change(accept(step.unhealthy, { at: now }));
    else return { ledger, step, ledgers, applied };
  }
}
