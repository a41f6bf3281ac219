// The rollout that applied an account last, by the ledgers of all rollouts and shards.
import { expect, test } from 'vitest';
import { lastApplied } from '../../../src/fleet/rollout/lastApplied.ts';
import { begin, ended } from '../../../src/fleet/rollout/transitions.ts';
import { fleetOf, ledgerOf, moved } from './simulation.ts';

const HOUR = 3_600_000;
const OWN = 'https://own.example';

/** The ledger of a rollout that applied some of three accounts, an hour after it began. */
function applied(rollout: string, began: number, names: readonly string[], server?: string) {
  const ledger = ledgerOf(fleetOf(3, []), began);
  const accounts = ledger.accounts.map(one => ({
    ...one,
    account: `id of ${one.name}`,
    ...(server !== undefined && { server }),
  }));
  const at = began + HOUR;
  const steps = names.flatMap(name => [begin(name, 'run', at), ended(name, { code: 0 }, at)]);
  return moved({ ...ledger, rollout, accounts }, ...steps);
}

const accountOf = (name: string, of = name) => ({ name, account: `id of ${of}`, server: OWN });

/** The ids of the last rollouts of accounts, by name. */
const lastOf = (...given: Parameters<typeof lastApplied>) =>
  Object.fromEntries([...lastApplied(...given)].map(([name, one]) => [name, one.rollout]));

test('the last apply of each account counts, in whatever order the ledgers are read', () => {
  const ledgers = [applied('r1', 0, ['t0', 't1'], OWN), applied('r2', HOUR, ['t1'], OWN)];
  for (const all of [ledgers, ledgers.toReversed()])
    expect(
      Object.fromEntries(
        lastApplied(
          all,
          ['t0', 't1', 't2'].map(name => accountOf(name)),
        ),
      ),
    ).toEqual({
      t0: {
        rollout: 'r1',
        startedAt: '1970-01-01T00:00:00.000Z',
        appliedAt: '1970-01-01T01:00:00.000Z',
      },
      t1: {
        rollout: 'r2',
        startedAt: '1970-01-01T01:00:00.000Z',
        appliedAt: '1970-01-01T02:00:00.000Z',
      },
    });
});

test('an account is the same by its server and id, whatever its name, and not because another server reports its id', () => {
  const ledgers = [
    applied('own', 0, ['t0'], OWN),
    applied('hostile', HOUR, ['t0'], 'https://hostile.example'),
  ];
  expect(lastOf(ledgers, [accountOf('renamed', 't0')])).toEqual({ renamed: 'own' });
});

test('an account in a ledger of an earlier version, which has no servers, is the same by its name and id', () => {
  const ledgers = [applied('r1', 0, ['t0', 't1'])];
  expect(lastOf(ledgers, [accountOf('t0'), accountOf('other', 't1')])).toEqual({ t0: 'r1' });
});
