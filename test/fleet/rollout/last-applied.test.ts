// The rollout that applied an account last, by the ledgers of all rollouts and shards.
import { expect, test } from 'vitest';
import { lastApplied } from '../../../src/fleet/rollout/lastApplied.ts';
import { begin, ended } from '../../../src/fleet/rollout/transitions.ts';
import { fleetOf, ledgerOf, moved } from './simulation.ts';

const HOUR = 3_600_000;

/** The ledger of a rollout that applied some of three accounts, an hour after it began. */
function applied(rollout: string, began: number, names: readonly string[]) {
  const ledger = ledgerOf(fleetOf(3, []), began);
  const accounts = ledger.accounts.map(one => ({ ...one, account: `id of ${one.name}` }));
  const at = began + HOUR;
  const steps = names.flatMap(name => [begin(name, 'run', at), ended(name, { code: 0 }, at)]);
  return moved({ ...ledger, rollout, accounts }, ...steps);
}

test('the last apply of each account counts, in whatever order the ledgers are read', () => {
  const ledgers = [applied('r1', 0, ['t0', 't1']), applied('r2', HOUR, ['t1'])];
  for (const all of [ledgers, ledgers.toReversed()])
    expect(Object.fromEntries(lastApplied(all))).toEqual({
      'id of t0': {
        rollout: 'r1',
        startedAt: '1970-01-01T00:00:00.000Z',
        appliedAt: '1970-01-01T01:00:00.000Z',
      },
      'id of t1': {
        rollout: 'r2',
        startedAt: '1970-01-01T01:00:00.000Z',
        appliedAt: '1970-01-01T02:00:00.000Z',
      },
    });
});
