// Rollouts by their ledgers: waves that wait for each other, stops, and runs that are killed anywhere.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextStep, unacceptedOf } from '../../../src/fleet/rollout/next.ts';
import {
  bakedAt,
  isSettled,
  waveAppliedAt,
  waveBegunAt,
} from '../../../src/fleet/rollout/progress.ts';
import {
  abandon,
  accept,
  begin,
  checked,
  complete,
  ended,
  inSequence,
  plannedAgain,
  stop,
  vanished,
} from '../../../src/fleet/rollout/transitions.ts';
import type { Ledger, RolloutAccount } from '../../../src/model/rollout.ts';
import { fleetOf, fleets, ledgerOf, moved, simulate } from './simulation.ts';

const HEALTHY = { is: 'healthy' } as const;
const CANARY = [{ count: 1, bake: 60_000 }, { bake: 0 }];

/** The names of the first wave, and of the others. */
function waveNames(ledger: Ledger): [string, string[]] {
  const [first = '', ...others] = ledger.accounts.map(({ name }) => name);
  return [first, others];
}

describe('the next step', () => {
  test('the canary is applied, watched and checked before the others begin', () => {
    const start = ledgerOf(fleetOf(3, CANARY));
    const [canary, others] = waveNames(start);
    expect(nextStep(start, { now: 0 })).toEqual({ is: 'apply', wave: 1, accounts: [canary] });
    const applied = moved(start, begin(canary, 'run', 0), ended(canary, { code: 0 }, 5000));
    expect(nextStep(applied, { now: 64_999 })).toEqual({ is: 'baking', wave: 1, until: 65_000 });
    expect(nextStep(applied, { now: 65_000 })).toEqual({
      is: 'check',
      wave: 1,
      accounts: [canary],
    });
    const healthy = moved(applied, checked(canary, HEALTHY, 65_000));
    expect(nextStep(healthy, { now: 65_000 })).toEqual({ is: 'apply', wave: 2, accounts: others });
  });

  test('an unhealthy account stops all later accounts, and must be accepted by name', () => {
    const start = ledgerOf(fleetOf(3, CANARY));
    const [canary, others] = waveNames(start);
    const failed = moved(
      start,
      begin(canary, 'run', 0),
      ended(canary, { code: 1, why: 'a request failed' }, 0),
    );
    expect(nextStep(failed, { now: 0 })).toEqual({
      is: 'stopped',
      why: `\`${canary}\` is not healthy`,
      unhealthy: [canary],
      running: [],
      notBegun: others,
    });
    expect(accept([], { at: 1 })(failed)).toEqual({ cannot: `not accepted: \`${canary}\`` });
    expect(accept([canary, 't9'], { at: 1 })(failed)).toEqual({ cannot: '`t9` is not unhealthy' });
    const accepted = moved(failed, accept([canary], { at: 1, by: 'ada' }));
    expect(nextStep(accepted, { now: 1 })).toEqual({ is: 'apply', wave: 2, accounts: others });
    expect(accept([canary], { at: 2 })(accepted)).not.toHaveProperty('cannot');
  });

  test('a wave with a failed apply stops immediately, even if more failures are allowed', () => {
    const lenient = { failures: 5, hazards: false, accessTests: false, stale: 0 };
    const fates = { t0: { apply: { code: 1 }, health: HEALTHY } };
    const { step } = simulate(fleetOf(3, [{ bake: 60_000 }], { stop: lenient, fates }));
    expect(step).toMatchObject({ is: 'stopped', unhealthy: ['t0'], notBegun: [] });
  });

  test('the accounts of a wave stop after as many failures as the fleet file allows', () => {
    const lenient = { failures: 2, hazards: false, accessTests: false, stale: 0 };
    const bad = { apply: { code: 1 }, health: HEALTHY };
    const fleet = fleetOf(6, [], { stop: lenient });
    const [first = '', second = '', third = '', ...rest] = ledgerOf(fleet).accounts.map(
      ({ name }) => name,
    );
    const { step } = simulate(
      fleetOf(6, [], { stop: lenient, fates: { [first]: bad, [third]: bad } }),
    );
    expect(step).toMatchObject({ is: 'stopped', unhealthy: [first, third], notBegun: rest });
    expect(rest).not.toContain(second);
  });

  test('a hazard and a failing access test stop the rollout, whatever failures are allowed', () => {
    const stopping = { failures: 9, hazards: true, accessTests: true, stale: 0 };
    const start = ledgerOf(fleetOf(3, [], { stop: stopping }));
    const [first] = waveNames(start);
    const begun = moved(start, begin(first, 'run', 0));
    const hazardous = moved(begun, ended(first, { code: 6, cause: 'hazards' }, 0));
    expect(nextStep(hazardous, { now: 0 })).toMatchObject({
      is: 'stopped',
      why: `the plan of \`${first}\` has a hazard that nobody accepted`,
    });
    const failing = moved(begun, ended(first, { code: 6, cause: 'access-tests' }, 0));
    expect(nextStep(failing, { now: 0 })).toMatchObject({
      is: 'stopped',
      why: `an access test of \`${first}\` fails`,
    });
  });

  test('stale plans stop the rollout once there are more than the fleet file allows', () => {
    const fates = { t0: { again: 'other' }, t1: { again: 'same' } } as const;
    const allowing = { failures: 1, hazards: true, accessTests: true, stale: 25 };
    expect(simulate(fleetOf(4, [], { stop: allowing, fates })).step).toEqual({
      is: 'done',
      stale: ['t0'],
    });
    expect(
      simulate(fleetOf(4, [], { stop: { ...allowing, stale: 24 }, fates })).step,
    ).toMatchObject({ is: 'stopped', unhealthy: ['t0'] });
  });

  test('a run carries out only its own accounts, and lists those that no run carries out', () => {
    const start = ledgerOf(fleetOf(3, []));
    const names = start.accounts.map(({ name }) => name);
    const [first = ''] = names;
    const isOwn = (name: string) => name === first;
    const isDead = ({ name }: { name: string }) => name !== first;
    expect(nextStep(start, { now: 0, isOwn })).toMatchObject({ is: 'apply', accounts: [first] });
    const applied = moved(start, begin(first, 'run', 0), ended(first, { code: 0 }, 0));
    const others = { is: 'others', wave: 1, accounts: names.slice(1), dead: names.slice(1) };
    expect(nextStep(applied, { now: 0, isOwn, isDead })).toEqual(others);
  });

  test('a running account continues only with a run that says its runner is dead', () => {
    const start = ledgerOf(fleetOf(1, []));
    const running = moved(start, begin('t0', 'first', 0));
    expect(nextStep(running, { now: 0 })).toMatchObject({ is: 'others', accounts: ['t0'] });
    const isDead = () => true;
    expect(nextStep(running, { now: 0, isDead })).toMatchObject({ is: 'apply', accounts: ['t0'] });
    expect(begin('t0', 'first', 1)(running)).toEqual({ cannot: '`t0` is running' });
    const again = moved(running, begin('t0', 'second', 1));
    expect(again.accounts[0]).toMatchObject({
      runner: 'second',
      begun_at: '1970-01-01T00:00:00.000Z',
    });
  });

  test('a wave without accounts, and a wave that no longer exists after an earlier wave was healthy, delay nothing', () => {
    const start = ledgerOf(fleetOf(3, [{ count: 0, bake: 9e9 }, { count: 1, bake: 0 }, ...CANARY]));
    const [canary, [second = '', ...others]] = waveNames(start);
    const applied = moved(start, begin(canary, 'run', 0), ended(canary, { code: 0 }, 0));
    const gone = moved(applied, checked(canary, HEALTHY, 0), vanished(second));
    expect(nextStep(gone, { now: 0 })).toEqual({ is: 'apply', wave: 4, accounts: others });
  });

  test('a first wave that no longer exists or is stale stops the rollout, because nothing was tried, until each account is accepted', () => {
    const stop = { failures: 1, hazards: true, accessTests: true, stale: 50 };
    const start = ledgerOf(fleetOf(6, [{ count: 2, bake: 0 }, { bake: 0 }], { stop }));
    const [one = '', other = '', ...others] = start.accounts.map(({ name }) => name);
    const again = { plan: 'sha256:again', content_digest: 'other' };
    const untried = moved(
      start,
      vanished(one),
      begin(other, 'run', 0),
      plannedAgain(other, again, 0),
    );
    expect(nextStep(untried, { now: 0 })).toEqual({
      is: 'stopped',
      why: 'nothing was tried before wave 2: 2 accounts vanished or changed since the plan',
      unhealthy: [one, other],
      running: [],
      notBegun: others,
    });
    expect(accept([one], { at: 0 })(untried)).toEqual({ cannot: `not accepted: \`${other}\`` });
    const accepted = moved(untried, accept([one, other], { at: 0 }));
    expect(nextStep(accepted, { now: 0 })).toEqual({ is: 'apply', wave: 2, accounts: others });
  });

  test('the accounts that must be accepted are found in a few passes, however many accounts a fleet has', () => {
    const start = ledgerOf(fleetOf(200, [{ count: 100, bake: 0 }, { bake: 0 }]));
    const [first] = waveNames(start);
    const failed = moved(start, begin(first, 'run', 0), ended(first, { code: 1 }, 0));
    let reads = 0;
    const accounts = failed.accounts.map(account => {
      const get = (from: object, field: PropertyKey): unknown => {
        reads += 1;
        return Reflect.get(from, field);
      };
      return new Proxy<RolloutAccount>(account, { get });
    });
    expect(unacceptedOf({ ...failed, accounts })).toEqual([first]);
    expect(reads).toBeLessThan(20 * accounts.length);
  });
});

