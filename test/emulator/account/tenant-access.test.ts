// How a person of a managed service provider acts in the accounts of its tenants (docs/server-behaviour.md#msp-tenants).
import { expect, it, onTestFinished } from 'vitest';
import type { Json } from '../../../src/model/value.ts';
import { type MspOptions, startMsp, type TestMsp } from '../../support/servers/msp.ts';
import { tenantBody } from '../bodies.ts';

const TENANTS = '/api/integrations/msp/tenants';

async function msp(options: Partial<MspOptions> = {}): Promise<TestMsp> {
  const made = await startMsp({ tenants: 2, ...options });
  onTestFinished(made.close);
  return made;
}

const rowsOf = (body: Json) => [body].flat().map(row => Object(row));
const namesIn = (body: Json) =>
  rowsOf(body)
    .map(({ name }) => name)
    .toSorted();

/** The tenants by number. */
function two(api: TestMsp) {
  const [first, second] = api.tenants;
  if (first === undefined || second === undefined) throw new Error('two tenants');
  return [first, second] as const;
}

/** The groups that a call with this token gets. */
async function groupsWith(api: TestMsp, token: string, account: string) {
  const headers = { authorization: `Token ${token}` };
  const path = `/api/groups?account=${account}`;
  const answer = await api.dispatcher.request({ origin: api.url, path, method: 'GET', headers });
  return { status: answer.statusCode, body: (await answer.body.json()) as Json };
}

it('lists tenants with reproducible names and domains, whose ids scope a request', async () => {
  const api = await msp();
  expect(rowsOf((await api.call(undefined, 'GET', TENANTS)).body)).toEqual(
    expect.arrayContaining(
      ['t001', 't002'].map(name =>
        expect.objectContaining({ name, domain: `${name}.customer.example`, status: 'active' }),
      ),
    ),
  );
  const [first, second] = two(api);
  await api.call(first.id, 'POST', '/api/groups', { name: 'of the first' });
  await api.call(undefined, 'POST', '/api/groups', { name: 'of the provider' });
  const groups = async (id?: string) => namesIn((await api.call(id, 'GET', '/api/groups')).body);
  expect(await groups(first.id)).toEqual(['All', 'of the first']);
  expect(await groups(second.id)).toEqual(['All']);
  expect(await groups()).toEqual(['All', 'Tenant access', 'of the provider']);
});

it('has the same ids again with the same seed, and different ids with a different seed', async () => {
  const ids = async (seed: number) => (await msp({ seed })).tenants.map(({ id }) => id);
  expect(await ids(3)).toEqual(await ids(3));
  expect(await ids(3)).not.toEqual(await ids(4));
});

it('refuses an id that is not a tenant, users without access, and service users, and carries nothing out', async () => {
  const api = await msp({ tenants: [{}, { groups: [] }] });
  const [open, closed] = two(api);
  const body = { name: 'lost' };
  const statusOf = async (id: string) => (await api.call(id, 'POST', '/api/groups', body)).status;
  expect(await statusOf('none')).toBe(404);
  expect(await statusOf('')).toBe(404);
  expect(await statusOf(closed.id)).toBe(403);
  expect((await groupsWith(api, await api.serviceToken(), open.id)).status).toBe(403);
  expect((await groupsWith(api, await api.personToken([]), open.id)).status).toBe(403);
  // Another account's owner is nobody here.
  expect((await groupsWith(api, closed.token, open.id)).status).toBe(404);
  for (const id of [undefined, open.id])
    expect(namesIn((await api.call(id, 'GET', '/api/groups')).body)).not.toContain('lost');
});

