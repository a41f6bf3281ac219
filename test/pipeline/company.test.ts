// The example of a company on every server, without a word of its dialect anywhere.
import { expect, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { companyTexts } from '../support/examples/company.ts';
import { loadFiles } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';
import { offeredOf, SERVERS } from '../support/servers/servers.ts';

test.each(SERVERS)(
  'the example company becomes a live account on $dialect, $edition, and a second plan is empty',
  async server => {
    const { desired: all, diagnostics } = loadFiles(companyTexts());
    const desired = offeredOf(server, all);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(desired.length).toBeGreaterThan(120);
    const account = await startAccount(server);
    const made = await plan(account, desired, { dialect: 'auto' });
    expect([made.dialect, made.diagnostics.filter(({ severity }) => severity === 'error')]).toEqual(
      [server.dialect, []],
    );
    const env = new Proxy({}, { get: () => 'there' });
    const { outcomes } = await apply(account, made, { env });
    expect(outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    expect((await plan(account, desired, { dialect: 'auto' })).changes).toEqual([]);
    await account.close();
  },
);
