// Plans carried out against a whole server, with somebody else at work between the plan and the apply.
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountPort } from '../../src/api/account/port.ts';
import { writeTransport } from '../../src/api/transport/transport.ts';
import { runPlan } from '../../src/apply/run/run.ts';
import { ApiError, present } from '../../src/model/errors.ts';
import { remoteId } from '../../src/model/names.ts';
import { isList, isObject, type JsonObject } from '../../src/model/value.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { apply, plan, reconcile } from '../support/reconcile.ts';
import { statuses } from './plans.ts';

const DIALECTS = ['spec', 'netbird'] as const;
type Dialect = (typeof DIALECTS)[number];
const EDITIONS = ['cloud', 'self-hosted'] as const;
type Edition = (typeof EDITIONS)[number];
const SERVERS = DIALECTS.flatMap(dialect => EDITIONS.map(edition => [dialect, edition] as const));

async function account(dialect: Dialect, edition: Edition): Promise<TestAccount> {
  const started = await startAccount({ dialect, edition });
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

/** A call that is answered so many times, and refused after that. */
function failingAfter<T>(count: number, call: () => Promise<T>): () => Promise<T> {
  let left = count;
  return () => {
    if (left-- > 0) return call();
    const request = { method: 'GET', path: '/api/events/audit' };
    const details = { retryable: false, mayHaveHappened: false, message: 'no log for you' };
    return Promise.reject(new ApiError({ ...details, code: 'API_DENIED', request }));
  };
}

/** Somebody else who may write. */
async function other(there: TestAccount) {
  const body = { name: 'other', role: 'admin', auto_groups: [], is_service_user: true };
  const user = await there.call('POST', '/api/users', body);
  const path = `/api/users/${isObject(user) ? user.id : ''}/tokens`;
  const made = await there.call('POST', path, { name: 'own', expires_in: 1 });
  const shown = isObject(made) ? made.plain_token : undefined;
  const token = isObject(shown) ? Object.values(shown)[0] : shown;
  return writeTransport({ ...there.transport, token: String(token) });
}

describe.each(SERVERS)('in dialect %s, edition %s', (dialect, edition) => {
  test('a peer that joins between plan and apply stays in its group', async () => {
    const there = await account(dialect, edition);
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

  test('a peer that joins between the read and the write of its group is added again', async () => {
    const there = await account(dialect, edition);
    const one = await there.enrol('one');
    const devs = await there.call('POST', '/api/groups', { name: 'devs', peers: [one.id ?? ''] });
    const id = remoteId(String(isObject(devs) ? devs.id : ''));
    const files = 'groups: [{ name: developers, peers: [one], lifecycle: { was: devs } }]';
    const made = await plan(there, desiredOf(files), { dialect });
    const port = accountPort(writeTransport(there.transport), KINDS);
    let joined = 0;
    const { outcomes } = await runPlan(made, {
      kinds: KINDS,
      now: () => 0,
      planReadAt: 0,
      concurrency: 1,
      openSecret: () => 'unused',
      port: {
        ...port,
        read: async (kind, at) => {
          const read = await port.read(kind, at);
          if (at.id === id && joined++ === 0) await there.enrol('late', [id]);
          return read;
        },
      },
    });
    expect(outcomes).toMatchObject([
      { status: 'done', notes: [expect.stringContaining('was added again')] },
    ]);
    const { peers } = await named(there, '/api/groups', 'developers');
    expect(names(peers)).toEqual(['late', 'one']);
  });

  test('it is unknown whether a written group has all members if the log cannot be read after the run', async () => {
    const there = await account(dialect, edition);
    await there.enrol('one');
    await there.call('POST', '/api/groups', { name: 'devs' });
    const made = await plan(there, desiredOf('groups: [{ name: devs, peers: [one] }]'), {
      dialect,
    });
    const port = accountPort(writeTransport(there.transport), KINDS);
    const { outcomes } = await runPlan(made, {
      kinds: KINDS,
      now: () => 0,
      planReadAt: 0,
      concurrency: 1,
      openSecret: () => 'unused',
      port: {
        ...port,
        log: { ...port.log, events: failingAfter(1, port.log.events) },
      },
    });
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        fault: { code: 'MEMBERS_NOT_KEPT', hint: expect.stringContaining('--resume') },
      },
    ]);
  });

  test('a member that somebody else removes during the run stays out', async () => {
    const there = await account(dialect, edition);
    const one = await there.enrol('one');
    const two = await there.enrol('two');
    const peers = [one.id ?? '', two.id ?? ''];
    const devs = await there.call('POST', '/api/groups', { name: 'devs', peers });
    const id = remoteId(String(isObject(devs) ? devs.id : ''));
    const files = 'groups: [{ name: developers, lifecycle: { was: devs }, peers: [one] }]';
    const made = await plan(there, desiredOf(files), { dialect });
    const somebodyElse = await other(there);
    const port = accountPort(writeTransport(there.transport), KINDS);
    const { outcomes } = await runPlan(made, {
      kinds: KINDS,
      now: () => 0,
      planReadAt: 0,
      concurrency: 1,
      openSecret: () => 'unused',
      port: {
        ...port,
        update: async (kind, at, body) => {
          const answer = await port.update(kind, at, body);
          const left = { name: 'developers', peers: [one.id ?? ''] };
          await somebodyElse.write('PUT', `/api/groups/${id}`, left);
          return answer;
        },
      },
    });
    expect(outcomes).toMatchObject([{ status: 'done', notes: [] }]);
    expect(names((await named(there, '/api/groups', 'developers')).peers)).toEqual(['one']);
  });

  test('an object that somebody changes between plan and apply keeps that change', async () => {
    const there = await account(dialect, edition);
    const { id } = (await there.call('POST', '/api/networks', { name: 'n' })) as { id: string };
    const made = await plan(there, desiredOf('networks: [{ name: n, description: ours }]'), {
      dialect,
    });
    await there.call('PUT', `/api/networks/${id}`, { name: 'n', description: 'theirs' });
    const before = there.requests.length;
    const { outcomes } = await apply(there, made);
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
    expect(there.requests.slice(before).map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('an object that somebody deletes between plan and apply is not created again', async () => {
    const there = await account(dialect, edition);
    const { id } = (await there.call('POST', '/api/networks', { name: 'n' })) as { id: string };
    const made = await plan(there, desiredOf('networks: [{ name: n, description: ours }]'), {
      dialect,
    });
    await there.call('DELETE', `/api/networks/${id}`);
    const { outcomes } = await apply(there, made);
    expect(outcomes).toMatchObject([{ status: 'failed', fault: { code: 'PLAN_STALE' } }]);
    expect(await there.call('GET', '/api/networks')).toEqual([]);
  });

  test('an object that somebody else deletes first counts as deleted', async () => {
    const there = await account(dialect, edition);
    const base = desiredOf('groups: [{ name: keep }, { name: gone }]');
    await reconcile(there, base, { dialect });
    const { id } = await named(there, '/api/groups', 'gone');
    const made = await plan(there, desiredOf('groups: [{ name: keep }]'), {
      dialect,
      base,
      prune: 'removed',
    });
    await there.call('DELETE', `/api/groups/${id}`);
    expect((await apply(there, made)).outcomes).toMatchObject([
      { status: 'done', notes: ['it was already deleted'] },
    ]);
  });

  test('a group that vanishes before a policy names it is reported', async () => {
    const there = await account(dialect, edition);
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

  test('a router that is created disabled ends disabled', async () => {
    const there = await account(dialect, edition);
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

  test('a resource that moves is referenced by the policy from then on', async () => {
    const there = await account(dialect, edition);
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
    const base = desiredOf(text('here', 'there'));
    await reconcile(there, base, { dialect });
    const after = desiredOf(text('there', 'here'));
    const { result } = await reconcile(there, after, { dialect, base });
    expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
    const { id } = await named(there, '/api/networks', 'there');
    const resources = await there.call('GET', `/api/networks/${id}/resources`);
    const [db] = (resources as unknown as JsonObject[]) ?? [];
    expect(await named(there, '/api/policies', 'p')).toMatchObject({
      rules: [{ destinationResource: { id: db?.id, type: 'host' } }],
    });
    expect((await plan(there, after, { dialect })).changes).toEqual([]);
  });

  // Only the hosted service has notification channels.
  test.runIf(edition === 'cloud')(
    'a secret is sent, never shown, and never the reason for a change',
    async () => {
      const there = await account(dialect, edition);
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
    },
  );
});
