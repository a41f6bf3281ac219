// What the audit log shows of each operation (docs/server-behaviour.md#events-of-an-operation), and in which form
// (docs/server-behaviour.md#audit-events).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import { memoryStore } from '../../../src/emulator/index.ts';
import { openAccount, openInstallation } from '../../../src/emulator/store/account.ts';
import { present } from '../../../src/model/errors.ts';
import { routeBody } from '../bodies.ts';
import { type Emulated, emulated, standing } from '../emulated.ts';
import { codes, type Event, events, reported } from '../events.ts';
import { type Fixture, startFixture } from '../fixture.ts';
import { owner, person } from '../people/people.ts';

const crud = (name: string, prefix: string, verbs: readonly [string, string, string]) => {
  const [create, update, remove] = verbs.map(verb => [`${prefix}.${verb}`]);
  return { [`create${name}`]: create, [`update${name}`]: update, [`delete${name}`]: remove };
};
const CUD = ['create', 'update', 'delete'] as const;

/** The codes of each operation that writes, as it is called on the fixture. Ingress and tenants are private and tell nothing. */
const TOLD: Readonly<Record<string, readonly string[] | undefined>> = {
  createToken: ['personal.access.token.create'],
  deleteToken: ['personal.access.token.delete'],
  createUser: ['user.create'],
  updateUser: ['user.role.update'],
  deleteUser: ['service.user.delete'],
  resendUserInvitation: ['user.invite'],
  approveUser: ['user.approve'],
  rejectUser: ['user.delete', 'user.reject'],
  changePassword: ['user.password.change'],
  createUserInvite: ['user.invite.link.create'],
  regenerateUserInvite: ['user.invite.link.regenerate'],
  acceptUserInvite: ['user.invite.link.accept'],
  deleteUserInvite: ['user.invite.link.delete'],
  ...crud('Network', 'network', CUD),
  deleteNetwork: ['network.delete', 'network.resource.delete', 'network.router.delete'],
  ...crud('NetworkResource', 'network.resource', CUD),
  ...crud('NetworkRouter', 'network.router', CUD),
  updatePeer: ['peer.rename'],
  deletePeer: ['user.peer.delete'],
  createTemporaryAccess: ['policy.add'],
  createJob: ['peer.job.create'],
  ...crud('Group', 'group', ['add', 'update', 'delete']),
  ...crud('Route', 'route', ['add', 'update', 'delete']),
  createSetupKey: ['setupkey.add'],
  updateSetupKey: ['setupkey.group.add', 'setupkey.revoke'],
  deleteSetupKey: ['setupkey.delete'],
  ...crud('IdentityProvider', 'identityprovider', CUD),
  ...crud('Policy', 'policy', ['add', 'update', 'delete']),
  ...crud('PostureCheck', 'posture.check', CUD),
  ...Object.assign(
    {},
    ...['A', 'B', 'C', 'D'].map(one => crud(`EdrProvider${one}`, 'integration', CUD)),
  ),
  ...crud('ScimIntegration', 'integration', CUD),
  regenerateScimToken: ['integration.update'],
  ...crud('DirectorySyncA', 'integration', CUD),
  ...crud('DirectorySyncB', 'integration', CUD),
  ...crud('NotificationChannel', 'integration', CUD),
  ...crud('EventStream', 'integration', CUD),
  ...Object.fromEntries(
    ['createIngressPeer', 'updateIngressPeer', 'deleteIngressPeer']
      .concat(['createMspTenant', 'updateMspTenant', 'unlinkMspTenant', 'verifyMspTenantDomain'])
      .concat(['changeMspTenantSubscription', 'inviteMspTenant', 'answerMspTenantInvite'])
      .concat(['runDirectorySyncA', 'runDirectorySyncB'])
      .concat(['create', 'update', 'delete'].map(verb => `${verb}IngressPortAllocation`))
      .map(id => [id, []]),
  ),
};

describe('every operation that writes', () => {
  let api: Emulated;
  let fixture: Fixture;
  let end: () => Promise<void>;
  beforeAll(async () => {
    ({ api, end } = await standing());
    fixture = await startFixture(api);
  });
  afterAll(() => end());

  const writes = loadContract().operations.filter(one => one.method !== 'GET');

  it.each(writes)('$id is reported as the map has it', async operation => {
    await fixture.restore(operation);
    const { method } = operation;
    const path = fixture.path(operation);
    const news = await reported(api, () => api.call(method, path, fixture.body(operation)));
    const expected = present(TOLD[operation.id], `the events of ${operation.id}`);
    expect(codes(news)).toEqual(expected.toSorted());
    const { id } = await owner(api);
    // Whoever accepts an invite does it themself.
    if (!operation.public) for (const { initiator_id } of news) expect(initiator_id).toBe(id);
  });

  it('nothing that only reads is reported', async () => {
    await fixture.restore();
    const reads = loadContract().operations.filter(
      one => one.method === 'GET' && !one.path.includes('{'),
    );
    const news = await reported(api, async () => {
      for (const { path } of reads) await api.get(path);
    });
    expect(news).toEqual([]);
  });

  it('no refused request is reported', async () => {
    await fixture.restore();
    const withBody = writes.filter(({ request }) => request !== undefined);
    const news = await reported(api, async () => {
      for (const operation of withBody)
        await api.refusal(operation.method, fixture.path(operation), '{');
    });
    expect(news).toEqual([]);
  });
});

