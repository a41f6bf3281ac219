// A large account: what one policy changes is found among thousands of others, and is of that policy alone.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { isEmpty, minus, noBits, or } from '../../../src/access/sets/bits.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { LARGE, largeAccount } from './large.ts';

/** Every test run takes a tenth of it; `LARGE=1` takes all. */
const SHARE = process.env.LARGE === '1' ? 1 : 10;
const SIZE = {
  machines: LARGE.machines / SHARE,
  groups: LARGE.groups / SHARE,
  policies: LARGE.policies / SHARE,
  resources: LARGE.resources / SHARE,
};

test('deleting a policy removes its own access, and no other', () => {
  const answered = stateOfAnswers(JSON.parse(JSON.stringify(largeAccount(SIZE, 1))));
  if ('faults' in answered) throw new Error(answered.faults.join());
  const { state } = answered;
  const gone = state.policies.find(
    ({ rules: [rule], checks }) =>
      rule?.protocol === 'tcp' && rule.isEnabled && checks.length === 0,
  );
  const rest: AccessState = {
    ...state,
    policies: state.policies.filter(policy => policy !== gone),
  };
  const worlds = worldsOf([state, rest]);
  const pool = rowPool();
  const [before, after] = worlds.map(world => reachesOf(world, pool));
  if (!before || !after || !gone) throw new Error('the account has such a policy');
  const { changes, gained, lost, sources } = accessChanges(before, after);
  const own = before.world.policies.find(({ policy }) => policy.key === gone.key)?.rules[0];
  // Routes are distributed along policies, in both directions.
  const concerned = own ? or(own.sources, own.destinations) : noBits();
  expect(gained).toBe(0);
  expect(lost).toBeGreaterThan(0);
  expect(changes.filter(({ kind }) => kind === 'gained')).toEqual([]);
  expect(isEmpty(minus(sources, concerned))).toBe(true);
});
