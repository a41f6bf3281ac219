// A kind whose objects cannot be read one by one: the list is asked instead, and says as much.
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import type { Action } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { deleteOf, kindOf, planOf, updateOf } from './plans.ts';

const kind = { ...kindOf('group'), isReadFromList: true };

let account: TestAccount;
let seen: JsonObject;

beforeEach(async () => {
  account = await startAccount();
  onTestFinished(() => account.close());
  seen = (await account.call('POST', '/api/groups', { name: 'devs' })) as JsonObject;
});

async function carriedOut(action: Action) {
  const before = account.requests.length;
  const { log: _, ...port } = accountPort(
    writeTransport(account.transport),
    new Map([[kind.name, kind]]),
  );
  const { outcomes } = await runPlan(planOf([action]), {
    kinds: new Map([[kind.name, kind]]),
    // What the account's log says is not asked for here.
    port,
    openSecret: () => 'a secret',
    now: () => 0,
    planReadAt: 0,
    concurrency: 1,
  });
  const requests = account.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
  return { outcome: outcomes[0], requests };
}

describe('an object that is read by its list', () => {
  test('is found in the list, compared and changed', async () => {
    const { outcome, requests } = await carriedOut(
      updateOf('group', 'devs', seen, { name: 'ops' }),
    );
    expect(outcome).toMatchObject({ status: 'done' });
    // Whoever joins a group during a write is looked for by another read.
    const list = 'GET /api/groups';
    expect(requests).toEqual([list, `PUT /api/groups/${seen.id}`, list]);
  });

  test('is found in the list, compared and deleted', async () => {
    const { outcome, requests } = await carriedOut(deleteOf('group', 'devs', seen));
    expect(outcome).toMatchObject({ status: 'done', notes: [] });
    expect(requests).toEqual(['GET /api/groups', `DELETE /api/groups/${seen.id}`]);
  });

  test('no longer exists if the list no longer has it', async () => {
    await account.call('DELETE', `/api/groups/${seen.id}`);
    expect(await carriedOut(updateOf('group', 'devs', seen, { name: 'ops' }))).toMatchObject({
      outcome: { status: 'failed', fault: { code: 'PLAN_STALE' } },
      requests: ['GET /api/groups'],
    });
    expect(await carriedOut(deleteOf('group', 'devs', seen))).toMatchObject({
      outcome: { status: 'done', notes: ['it was already deleted'] },
    });
  });
});
