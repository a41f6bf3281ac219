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

test('a plan counts the request that shows whether a group still has the resources that joined it during the apply', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const files = (group: string, resources: string) =>
    `groups: [{ name: ${group} }]\nnetworks: [{ name: office, resources: [${resources}] }]\n`;
  await apply(account, await plan(account, desiredOf(files('old', ''))));
  const planned = async (resources: string) => {
    const renamed = files('new, lifecycle: { was: old }', resources);
    const made = await plan(account, desiredOf(renamed));
    const ofActions = made.actions.reduce((sum, { requests }) => sum + requests, 0);
    return made.requests.planned - ofActions;
  };
  expect(await planned('{ name: git, address: 10.0.0.5, groups: [new] }')).toBe(
    (await planned('')) + 1,
  );
});

test('an apply does not look for resources in a group that it deletes with their network', async () => {
  const account = await startAccount();
  onTestFinished(() => account.close());
  const office =
    'networks: [{ name: office, resources: [{ name: git, address: 10.0.0.5, groups: [old] }] }]\n';
  const before = desiredOf(`groups: [{ name: old }]\n${office}`);
  await apply(account, await plan(account, before));
  const renamed = desiredOf('groups: [{ name: new, lifecycle: { was: old } }]\n');
  const made = await plan(account, renamed, { base: before, prune: 'removed' });
  expect(made.actions.map(({ id }) => id)).toEqual(['update group.new', 'delete network.office']);
  const { outcomes, requests } = await apply(account, made);
  expect(outcomes).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  expect(requests).toBeLessThanOrEqual(made.requests.planned);
});
