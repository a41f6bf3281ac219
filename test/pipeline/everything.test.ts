// One account that holds every kind that a server offers, from files to a server of either dialect and edition, and nothing left to
// do after.
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountForEverything, everything, SECRETS } from '../support/everything.ts';
import { KINDS } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';
import { offeredKinds, offeredOf, SERVERS } from '../support/servers.ts';

const { desired: all, diagnostics } = everything();

test('the example declares every kind, without a fault', () => {
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(KINDS.keys()));
  expect(diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED')).toEqual([]);
});

describe.each(SERVERS)('on a server of dialect $dialect, edition $edition', server => {
  const { dialect, edition } = server;
  const desired = offeredOf(edition, all);

  test('everything is made as it is declared, and then nothing is left to do', async () => {
    const account = await accountForEverything(desired, dialect, edition);
    onTestFinished(() => account.close());
    const { plan: made, result } = await reconcile(account, desired, { env: SECRETS });
    expect(made.diagnostics).toEqual([]);
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    const again = await plan(account, desired);
    expect(again.changes).toEqual([]);
    expect(again.diagnostics).toEqual([]);
  });

  test('what it does not offer is said of each kind that is declared, and nothing is planned', async () => {
    const account = await accountForEverything(all, dialect, edition);
    onTestFinished(() => account.close());
    const made = await plan(account, all);
    const missing = new Set(KINDS.keys()).difference(offeredKinds(edition));
    const told = made.diagnostics.filter(({ code }) => code === 'KIND_UNAVAILABLE');
    expect(told.length > 0).toBe(missing.size > 0);
    expect(made.actions.length > 0).toBe(missing.size === 0);
  });
});
