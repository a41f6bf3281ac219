// Users: people, service users, and what may be done to them (docs/server-behaviour.md#users).
import { describe, expect, it } from 'vitest';
import { userBody, userUpdate } from '../bodies.ts';
import { type Emulated, emulated, refused } from '../emulated.ts';
import { owner, person, robot, statusFor } from './people.ts';

const service = (more: object = {}) => userBody({ name: 'ci', is_service_user: true, ...more });

const userOf = async (api: Emulated, id: string) =>
  [await api.get('/api/users')].flat().find(user => Object(user).id === id);

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const start = () => emulated({ dialect });

  it('creates a service user without an email, whose groups are not checked', async () => {
    const api = await start();
    const user = Object(await api.post('/api/users', service({ auto_groups: ['nowhere'] })));
    expect(user).toMatchObject({
      email: '',
      name: 'ci',
      role: 'user',
      status: 'active',
      auto_groups: ['nowhere'],
      is_service_user: true,
      is_blocked: false,
      is_current: false,
      issued: 'api',
      pending_approval: false,
      last_login: '0001-01-01T00:00:00Z',
    });
    expect(user.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    await api.post('/api/users', service());
    expect(await api.get('/api/users?service_user=true')).toHaveLength(2);
  });

  it('creates a user with a password that is shown once', async () => {
    const api = await start();
    const made = Object(await api.post('/api/users', userBody()));
    expect(made).toMatchObject({ email: 'ada@example.com', status: 'active' });
    expect(made.password).toMatch(/^.{8,}$/);
    expect(await userOf(api, made.id)).not.toHaveProperty('password');
  });

  it('accepts roles in any case, and stores them in lower case', async () => {
    const api = await start();
    expect(await api.post('/api/users', service({ role: 'Network_ADMIN' }))).toMatchObject({
      role: 'network_admin',
    });
  });

  it.each([
    ['an unknown role', { role: 'king' }, 422],
    ['the role of the owner', { role: 'owner' }, 422],
    ['a person without a name', { name: '' }, 422],
    ['a person without an email', { email: '' }, 422],
    ['an email that is taken, in whatever case', { email: 'OWNER@example.com' }, 409],
  ])('refuses %s', async (_, more, status) => {
    const api = await start();
    expect(await api.refusal('POST', '/api/users', userBody(more))).toEqual(refused(status));
  });

  it('lists users, service users, or both', async () => {
    const api = await start();
    await api.post('/api/users', service());
    const kinds = async (query: string) =>
      [await api.get(`/api/users${query}`)].flat().map(user => Object(user).is_service_user);
    expect((await kinds('')).toSorted()).toEqual([false, true]);
    expect(await kinds('?service_user=true')).toEqual([true]);
    expect(await kinds('?service_user=false')).toEqual([false]);
    expect(await api.refusal('GET', '/api/users?service_user=maybe')).toEqual(refused(422));
  });

  it('shows who is calling, unless it is a service user', async () => {
    const api = await start();
    const { id } = await owner(api);
    expect(await api.get('/api/users/current')).toMatchObject({ id, is_current: true });
    const ci = await robot(api, 'admin');
    expect(await statusFor(api, ci, 'GET', '/api/users/current')).toBe(403);
    const { body } = await api.call('GET', '/api/users', undefined, ci.as);
    expect([body].flat().filter(user => Object(user).is_current)).toMatchObject([{ id: ci.id }]);
  });

  it('has no read of one user by id', async () => {
    const api = await start();
    const { id } = await owner(api);
    const { status } = await api.call('GET', `/api/users/${id}`);
    expect(status).toBe(dialect === 'spec' ? 405 : 404);
  });

  it('shows only themself to a user without permission to read users', async () => {
    const api = await start();
    const ada = await person(api, 'user');
    const { body } = await api.call('GET', '/api/users', undefined, ada.as);
    expect(body).toMatchObject([{ id: ada.id, is_current: true }]);
  });
});

