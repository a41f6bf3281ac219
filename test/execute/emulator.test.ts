// Plans carried out against a whole server, with somebody else at work between the plan and the apply.
import { describe, expect, onTestFinished, test } from 'vitest';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { apply, plan, reconcile } from '../support/reconcile.ts';
import { statuses } from './plans.ts';

const DIALECTS = ['spec', 'netbird'] as const;
type Dialect = (typeof DIALECTS)[number];

async function account(dialect: Dialect): Promise<TestAccount> {
  const started = await startAccount({ dialect });
  onTestFinished(() => started.close());
  return started;
}

async function named(there: TestAccount, path: string, name: string): Promise<JsonObject> {
  const list = await there.call('GET', path);
  const found = isList(list) ? list.filter(isObject).find(object => object.name === name) : null;
  return present(found, `${name} in ${path}`);
}

const names = (list: unknown): unknown[] =>
  (Array.isArray(list) ? list : []).map(({ name }) => name).sort();

describe.each(DIALECTS)('in dialect %s', dialect => {
  test('a peer that joins between plan and apply stays in its group', async () => {
    const there = await account(dialect);
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map(name => there.enrol(name)),
    );
    const devs = await there.call('POST', '/api/groups', { name: 'devs', peers: [one?.id ?? ''] });
    const { id } = devs as { id: string };
    const made = await plan(there, desiredOf('groups: [{ name: devs, peers: [one, two] }]'), {
      dialect,
    });
    await there.call('PUT', `/api/groups/${id}`, {
      name: 'devs',
      peers: [one?.id ?? '', three?.id ?? ''],
    });
    expect(statuses((await apply(there, made)).outcomes)).toEqual(['done']);
    const { peers } = await named(there, '/api/groups', 'devs');
    expect(names(peers)).toEqual(['one', 'three', 'two']);
    expect(two).toBeDefined();
  });

  test('an object that somebody changes between plan and apply is left as they made it', async () => {
    const there = await account(dialect);
    const { id } = (await there.call('POST', '/api/networks', { name: 'n' })) as { id: string };
    const made = await plan(there, desiredOf('networks: [{ name: n, description: ours }]'), {
      dialect,
    });
    await there.call('PUT', `/api/networks/${id}`, { name: 'n', description: 'theirs' });
    const before = there.requests.length;
    const { outcomes } = await apply(there, made);
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
    expect(there.requests.slice(before).map(({ method }) => method)).toEqual(['GET']);
  });

  test('an object that somebody deletes between plan and apply is not made anew', async () => {
    const there = await account(dialect);
    const { id } = (await there.call('POST', '/api/networks', { name: 'n' })) as { id: string };
    const made = await plan(there, desiredOf('networks: [{ name: n, description: ours }]'), {
      dialect,
    });
    await there.call('DELETE', `/api/networks/${id}`);
    const { outcomes } = await apply(there, made);
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
    expect(await there.call('GET', '/api/networks')).toEqual([]);
  });

  test('what somebody else deletes first is deleted all the same', async () => {
    const there = await account(dialect);
    const base = desiredOf('groups: [{ name: keep }, { name: gone }]');
    await reconcile(there, base, { dialect });
    const { id } = await named(there, '/api/groups', 'gone');
    const made = await plan(there, desiredOf('groups: [{ name: keep }]'), {
      ...{ dialect, base, prune: 'removed' },
    });
    await there.call('DELETE', `/api/groups/${id}`);
    expect((await apply(there, made)).outcomes).toMatchObject([
      { status: 'done', notes: ['it was already gone'] },
    ]);
  });

  test('a group that vanishes before a policy names it is not lost without a word', async () => {
    const there = await account(dialect);
    const { id } = (await there.call('POST', '/api/groups', { name: 'devs' })) as { id: string };
    const text = `
      policies:
        - name: p
          rules: [{ name: r, sources: [devs], destinations: [All], protocol: all }]`;
    const made = await plan(there, desiredOf(text), { dialect });
    await there.call('DELETE', `/api/groups/${id}`);
    const { outcomes } = await apply(there, made);
    expect(outcomes).toMatchObject([
      { status: 'failed', fault: { code: 'NOT_KEPT', message: expect.stringMatching(/rules$/) } },
    ]);
  });

  test('a router that is to be created disabled ends disabled', async () => {
    const there = await account(dialect);
    const text = `
      groups: [{ name: gateways }]
      networks:
        - name: n
          routers: [{ peer_groups: [gateways], masquerade: true, enabled: false }]`;
    const { result } = await reconcile(there, desiredOf(text), { dialect });
    expect(statuses(result.outcomes)).toEqual(['done', 'done', 'done']);
    const { id } = await named(there, '/api/networks', 'n');
    expect(await there.call('GET', `/api/networks/${id}/routers`)).toMatchObject([
      { enabled: false },
    ]);
    expect((await plan(there, desiredOf(text), { dialect })).changes).toEqual([]);
  });

  test('a resource that moves is what the policy points at from then on', async () => {
    const there = await account(dialect);
    const text = (home: string, other: string) => `
      groups: [{ name: devs }]
      networks:
        - name: ${home}
          resources: [{ name: db, address: 10.0.0.5, groups: [] }]
        - name: ${other}
      policies:
        - name: p
          rules:
            - name: r
              sources: [devs]
              destinationResource: { network_resource: ${home}/db }
              protocol: tcp
              ports: ["5432"]`;
    await reconcile(there, desiredOf(text('here', 'there')), { dialect });
    const after = desiredOf(text('there', 'here'));
    const { result } = await reconcile(there, after, { dialect });
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    const { id } = await named(there, '/api/networks', 'there');
    const resources = await there.call('GET', `/api/networks/${id}/resources`);
    const [db] = (resources as unknown as JsonObject[]) ?? [];
    expect(await named(there, '/api/policies', 'p')).toMatchObject({
      rules: [{ destinationResource: { id: db?.id, type: 'host' } }],
    });
    expect((await plan(there, after, { dialect })).changes).toEqual([]);
  });

  test('a secret is sent, never shown, and no reason for a change', async () => {
    const there = await account(dialect);
    const text = `
      notification_channels:
        - type: webhook
          target: { url: "https://hook.example.com", headers: { Authorization: "Bearer \${env:HOOK}" } }
          event_types: [user.join]`;
    const env = { HOOK: 'hush-hush' };
    const { plan: made, result } = await reconcile(there, desiredOf(text), { dialect, env });
    expect(statuses(result.outcomes)).toEqual(['done']);
    expect(JSON.stringify([made, result])).not.toContain('hush');
    expect((await plan(there, desiredOf(text), { dialect })).changes).toEqual([]);
  });
});
