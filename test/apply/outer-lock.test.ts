// A lock that is held around the one that all machines share: a write needs both.
import { expect, test } from 'vitest';
import { type AccountLock, withOuterLock } from '../../src/apply/lock/accountLock.ts';

function locks() {
  const state = { inner: true, outer: true };
  const asked: string[] = [];
  const inner: AccountLock = {
    take: async () => ({
      mayWrite: async milliseconds => {
        asked.push(`inner ${milliseconds}`);
        return state.inner;
      },
      renew: async () => true,
      release: async () => {},
    }),
  };
  const outer = {
    mayWrite: async () => {
      asked.push('outer');
      return state.outer;
    },
    announceHolder: async () => {},
    isLost: () => false,
  };
  return { state, asked, lock: withOuterLock(outer, inner) };
}

test('a write begins only while both locks are held, and the outer lock is checked last', async () => {
  const { state, asked, lock } = locks();
  const held = await lock.take();
  if ('refused' in held) throw new Error('taken');
  expect(await held.mayWrite(5)).toBe(true);
  expect(asked).toEqual(['inner 5', 'outer']);
  state.outer = false;
  expect(await held.mayWrite(5)).toBe(false);
  state.outer = true;
  state.inner = false;
  expect(await held.mayWrite(5)).toBe(false);
});

test('a lock that is not taken stays refused', async () => {
  const refusal = { refused: 'not-waited', account: 'a' } as const;
  const { mayWrite, announceHolder, isLost } = {
    mayWrite: async () => true,
    announceHolder: async () => {},
    isLost: () => false,
  };
  const lock = withOuterLock({ mayWrite, announceHolder, isLost }, { take: async () => refusal });
  expect(await lock.take()).toEqual(refusal);
});