describe('an event', () => {
  it('names the initiator, the activity and the target, as strings', async () => {
    const api = await emulated({ clock: () => new Date('2026-01-02T03:04:05.600Z') });
    const { id: initiator_id } = await owner(api);
    const id = await api.make('/api/networks', { name: 'n' });
    expect(await events(api)).toEqual([
      {
        id: 1,
        timestamp: '2026-01-02T03:04:05.600Z',
        activity: 'Network created',
        activity_code: 'network.create',
        initiator_id,
        initiator_name: 'Owner',
        initiator_email: 'owner@example.com',
        target_id: id,
        meta: { name: 'n' },
      },
    ]);
  });

  it('an event of a route prints lists as the server does, and the time of a user as it is stored', async () => {
    const api = await emulated({ clock: () => new Date('2026-01-02T03:04:05.600Z') });
    const group = await api.make('/api/groups', { name: 'g' });
    const domains = ['a.example', 'b.example'];
    const body = routeBody({ domains, peer_groups: [group], groups: [group], network_id: 'r' });
    const [route] = await reported(api, () => api.post('/api/routes', body));
    expect(route?.meta).toMatchObject({ name: 'r', peer_groups: `[${group}]`, peer_id: '' });
    expect(route?.meta.domains).toMatch(/^\[?a\.example,? b\.example\]?$/);
    const ada = await person(api, 'user');
    const [gone] = await reported(api, () => api.remove(`/api/users/${ada.id}`));
    expect(gone?.meta).toMatchObject({
      created_at: '2026-01-02T03:04:05.600Z',
      issued: 'api',
      // Of a person who is gone the log still knows these.
      email: 'user@example.com',
      username: 'user',
    });
  });

  it('an event of a deleted service user has no name', async () => {
    const api = await emulated();
    const body = { name: 'ci', role: 'admin', auto_groups: [], is_service_user: true };
    const id = await api.make('/api/users', body);
    await api.remove(`/api/users/${id}`);
    const [made] = (await events(api)).filter(({ target_id }) => target_id === id);
    expect(made?.meta).toEqual({ name: 'ci' });
  });

  it('has the id of its dialect, and names unknown users as such', async () => {
    const api = await emulated({ dialect: 'netbird' });
    await api.make('/api/networks', { name: 'n' });
    const ids = [await api.get('/api/events/audit')].flat().map(event => Object(event).id);
    expect(ids).toEqual(['3', '2', '1']);
    expect(await api.get('/api/events')).toEqual(await api.get('/api/events/audit'));
  });
});

describe('the log', () => {
  it('is newest first, and holds no more than the newest 10,000', async () => {
    const store = memoryStore();
    const api = await emulated({ store });
    store.transaction(rows => {
      const [account] = openInstallation(rows).accounts.all();
      const { events: log } = openAccount(rows, account?.id ?? '');
      for (let n = 1; n <= 10_005; n += 1)
        log.put({
          id: String(n),
          timestamp: new Date(n * 1000).toISOString(),
          meta: {},
          activity_code: 'network.create',
          initiator_id: 'sys',
          target_id: `n${n}`,
        });
    });
    const all: readonly Event[] = Object(await api.get('/api/events/audit'));
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, n) => 10_005 - n));
  });

  it('shows an event after the configured delay', async () => {
    let now = 0;
    const later: (() => void)[] = [];
    const api = await emulated({
      eventDelay: 2000,
      clock: () => new Date(now),
      schedule: (_, work) => {
        later.push(work);
        return () => later.splice(later.indexOf(work), 1);
      },
    });
    await api.make('/api/networks', { name: 'n' });
    const run = () => {
      for (const work of later.splice(0)) work();
    };
    run();
    expect(await api.get('/api/events/audit')).toEqual([]);
    now += 2000;
    run();
    expect(await api.get('/api/events/audit')).toHaveLength(1);
  });

  it('contains only the events of one account', async () => {
    const api = await emulated();
    await api.make('/api/networks', { name: 'n' });
    const { token } = Object(await api.control('POST', '/emulator/accounts', {}));
    const other = await api.call('GET', '/api/events/audit', undefined, `Token ${token}`);
    expect(other.body).toEqual([]);
  });
});
