// The digest of a plan in its text: the one that its document carries, and none where there is nothing to approve.
import { expect, test } from 'vitest';
import { planDigestOf } from '../../src/report/plan/planDocument.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

test('the line before the summary is the digest of the document', async () => {
  const account = await startAccount();
  try {
    const planned = await plan(account, desiredOf('groups: [{ name: ops }]'));
    const digest = planDigestOf(planned, KINDS);
    expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
    expect(planText(planned, KINDS, PLAIN).trimEnd().split('\n').slice(-2)).toEqual([
      `Digest: ${digest}`,
      'Plan: 1 to add, 0 to change, 0 to destroy.',
    ]);
    const idle = await plan(account, []);
    expect(planText(idle, KINDS, PLAIN)).not.toContain('Digest:');
  } finally {
    await account.close();
  }
});