describe('transitions', () => {
  test('an account does not begin before its wave, twice, or in a rollout that is stopped or finished', () => {
    const start = ledgerOf(fleetOf(2, CANARY));
    const [canary, [other = '']] = waveNames(start);
    expect(begin(other, 'run', 0)(start)).toEqual({ cannot: 'wave 2 has not begun' });
    expect(begin('t9', 'run', 0)(start)).toEqual({ cannot: 'the rollout has no account `t9`' });
    const applied = moved(start, begin(canary, 'run', 0), ended(canary, { code: 0 }, 0));
    expect(begin(canary, 'run', 0)(applied)).toEqual({ cannot: `\`${canary}\` is applied` });
    expect(ended(canary, { code: 0 }, 0)(applied)).toEqual({ cannot: `\`${canary}\` is applied` });
    const halted = moved(start, stop('somebody stopped it', 0));
    expect(begin(canary, 'run', 0)(halted)).toEqual({
      cannot: 'the rollout is stopped: somebody stopped it',
    });
    expect(moved(halted, accept([], { at: 1 }), begin(canary, 'run', 1))).toBeTruthy();
    const over = moved(start, abandon('another fleet', 0));
    expect(begin(canary, 'run', 0)(over)).toEqual({ cannot: 'the rollout is finished' });
    expect(stop('late', 0)(over)).toEqual({ cannot: 'the rollout is finished' });
  });

  test('an account is checked only once its wave was watched long enough', () => {
    const start = ledgerOf(fleetOf(2, CANARY));
    const [canary] = waveNames(start);
    expect(checked(canary, HEALTHY, 0)(start)).toEqual({ cannot: `\`${canary}\` is waiting` });
    const applied = moved(start, begin(canary, 'run', 0), ended(canary, { code: 0 }, 0));
    expect(checked(canary, HEALTHY, 59_999)(applied)).toEqual({
      cannot: 'wave 1 is watched until 1970-01-01T00:01:00.000Z',
    });
    expect([waveBegunAt(applied, 1), waveAppliedAt(applied, 1)]).toEqual([
      '1970-01-01T00:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]);
  });

  test('a renewed plan is carried out if it is the same, and otherwise the account is stale', () => {
    const running = moved(ledgerOf(fleetOf(1, [])), begin('t0', 'run', 0));
    const same = moved(
      running,
      plannedAgain('t0', { plan: 'p2', content_digest: 'content of t0' }, 0),
    );
    expect(same.accounts[0]).toMatchObject({ state: 'running', plan: 'p2' });
    const other = moved(running, plannedAgain('t0', { plan: 'p2', content_digest: 'more' }, 0));
    expect(other.accounts[0]).toMatchObject({
      state: 'stale',
      plan: 'sha256:t0',
      outcome: { code: 5, cause: 'stale' },
    });
  });

  test('a rollout is complete only once nothing is left to do', () => {
    const start = ledgerOf(fleetOf(1, []));
    expect(complete(0)(start)).toEqual({ cannot: 'the rollout is not over: apply' });
    const steps = [begin('t0', 'run', 0), ended('t0', { code: 0 }, 0), checked('t0', HEALTHY, 0)];
    const over = moved(start, inSequence([...steps, complete(0)]));
    expect(over.finished).toMatchObject({ is: 'complete' });
    expect(inSequence([complete(0), ...steps])(start)).toHaveProperty('cannot');
  });
});

describe('in any rollout', () => {
  const killed = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 8 });
  const choices = fc.infiniteStream(fc.nat(9));

  test('no account begins before the earlier waves are healthy and watched, and none twice', () => {
    fc.assert(
      fc.property(
        fleets,
        killed,
        fc.integer({ min: 1, max: 4 }),
        choices,
        fc.boolean(),
        (fleet, kills, concurrency, stream, isAccepting) => {
          const choose = (count: number) => (stream.next().value ?? 0) % count;
          const run = simulate(fleet, { concurrency, kills, choose, isAccepting });
          for (const ledger of run.ledgers) expectOrder(ledger);
          expect(new Set(run.applied).size).toBe(run.applied.length);
          if (run.step.is === 'stopped') expectListed(run.ledger, run.step.notBegun);
          else expect(run.step.is).toBe('done');
        },
      ),
    );
  });

  test('the end is the same, wherever its runs are killed', () => {
    fc.assert(
      fc.property(fleets, killed, fc.boolean(), (fleet, kills, isAccepting) => {
        const whole = simulate(fleet, { isAccepting });
        const pieces = simulate(fleet, { isAccepting, kills });
        const endOf = ({ ledger }: typeof whole) =>
          ledger.accounts.map(({ turn: _, ...account }) => account);
        expect(endOf(pieces)).toEqual(endOf(whole));
        expect(pieces.step).toEqual(whole.step);
        expect(pieces.applied).toEqual(whole.applied);
      }),
    );
  });

  test('the end is reached once all accounts are accepted', () => {
    fc.assert(
      fc.property(fleets, fleet => {
        const { step, ledger } = simulate(fleet, { isAccepting: true });
        expect(step.is).toBe('done');
        expect(ledger.accounts.filter(account => !isSettled(account))).toEqual([]);
      }),
    );
  });
});

/** Whoever has begun is in the first wave that is not over, or in one that is; and each of those was watched long enough. */
function expectOrder(ledger: Ledger): void {
  const begun = ledger.accounts.filter(({ begun_at }) => begun_at !== undefined);
  for (const account of begun) {
    const before = ledger.accounts.filter(({ wave }) => wave < account.wave);
    expect(before.filter(one => !isSettled(one))).toEqual([]);
    for (const { wave, state } of before)
      if (state === 'healthy')
        expect(Date.parse(account.begun_at ?? '')).toBeGreaterThanOrEqual(
          bakedAt(ledger, wave) ?? 0,
        );
  }
}

function expectListed(ledger: Ledger, notBegun: readonly string[]): void {
  const untouched = ledger.accounts.filter(({ begun_at }) => begun_at === undefined);
  expect(notBegun).toEqual(untouched.map(({ name }) => name));
}
