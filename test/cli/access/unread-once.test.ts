// A part of the account that cannot be read: tests, guards, thresholds and hazards depend on it, and every output says once why.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { BEFORE, CONTRACTORS, DB, started, testsOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const GATES = `guarded: [${DB}, group/bastions]\naccess_thresholds: { gained: 0, lost: 0 }\n`;
const TESTS = testsOf(
  { from: 'group/contractors', deny: [DB] },
  { name: 'nobody else', to: DB, only_from: ['group/engineers'] },
);

// Markdown is a summary with the reason, and the whole text folded; the head of a comment only says that something is missing.
test.each<[string, readonly number[]]>([
  ['text', [1]],
  ['markdown', [1, 1]],
  ['comment', [0, 1]],
  ['json', [1]],
])('%s', (format, told) =>
  started(account, async ({ want, run }) => {
    await want(BEFORE + CONTRACTORS, { 'meshform.yaml': GATES, 'tests.yaml': TESTS });
    await account.fault({ path: '/api/routes', effect: 'status', status: 404, times: 9 });
    const { code, stdout, stderr } = await run('plan', '--no-new-access', '--format', format);
    expect(code, stderr).toBe(6);
    const all = (stdout + stderr).replaceAll(/\s+/g, ' ');
    const parts = all.split('<details>');
    expect(parts.map(part => part.split('returned 404').length - 1)).toEqual(told);
    // Whatever depends on the list names it.
    expect(all.split('routes could not be read').length).toBeGreaterThan(2);
  }),
);