describe('an update', () => {
  const groupAll = async (api: Emulated) => {
    const [all] = [await api.get('/api/groups?name=All')].flat();
    return String(Object(all).id);
  };

  it('blocks, and unblocks by default', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const ada = await person(api, 'user');
    const path = `/api/users/${ada.id}`;
    expect(await api.put(path, userUpdate({ is_blocked: true }))).toMatchObject({
      is_blocked: true,
      status: 'blocked',
    });
    expect(await api.put(path, { role: 'user', auto_groups: [] })).toMatchObject({
      is_blocked: false,
      status: 'active',
    });
  });

  it('never changes name and email', async () => {
    const api = await emulated();
    const ada = await person(api, 'user', { name: 'Ada', email: 'ada@example.com' });
    const body = { ...userUpdate(), name: 'Eve', email: 'eve@example.com' };
    expect(await api.put(`/api/users/${ada.id}`, body)).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
    });
  });

  it('refuses unknown roles, unknown groups and the group All', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const all = await groupAll(api);
    for (const wrong of [{ role: 'king' }, { auto_groups: ['none'] }, { auto_groups: [all] }])
      expect(await api.refusal('PUT', `/api/users/${ada.id}`, userUpdate(wrong))).toEqual(
        refused(422),
      );
  });

  it.each([
    ['an admin who blocks themself', 'admin', 'self', { role: 'admin', is_blocked: true }],
    ['an admin who changes their role', 'admin', 'self', { role: 'user' }],
    ['an admin who makes an owner', 'admin', 'other', { role: 'owner' }],
    ['an admin who takes the owner’s role', 'admin', 'owner', { role: 'user' }],
    ['who blocks the owner', 'admin', 'owner', { role: 'owner', is_blocked: true }],
    ['an auditor', 'auditor', 'other', {}],
    ['a network admin', 'network_admin', 'other', {}],
  ])('is forbidden: %s', async (_, role, whom, more) => {
    const api = await emulated();
    const caller = await person(api, role);
    const other = await person(api, 'user');
    const id = { self: caller.id, other: other.id, owner: (await owner(api)).id }[whom];
    const body = userUpdate(more);
    expect(await statusFor(api, caller, 'PUT', `/api/users/${id}`, body)).toBe(403);
  });

  it('hands the account over: the former owner is an admin from then on', async () => {
    const api = await emulated();
    const ada = await person(api, 'admin');
    const first = await owner(api);
    const robotUser = await robot(api, 'admin');
    const body = userUpdate({ role: 'owner' });
    expect(await api.refusal('PUT', `/api/users/${robotUser.id}`, body)).toEqual(refused(403));
    expect(await api.put(`/api/users/${ada.id}`, body)).toMatchObject({ role: 'owner' });
    expect(await userOf(api, first.id)).toMatchObject({ role: 'admin' });
  });

  it('makes the user’s peers join and leave too, while the account allows it', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const group = await api.make('/api/groups', { name: 'staff' });
    const laptop = await api.enrol('laptop', { user_id: ada.id });
    const members = async () =>
      [Object(await api.get(`/api/groups/${group}`)).peers].flat().map(peer => Object(peer).id);
    const put = (auto_groups: string[]) =>
      api.put(`/api/users/${ada.id}`, userUpdate({ auto_groups }));
    await put([group]);
    expect(await members()).toEqual([laptop]);
    await put([]);
    expect(await members()).toEqual([]);
    await api.control('PUT', '/emulator/settings', { group_propagation: false });
    await put([group]);
    expect(await members()).toEqual([]);
  });
});

describe('a deletion', () => {
  it('is refused for oneself, for the owner, and for users of an integration', async () => {
    const api = await emulated();
    const first = await owner(api);
    expect(await api.refusal('DELETE', `/api/users/${first.id}`)).toEqual(refused(422));
    const admin = await person(api, 'admin');
    expect(await statusFor(api, admin, 'DELETE', `/api/users/${first.id}`)).toBe(403);
    const synced = await person(api, 'user', { issued: 'integration' });
    expect(await api.refusal('DELETE', `/api/users/${synced.id}`)).toEqual(refused(403));
    const ci = await robot(api, 'admin');
    expect(await statusFor(api, ci, 'DELETE', `/api/users/${synced.id}`)).toBe(200);
  });

  it('deletes the user’s peers, with every policy that names one, and all tokens', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const laptop = await api.enrol('laptop', { user_id: ada.id });
    await api.remove(`/api/users/${ada.id}`);
    expect(await api.refusal('GET', `/api/peers/${laptop}`)).toEqual(refused(404));
    expect(await statusFor(api, ada, 'GET', '/api/groups')).toBe(404);
  });
});

describe('a user without access', () => {
  it.each([
    ['blocked', { is_blocked: true }, 'user is blocked'],
    ['pending approval', {}, 'user is pending approval'],
  ])('is known to the server, and is refused everything: %s', async (kind, more, message) => {
    const api = await emulated();
    const ada = await person(api, 'admin', { pending_approval: kind === 'pending approval' });
    await api.put(`/api/users/${ada.id}`, userUpdate({ role: 'admin', ...more }));
    for (const [method, path] of [
      ['GET', '/api/groups'],
      ['GET', '/api/users/current'],
      ['POST', '/api/networks'],
    ] as const)
      expect(
        await api.call(method, path, method === 'GET' ? undefined : { name: 'n' }, ada.as),
      ).toMatchObject({
        status: 403,
        body: { message },
      });
  });
});
