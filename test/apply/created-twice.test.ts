// Somebody else creates an object at the same time as a run: another machine that does not see its lock, or a person. The run says so.
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { carryOut } from '../../src/apply/run/carryOut.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

const FILES = `
groups:
  - name: devs
  - name: servers
policies:
  - name: one
    rules: [{ name: r, sources: [devs], destinations: [servers], protocol: all }]
  - name: two
    rules: [{ name: r, sources: [devs], destinations: [servers], protocol: all }]
setup_keys:
  - name: office
    type: reusable
    expires_in: 86400
`;

interface Story {
  readonly account: TestAccount;
  readonly made: Plan;
  /** Carries the plan out; meanwhile somebody else creates an object as soon as the run has. */
  readonly run: (options?: {
    twins?: readonly string[];
    before?: () => Promise<unknown>;
  }) => ReturnType<typeof carryOut>;
  readonly asked: () => string[];
}

async function story(): Promise<Story> {
  const account = await startAccount({ dialect: 'netbird' });
  onTestFinished(() => account.close());
  const made = await plan(account, desiredOf(FILES), { dialect: 'auto' });
  const begun = account.requests.length;
  return {
    account,
    made,
    run: async ({ twins = [], before } = {}) => {
      const others: Promise<unknown>[] = [];
      const result = await carryOut({ kinds: KINDS }, made, writeTransport(account.transport), {
        inputs: { env: () => undefined, file: () => undefined },
        concurrency: 1,
        now: () => 0,
        planReadAt: 0,
        onEvent: event => {
          if (event.type === 'start' && event.action.address === made.actions.at(-1)?.address)
            others.push(
              ...twins.map(name => createPolicy(account, name)),
              ...(before ? [before()] : []),
            );
        },
      });
      await Promise.all(others);
      return result;
    },
    asked: () => account.requests.slice(begun).map(({ method, path }) => `${method} ${path}`),
  };
}

async function createPolicy(account: TestAccount, name: string): Promise<unknown> {
  const all = (await account.call('GET', '/api/groups')) as JsonObject[];
  const ids = all.flatMap(({ id }) => id ?? []);
  return account.call('POST', '/api/policies', {
    name,
    enabled: true,
    rules: [
      {
        name: 'r',
        enabled: true,
        action: 'accept',
        bidirectional: true,
        protocol: 'all',
        sources: ids.slice(0, 1),
        destinations: ids.slice(1, 2),
      },
    ],
  });
}

const policyIds = async ({ account }: Story, name: string): Promise<string[]> =>
  ((await account.call('GET', '/api/policies')) as JsonObject[])
    .filter(one => one.name === name)
    .map(({ id }) => String(id));

describe('objects that somebody else created at the same time', () => {
  test('are failures that name both objects', async () => {
    const told = await story();
    const { outcomes } = await told.run({ twins: ['one'] });
    const ids = await policyIds(told, 'one');
    expect(ids).toHaveLength(2);
    const failed = outcomes.filter(({ status }) => status !== 'done');
    expect(failed).toMatchObject([
      { address: 'policy.one', status: 'failed', fault: { code: 'CREATED_TWICE' } },
    ]);
    for (const id of ids) expect(JSON.stringify(failed)).toContain(id);
  });

  test('are looked for with one list for each kind that may have duplicates', async () => {
    const told = await story();
    const { outcomes } = await told.run();
    expect(outcomes.every(({ status }) => status === 'done')).toBe(true);
    expect(told.asked().slice(-2).sort()).toEqual(['GET /api/policies', 'GET /api/setup-keys']);
  });

  test('are not looked for if the run created nothing', async () => {
    const told = await story();
    await told.run();
    const { account } = told;
    const again = await plan(account, desiredOf(FILES.replace('protocol: all', 'protocol: udp')), {
      dialect: 'auto',
    });
    expect(again.actions.map(({ verb }) => verb)).toEqual(['update']);
    const before = account.requests.length;
    const result = await carryOut({ kinds: KINDS }, again, writeTransport(account.transport), {
      inputs: { env: () => undefined, file: () => undefined },
      concurrency: 1,
      now: () => 0,
      planReadAt: 0,
    });
    expect(result.outcomes.every(({ status }) => status === 'done')).toBe(true);
    const asked = account.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    expect(asked.filter(one => one === 'GET /api/setup-keys')).toEqual([]);
  });

  test('are unknown if the list cannot be read: the run says so, and its writes are done', async () => {
    const told = await story();
    const { outcomes } = await told.run({
      before: () =>
        told.account.fault({
          method: 'GET',
          path: '/api/setup-keys',
          effect: 'status',
          status: 403,
          times: 9,
        }),
    });
    expect(outcomes.every(({ status }) => status === 'done')).toBe(true);
    const notes = outcomes.flatMap(one => ('notes' in one ? one.notes : []));
    expect(notes.join('\n')).toContain('unknown whether somebody else created it at the same time');
  });
});
