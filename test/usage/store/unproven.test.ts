// A journal that nothing binds to its store: what it has of an account shows whether it is of this account.
import { describe, expect, test } from 'vitest';
import { isOfOther } from '../../../src/usage/store/unproven.ts';

const set = (...ids: string[]): ReadonlySet<string> => new Set(ids);

describe('a journal without a beginning', () => {
  test.each([
    ['is of the account if both have a machine or group', set('m1', 'g9'), set(), false],
    [
      'is of the account if a machine is in its files that is gone now',
      set('m7'),
      set('m7'),
      false,
    ],
    ['is of another account if neither has anything of it', set('x1'), set('m7'), true],
    ['that has no machine and no group is of no other account', set(), set('m7'), false],
  ])('%s', (_, ids, stored, isOther) => {
    expect(isOfOther({ ids, stored }, set('m1', 'g1'))).toBe(isOther);
  });
});
