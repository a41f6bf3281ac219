// Which account is in which wave: each in one, the same first accounts every time, and few moves when an account joins.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignWaves, type WaveAccount } from '../../../src/fleet/rollout/waves.ts';
import type { FleetWave } from '../../../src/model/fleet.ts';

const many = (count: number, labels = {}): WaveAccount[] =>
  Array.from({ length: count }, (_, i) => ({ name: `t${String(i).padStart(3, '0')}`, labels }));

const wave = (fields: Omit<FleetWave, 'bake'>): FleetWave => ({ ...fields, bake: 0 });

/** Waves, and a last one that takes whoever is left. */
const withRest = (waves: readonly FleetWave[]): FleetWave[] => [...waves, wave({})];

const sizes = (accounts: readonly WaveAccount[], waves: readonly FleetWave[]): number[] => {
  const { waveOf } = assignWaves(accounts, waves);
  return waves.map((_, i) => [...waveOf.values()].filter(number => number === i + 1).length);
};

/** Draws accounts with different names, and labels of a few values. */
const accountsOf = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}$/),
    labels: fc.record({ size: fc.constantFrom('small', 'large', 'smaller') }),
  }),
  { selector: ({ name }) => name, maxLength: 40 },
);

const wavesOf = fc.array(
  fc.record(
    {
      match: fc.record({ size: fc.constantFrom('small', 'small*', '*', 'none') }),
      count: fc.integer({ min: 0, max: 5 }),
      share: fc.integer({ min: 0, max: 100 }),
      bake: fc.constant(0),
    },
    { requiredKeys: ['bake'] },
  ),
  { maxLength: 4 },
);

describe('waves', () => {
  test('a fleet file without waves has one with all accounts', () => {
    const { waveOf, leftOver } = assignWaves(many(3), []);
    expect([[...waveOf.values()], leftOver]).toEqual([[1, 1, 1], []]);
  });

  test('a share counts the accounts of earlier waves, and is at least one account', () => {
    const waves = [wave({ count: 2 }), wave({ share: 10 }), wave({ share: 100 })];
    expect(sizes(many(100), waves)).toEqual([2, 8, 90]);
    expect(sizes(many(5), waves)).toEqual([2, 0, 3]);
    expect(sizes(many(50), [wave({ share: 0.1 }), wave({ share: 100 })])).toEqual([1, 49]);
    expect(sizes(many(1000), [wave({ share: 1.1 }), wave({})])).toEqual([11, 989]);
  });

  test('a wave with labels takes only accounts whose labels match its patterns', () => {
    const accounts = many(6).map(({ name }, i) => ({
      name,
      labels: i < 2 ? { size: 'small' } : { size: 'large' },
    }));
    const { waveOf } = assignWaves(accounts, [wave({ match: { size: 'sm*' } }), wave({})]);
    expect(accounts.map(({ name }) => waveOf.get(name))).toEqual([1, 1, 2, 2, 2, 2]);
  });

  test('accounts in no wave, and waves whose labels match no account, are listed', () => {
    const waves = [wave({ match: { size: 'smal' } }), wave({ share: 50 })];
    const { leftOver, matchless } = assignWaves(many(4, { size: 'small' }), waves);
    expect([leftOver.length, matchless]).toEqual([2, [1]]);
  });

  test('waves whose share of accounts is already taken by earlier waves are listed', () => {
    const { matchless, empty } = assignWaves(many(10), [
      wave({ share: 100 }),
      wave({ share: 10 }),
      wave({ count: 0 }),
    ]);
    expect([matchless, empty]).toEqual([[], [2, 3]]);
  });

  test('a label with the name of a built-in object member matches nothing', () => {
    const { matchless } = assignWaves(many(2), [wave({ match: { constructor: '*' } })]);
    expect(matchless).toEqual([1]);
  });

  test('each account is in one wave or left over, and a last wave without a limit leaves none over', () => {
    fc.assert(
      fc.property(accountsOf, wavesOf, (accounts, waves) => {
        const { waveOf, leftOver } = assignWaves(accounts, waves);
        const all = [...waveOf.keys(), ...leftOver].sort();
        expect(all).toEqual(accounts.map(({ name }) => name).sort());
        expect(assignWaves(accounts, withRest(waves)).leftOver).toEqual([]);
      }),
    );
  });

  test('the order of the accounts does not matter', () => {
    fc.assert(
      fc.property(accountsOf, wavesOf, (accounts, waves) => {
        expect([...assignWaves(accounts.toReversed(), waves).waveOf]).toEqual([
          ...assignWaves(accounts, waves).waveOf,
        ]);
      }),
    );
  });

  test('a larger share includes the accounts of a smaller one', () => {
    fc.assert(
      fc.property(accountsOf, fc.nat(100), fc.nat(100), (accounts, a, b) => {
        const first = (share: number) =>
          [...assignWaves(accounts, [wave({ share }), wave({})]).waveOf].flatMap(
            ([name, number]) => (number === 1 ? name : []),
          );
        const small = first(Math.min(a, b));
        const large = new Set(first(Math.max(a, b)));
        expect(small.filter(name => !large.has(name))).toEqual([]);
      }),
    );
  });

  // The share of a wave may grow by one account, which a later wave with other labels does not take in turn.
  test('a new account moves at most one other account over each border between waves, and two more for each wave with labels before it', () => {
    fc.assert(
      fc.property(accountsOf, wavesOf, fc.constantFrom('small', 'x'), (accounts, waves, size) => {
        const joined = [...accounts, { name: '0-new', labels: { size } }];
        const before = assignWaves(accounts, waves).waveOf;
        const after = assignWaves(joined, waves).waveOf;
        const reached = (of: ReadonlyMap<string, number>, name: string, number: number) =>
          (of.get(name) ?? Number.POSITIVE_INFINITY) <= number;
        for (const number of waves.keys()) {
          const strays = accounts.filter(
            ({ name }) => reached(before, name, number + 1) !== reached(after, name, number + 1),
          );
          const limited = waves.slice(0, number + 1).filter(({ match }) => match !== undefined);
          expect(strays.length).toBeLessThanOrEqual(1 + 2 * limited.length);
        }
      }),
    );
  });
});
