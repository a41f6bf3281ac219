// The ledger as a document, and its copies as one.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ledgerOfText, ledgerText } from '../../../src/fleet/rollout/ledgerText.ts';
import { mergedLedger } from '../../../src/fleet/rollout/mergedLedger.ts';
import { isInShard } from '../../../src/fleet/rollout/order.ts';
import { accept, begin, ended, stop } from '../../../src/fleet/rollout/transitions.ts';
import { present } from '../../../src/model/errors.ts';
import type { Ledger } from '../../../src/model/rollout.ts';
import { fleetOf, fleets, ledgerOf, moved, simulate } from './simulation.ts';

describe('the document', () => {
  test('any ledger is read as it was written', () => {
    fc.assert(
      fc.property(fleets, fc.boolean(), (fleet, isAccepting) => {
        const { ledger } = simulate(fleet, { isAccepting });
        expect(ledgerOfText(ledgerText(ledger))).toEqual(ledger);
      }),
    );
  });

  test('a document with a fault is refused, with its place', () => {
    const document = JSON.parse(ledgerText(ledgerOf(fleetOf(1, []))));
    const whyOf = (fields: object) => ledgerOfText(JSON.stringify({ ...document, ...fields }));
    expect(whyOf({ format_version: '2.0' })).toEqual({
      why: 'it is of format 2.0, and this meshform reads 1.2',
    });
    expect(whyOf({ accounts: [{ ...document.accounts[0], state: 'lost' }] })).toEqual({
      why: 'its accounts.0.state is not one of the allowed values',
    });
    expect(whyOf({ started_at: 'today' })).toEqual({
      why: 'its started_at does not have the required form',
    });
    expect(whyOf({ format_version: '1.1', more: true })).toMatchObject({ more: true });
    expect(ledgerOfText('[]')).toEqual({ why: 'it is not a ledger' });
  });
});

describe('copies of a ledger', () => {
  /** Copies of a rollout at drawn moments, and with drawn stops of their own. */
  const copies = fc
    .tuple(fleets, fc.array(fc.tuple(fc.nat(40), fc.boolean()), { minLength: 3, maxLength: 3 }))
    .map(([fleet, drawn]) => {
      const { ledgers, ledger } = simulate(fleet, { isAccepting: true });
      return drawn.map(([moment, isStopped], i): Ledger => {
        const copy = ledgers[moment] ?? ledger;
        return isStopped ? moved(copy, stop(`stop ${i}`, 0)) : copy;
      });
    });
  const both = (one: Ledger, other: Ledger) => present(mergedLedger(one, other), 'one rollout');

  test('are merged the same in any order, and however often', () => {
    fc.assert(
      fc.property(copies, ([a, b, c]) => {
        const x = present(a, 'a copy');
        const y = present(b, 'a copy');
        const z = present(c, 'a copy');
        expect(both(x, y)).toEqual(both(y, x));
        expect(both(both(x, y), z)).toEqual(both(x, both(y, z)));
        expect(both(both(x, y), y)).toEqual(both(x, y));
        expect(both(x, x)).toEqual(x);
      }),
    );
  });

  test('keep what each shard did', () => {
    const start = ledgerOf(fleetOf(2, []));
    const one = moved(start, begin('t0', 'a', 0), ended('t0', { code: 0 }, 0));
    const other = moved(start, begin('t1', 'b', 0));
    const states = both(one, other).accounts.map(({ name, state }) => `${name} ${state}`);
    expect(states.sort()).toEqual(['t0 applied', 't1 running']);
  });

  test('are stopped if one of them stopped while the other one continued', () => {
    const start = ledgerOf(fleetOf(1, []));
    const stopped = moved(start, stop('a hook failed', 0));
    const going = moved(start, accept([], { at: 0 }));
    expect(both(going, stopped).halt.why).toBe('a hook failed');
    expect(both(moved(stopped, accept([], { at: 1 })), stopped).halt.why).toBeUndefined();
  });

  test('copies of a ledger of different rollouts are not merged', () => {
    const start = ledgerOf(fleetOf(2, []));
    expect(mergedLedger(start, ledgerOf(fleetOf(3, [])))).toBeNull();
    expect(mergedLedger(start, { ...start, plans: 'sha256:other' })).toBeNull();
  });
});

test('each account belongs to one shard, and the first accounts of a rollout to several', () => {
  const names = ledgerOf(fleetOf(100, [])).accounts.map(({ name }) => name);
  const shards = [1, 2, 3, 4].map(index => names.filter(name => isInShard(name, { index, of: 4 })));
  expect(shards.flat().sort()).toEqual(names.toSorted());
  const first = new Set(names.slice(0, 20));
  for (const shard of shards) expect(shard.some(name => first.has(name))).toBe(true);
});