it('a request with an id that is not a tenant is carried out in the caller’s account under netbird', async () => {
  const api = await msp({ dialect: 'netbird', tenants: [{}, { groups: [] }] });
  const [open, closed] = two(api);
  for (const [index, id] of ['none', closed.id].entries())
    expect((await api.call(id, 'POST', '/api/groups', { name: `lost ${index}` })).status).toBe(200);
  const robot = await api.serviceToken();
  expect(namesIn((await groupsWith(api, robot, open.id)).body)).toEqual(
    expect.arrayContaining(['lost 0', 'lost 1']),
  );
  // The account says where one is: its id is that of the tenant.
  const idAt = async (id?: string) =>
    rowsOf((await api.call(id, 'GET', '/api/accounts')).body).map(account => account.id);
  expect(await idAt(open.id)).toEqual([open.id]);
  expect(await idAt('none')).toEqual(await idAt());
});

it('has no effect on the open-source server', async () => {
  const api = await msp({ edition: 'self-hosted' });
  expect((await api.call('none', 'POST', '/api/groups', { name: 'here' })).status).toBe(200);
  expect(namesIn((await api.call(undefined, 'GET', '/api/groups')).body)).toContain('here');
});

it('grants the strongest role of the groups of a user', async () => {
  const api = await msp();
  const [first] = two(api);
  const make = async (name: string) =>
    String(Object((await api.call(undefined, 'POST', '/api/groups', { name })).body).id);
  const readers = await make('readers');
  const writers = await make('writers');
  const groups = [
    { id: readers, role: 'auditor' },
    { id: writers, role: 'network_admin' },
  ];
  const path = `${TENANTS}/${first.id}`;
  expect((await api.call(undefined, 'PUT', path, { name: 't001', groups })).status).toBe(200);
  const roleOf = async (own: readonly string[]) => {
    const headers = { authorization: `Token ${await api.personToken(own)}` };
    const line = { origin: api.url, path: `/api/users/current?account=${first.id}` };
    const answer = await api.dispatcher.request({ ...line, method: 'GET', headers });
    const { id, role } = Object(await answer.body.json());
    return [typeof id, role];
  };
  expect(await roleOf([readers])).toEqual(['string', 'auditor']);
  expect(await roleOf([readers, writers])).toEqual(['string', 'network_admin']);
  // The owner is in neither.
  expect((await api.call(first.id, 'GET', '/api/groups')).status).toBe(403);
});

it('shows actions from outside as External, and actions of the tenant with its name', async () => {
  const api = await msp();
  const [first] = two(api);
  await api.call(first.id, 'POST', '/api/groups', { name: 'from outside' });
  const headers = { authorization: `Token ${first.token}` };
  const body = JSON.stringify({ name: 'own' });
  const line = { origin: api.url, path: '/api/groups', method: 'POST', headers, body } as const;
  await (await api.dispatcher.request(line)).body.dump();
  const events = async (id?: string) =>
    rowsOf((await api.call(id, 'GET', '/api/events/audit')).body)
      .filter(({ activity_code }) => activity_code === 'group.add')
      .map(({ initiator_name, initiator_email, meta }) => [
        meta.name,
        initiator_name,
        initiator_email,
        meta.external,
      ]);
  expect(await events(first.id)).toEqual(
    expect.arrayContaining([
      ['from outside', 'External', '', 'true'],
      ['own', 'Owner', 'owner@t001.customer.example', undefined],
    ]),
  );
  expect(await events()).toEqual([]);
});

