// A plan states how many requests its apply sends at most.
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { apply, plan } from '../support/reconcile.ts';

const CHANNEL = (target: string, events: string) =>
  `{ type: webhook, target: { url: "${target}" }, event_types: [${events}] }`;

test.each(['spec', 'netbird'] as const)(
  'a plan requests the list that shows whether the account has a secret address, in dialect %s',
  async dialect => {
    const account = await startAccount({ dialect });
    onTestFinished(() => account.close());
    const files = `notification_channels:\n  - ${CHANNEL('https://hooks.example.com/a', 'user.join')}\n`;
    const made = await plan(account, desiredOf(files));
    const { outcomes, requests } = await apply(account, made);
    expect(outcomes).toMatchObject([{ status: 'done' }]);
    expect(requests).toBeLessThanOrEqual(made.requests.planned);
  },
);
