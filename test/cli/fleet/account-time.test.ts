// The time limit of an account counts what the account costs, and not its waits for others.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { withFleetConnections } from '../../../src/cli/flags/fleetFlags.ts';
import { accountTime } from '../../../src/cli/fleet/accountTime.ts';

test('a request may start while the time of its account is left', () => {
  let now = 5000;
  const time = accountTime(1000, () => now);
  expect([5000, 5999, 6000].map(time.isLeft)).toEqual([true, true, false]);
  now = 7000;
  expect(time.isLeft(now)).toBe(false);
});

test('a wait that all accounts of a token share does not count, and overlapping waits are deducted once', async () => {
  let now = 0;
  const time = accountTime(1000, () => now);
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const both = waits.map(({ promise }) => time.uncounted(() => promise));
  now = 600;
  expect(time.isLeft(1500)).toBe(true);
  expect(time.isLeft(1600)).toBe(false);
  waits[0]?.resolve();
  await both[0];
  now = 800;
  waits[1]?.resolve();
  await both[1];
  expect([1799, 1800].map(time.isLeft)).toEqual([true, false]);
  // A wait that fails is over, too.
  const failed = time.uncounted(() => Promise.reject(new Error('no turn')));
  await expect(failed).rejects.toThrow('no turn');
  now = 1799;
  expect([1799, 1800].map(time.isLeft)).toEqual([true, false]);
});

test.each([
  [[], 1800],
  [['--account-deadline', '0'], 0],
  [['--account-deadline', '60'], 60],
])('the flags %j set a limit of %i s, where 0 means no limit', (words, seconds) => {
  const command = withFleetConnections(new Command());
  expect(command.parse(words, { from: 'user' }).opts().accountDeadline).toBe(seconds);
});