it('has one rate limit for a token, whatever tenants it names', async () => {
  let now = 0;
  const rateLimit = { requestsPerMinute: 60, burst: 3 };
  const api = await msp({ rateLimit, clock: () => new Date(now) });
  const [first, second] = two(api);
  const statuses: number[] = [];
  for (const id of [first.id, second.id, undefined, first.id, second.id])
    statuses.push((await api.call(id, 'GET', '/api/groups')).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  now += 1000;
  expect((await api.call(second.id, 'GET', '/api/groups')).status).toBe(200);
  expect((await api.call(first.id, 'GET', '/api/groups')).status).toBe(429);
});

it('starts each tenant with the state of a snapshot, with new ids', async () => {
  const draft = await msp({ tenants: 0 });
  const group = Object(
    (await draft.call(undefined, 'POST', '/api/groups', { name: 'staff' })).body,
  );
  const rule = {
    name: 'r',
    description: '',
    enabled: true,
    action: 'accept',
    bidirectional: true,
    protocol: 'netbird-ssh',
    sources: [group.id],
    destinations: [group.id],
    authorized_groups: { [group.id]: ['root'] },
  };
  const policy = { name: 'p', description: '', enabled: true, rules: [rule] };
  expect((await draft.call(undefined, 'POST', '/api/policies', policy)).status).toBe(200);
  await draft.control(undefined, 'POST', '/emulator/peers', { name: 'laptop', groups: [group.id] });
  const snapshot = await draft.control(undefined, 'GET', '/emulator/snapshot');
  const api = await msp({ tenants: [{}, { name: 'acme', domain: 'acme.example' }], snapshot });
  const seen = await Promise.all(
    two(api).map(async ({ id }) => {
      const list = async (path: string) => rowsOf((await api.call(id, 'GET', path)).body);
      const groups = await list('/api/groups');
      const staff = groups.find(({ name }) => name === 'staff');
      const peers = await list('/api/peers');
      const [p] = (await list('/api/policies')).filter(({ name }) => name === 'p');
      expect(staff.peers).toEqual([{ id: peers[0].id, name: 'laptop' }]);
      expect(p.rules[0].sources).toMatchObject([{ id: staff.id }]);
      expect(p.rules[0].authorized_groups).toEqual({ [staff.id]: ['root'] });
      return [staff.id, peers[0].id, p.id, p.rules[0].id];
    }),
  );
  const all = [...seen.flat(), group.id];
  expect(new Set(all).size, 'ids in one place only, but for a rule and its policy').toBe(
    new Set(seen.flat()).size + 1,
  );
  expect(new Set(seen[0]).isDisjointFrom(new Set(seen[1]))).toBe(true);
  expect(api.tenants.map(({ name, domain }) => [name, domain])).toEqual([
    ['t001', 't001.customer.example'],
    ['acme', 'acme.example'],
  ]);
});

it('makes one tenant hang, fail and respond late, and counts the requests of each', async () => {
  const delays: number[] = [];
  const api = await msp({
    schedule: (milliseconds, work) => {
      if (milliseconds > 0) delays.push(milliseconds);
      setImmediate(work);
      return () => {};
    },
  });
  const [first, second] = two(api);
  const statusOf = async (id: string) => (await api.call(id, 'GET', '/api/groups')).status;
  await api.fail(first.id);
  for (let n = 0; n < 3; n += 1) expect(await statusOf(first.id)).toBe(500);
  expect(await statusOf(second.id)).toBe(200);
  await api.mend();
  await api.delay(second.id, 5000);
  expect([await statusOf(first.id), delays]).toEqual([200, []]);
  expect([await statusOf(second.id), delays]).toEqual([200, [5000]]);
  await api.mend();
  await api.hang(first.id);
  const ended = new Promise<string>(resolve => {
    api.onRequest(({ status, account }) => resolve(`${status} ${account}`));
  });
  const path = `/api/groups?account=${first.id}`;
  const headers = { authorization: `Token ${api.token}` };
  const patience = new AbortController();
  const hanging = api.dispatcher.request({
    origin: api.url,
    path,
    method: 'GET',
    headers,
    signal: patience.signal,
  });
  expect(await ended).toBe(`0 ${first.id}`);
  patience.abort();
  await expect(hanging).rejects.toThrow();
  expect(api.requestsOf(first.id).map(({ status }) => status)).toEqual([500, 500, 500, 200, 0]);
  expect(api.requestsOf(second.id).map(({ status }) => status)).toEqual([200, 200]);
  expect(api.requestsOf()).toEqual([]);
});

it('reaches a tenant that was created through the API, once its domain is proved', async () => {
  const api = await msp({ tenants: 0 });
  const { body } = await api.call(undefined, 'GET', '/api/groups');
  const all = rowsOf(body).find(({ name }) => name === 'All').id;
  const access = Object((await api.call(undefined, 'POST', '/api/groups', { name: 'us' })).body).id;
  const groups = [{ id: access, role: 'admin' }];
  const { id, dns_challenge, domain } = Object(
    (await api.call(undefined, 'POST', TENANTS, tenantBody({ groups }) as Json)).body,
  );
  const token = await api.personToken([access]);
  expect((await groupsWith(api, token, id)).status).toBe(412);
  await api.control(undefined, 'PUT', '/emulator/dns', { domain, texts: [dns_challenge] });
  expect((await api.call(undefined, 'POST', `${TENANTS}/${id}/dns`)).status).toBe(200);
  const inside = await groupsWith(api, token, id);
  expect(inside.status).toBe(200);
  expect(rowsOf(inside.body).map(group => group.id)).not.toContain(all);
});

it('reaches an account that accepted an invitation by its own id', async () => {
  const api = await msp({ tenants: 0 });
  const email = `owner@${tenantBody().domain}`;
  const other = Object(await api.control(undefined, 'POST', '/emulator/accounts', { email }));
  const us = Object((await api.call(undefined, 'POST', '/api/groups', { name: 'us' })).body).id;
  const draft = tenantBody({ groups: [{ id: us, role: 'admin' }] }) as Json;
  const { id } = Object((await api.call(undefined, 'POST', TENANTS, draft)).body);
  expect(id).toBe(other.id);
  const token = await api.personToken([us]);
  await api.call(undefined, 'POST', `${TENANTS}/${id}/invite`);
  expect((await groupsWith(api, token, id)).status).toBe(412);
  const headers = { authorization: `Token ${other.token}` };
  const line = {
    origin: api.url,
    path: `${TENANTS}/${id}/invite`,
    method: 'PUT',
    headers,
  } as const;
  const accepted = await api.dispatcher.request({
    ...line,
    body: JSON.stringify({ value: 'accept' }),
  });
  expect(accepted.statusCode).toBe(200);
  expect((await groupsWith(api, token, id)).status).toBe(200);
});

it('creates a tenant by a control: id, token, name and domain may be chosen', async () => {
  const api = await msp();
  const path = '/emulator/tenants';
  const made = await api.control(undefined, 'POST', path, {});
  expect(made).toMatchObject({ name: 't003', domain: 't003.customer.example' });
  const chosen = { id: 'acme', token: 'my-token', name: 'Acme', domain: 'acme.example' };
  expect(await api.control(undefined, 'POST', path, chosen)).toEqual(chosen);
  expect((await api.call('acme', 'GET', '/api/groups')).status).toBe(200);
  expect((await groupsWith(api, 'my-token', 'acme')).status).toBe(404);
  await expect(api.control(undefined, 'POST', path, { ...chosen, id: 'b' })).rejects.toThrow('409');
  const bad = { groups: [{ id: 'none', role: 'admin' }] };
  await expect(api.control(undefined, 'POST', path, bad)).rejects.toThrow('422');
  await expect(api.control(undefined, 'POST', path, { snapshot: { rows: [] } })).rejects.toThrow();
});

it('hands over an account from outside without adding the caller as a member', async () => {
  const api = await msp({ tenants: 1 });
  const [first] = api.tenants;
  if (first === undefined) throw new Error('a tenant');
  const groups = rowsOf((await api.call(undefined, 'GET', TENANTS)).body)[0].groups;
  const owners = groups.map((group: object) => ({ ...group, role: 'owner' }));
  await api.call(undefined, 'PUT', `${TENANTS}/${first.id}`, { name: 't001', groups: owners });
  const heir = Object(await api.control(first.id, 'POST', '/emulator/users', { name: 'heir' }));
  const body = { role: 'owner', auto_groups: [], is_blocked: false };
  expect((await api.call(first.id, 'PUT', `/api/users/${heir.id}`, body)).status).toBe(200);
  const users = rowsOf((await api.call(first.id, 'GET', '/api/users')).body);
  expect(users.map(({ name, role }) => [name, role]).toSorted()).toEqual([
    ['Owner', 'admin'],
    ['heir', 'owner'],
  ]);
});
