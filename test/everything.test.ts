// One account that holds every kind there is, from files to a server of either dialect, and nothing left to do after.
import { describe, expect, onTestFinished, test } from 'vitest';
import { DIALECTS } from '../src/kinds/traits.ts';
import { accountForEverything, everything, SECRETS } from './support/everything.ts';
import { KINDS } from './support/files.ts';
import { plan, reconcile } from './support/reconcile.ts';

const { desired, diagnostics } = everything();

test('the example declares every kind, without a fault', () => {
  expect(new Set(desired.map(({ kind }) => kind))).toEqual(new Set(KINDS.keys()));
  expect(diagnostics.filter(({ code }) => code !== 'SECRET_UNDEFINED')).toEqual([]);
});

describe.each(DIALECTS)('on a server of dialect %s', dialect => {
  test('everything is made as it is declared, and then nothing is left to do', async () => {
    const account = await accountForEverything(desired, dialect);
    onTestFinished(() => account.close());
    const { plan: made, result } = await reconcile(account, desired, { dialect, env: SECRETS });
    expect(made.diagnostics).toEqual([]);
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    const again = await plan(account, desired, { dialect });
    expect(again.changes).toEqual([]);
    expect(again.diagnostics).toEqual([]);
  });
});
