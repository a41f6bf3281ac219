// What is done with an account whose run was killed.
import { expect, test } from 'vitest';
import type { Ran } from '../../../src/cli/fleet/eachAccount.ts';
import { type AccountWork, carryOut, type HeldLedger } from '../../../src/cli/fleet/rollingOut.ts';
import { begin, isCannot } from '../../../src/fleet/rollout/transitions.ts';
import type { FleetAccount } from '../../../src/model/fleet.ts';
import type { SavedPlan } from '../../../src/report/plan/savedPlan.ts';
import { fleetOf, ledgerOf, moved } from '../../fleet/rollout/simulation.ts';

const LEDGER = ledgerOf(fleetOf(1, [{ bake: 0 }]));
const [{ name } = { name: '' }] = LEDGER.accounts;
const ACCOUNT = { name } as FleetAccount;

/** What a machine finds that does not have the approved plan: how many changes a plan has now. */
const planned = (changes: number) =>
  ({
    digest: 'another',
    contentDigest: 'another',
    document: {},
    plan: { changes: Array(changes).fill({}) },
  }) as unknown as SavedPlan;

interface Found {
  /** What the apply resolves to. */
  readonly applied?: number;
  /** The plan that is made again, where this machine does not have the approved one. */
  readonly again?: SavedPlan;
}

/** Goes on with an account that a dead run had begun; its journal gives `refused`. */
async function goOn(refused: string, { applied = 0, again }: Found = {}) {
  let ledger = moved(LEDGER, begin(name, 'dead', 0));
  const held: HeldLedger = {
    runner: 'next',
    ledger: () => ledger,
    change: transition => {
      const next = transition(ledger);
      if (isCannot(next)) return Promise.resolve({ is: 'cannot', ...next });
      ledger = next;
      return Promise.resolve({ is: 'done', ledger });
    },
  };
  const done: string[] = [];
  const ran = <T>(what: string, more: Partial<Ran<T>>): Promise<Ran<T>> => {
    done.push(what);
    const base = { account: ACCOUNT, code: 0, stdout: '', stderr: '' };
    return Promise.resolve({ ...base, ...more });
  };
  const work: AccountWork = {
    accountOf: () => ACCOUNT,
    planOf: () => Promise.resolve(again ? null : 'the approved plan'),
    plan: () => ran('plan', again ? { value: again } : { code: 1 }),
    look: () => ran('look', { code: 1 }),
    apply: () => ran('apply', { value: applied }),
    resume: () => ran('resume', { code: 64, refused }),
  };
  expect(await carryOut('apply', name, held, { work, now: () => 1 })).toBeNull();
  return { done, state: ledger.accounts[0]?.state };
}

test.each([
  ['no journal is anywhere', 'no-journal'],
  ['the remote has no unfinished run', 'no-run'],
  ['the last journal is of an earlier rollout', 'digest'],
])('an account whose apply had begun is applied again if %s', async (_, refused) => {
  expect(await goOn(refused)).toEqual({ done: ['resume', 'apply'], state: 'applied' });
});

test('a journal that cannot be verified makes the account fail', async () => {
  expect(await goOn('journal-unverified')).toEqual({ done: ['resume'], state: 'failed' });
});

test.each([130, 143])(
  'an account whose apply was interrupted (exit code %d) keeps its state, to be resumed',
  async code => {
    expect(await goOn('no-run', { applied: code })).toEqual({
      done: ['resume', 'apply'],
      state: 'running',
    });
  },
);

// A run that is killed between the end of its apply and its line in the ledger leaves nothing to resume and nothing to do.
test('an account whose killed run had done everything counts as applied, not as stale', async () => {
  const done = ['resume', 'plan', 'apply'];
  expect(await goOn('no-run', { again: planned(0) })).toEqual({ done, state: 'applied' });
});

test('an account whose plan would now make other changes is stale', async () => {
  const done = ['resume', 'plan'];
  expect(await goOn('no-run', { again: planned(1) })).toEqual({ done, state: 'stale' });
});
