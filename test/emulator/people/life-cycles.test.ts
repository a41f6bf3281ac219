// Users who wait, invites that become users, passwords: every state change of the specification that concerns them
// (docs/server-behaviour.md#users, docs/server-behaviour.md#invites).
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../../src/contract/index.ts';
import type { SignIn } from '../../../src/emulator/index.ts';
import { inviteBody, userUpdate } from '../bodies.ts';
import { type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { person, statusFor } from './people.ts';

const INVITES = '/api/users/invites';
const PASSWORD = 'Correct horse 1';

const userOf = async (api: Emulated, id: string) =>
  [await api.get('/api/users')].flat().find(user => Object(user).id === id);

async function invite(api: Emulated, more: object = {}) {
  const { id, invite_token } = Object(await api.post(INVITES, inviteBody(more)));
  return { id: String(id), token: String(invite_token) };
}

/** As somebody without credentials. */
const openly = (api: Emulated, method: string, path: string, body?: object) =>
  api.call(method, path, body, '');

describe('User: pending_approval = true', () => {
  it('POST approve: approved, and the record is returned', async () => {
    const api = await emulated();
    const ada = await person(api, 'user', { pending_approval: true });
    expect(await statusFor(api, ada, 'GET', '/api/users/current')).toBe(403);
    const path = `/api/users/${ada.id}/approve`;
    expect(await api.post(path, {})).toMatchObject({ id: ada.id, pending_approval: false });
    expect(await statusFor(api, ada, 'GET', '/api/users/current')).toBe(200);
    expect(await api.refusal('POST', path)).toEqual(refused(422));
  });

  it('DELETE reject: removed from the account', async () => {
    const api = await emulated();
    const ada = await person(api, 'user', { pending_approval: true });
    const path = `/api/users/${ada.id}/reject`;
    await api.remove(path);
    expect(await userOf(api, ada.id)).toBeUndefined();
    expect(await api.refusal('DELETE', path)).toEqual(refused(404));
    const other = await person(api, 'user');
    expect(await api.refusal('DELETE', `/api/users/${other.id}/reject`)).toEqual(refused(422));
  });
});

describe('User: any', () => {
  it('PUT with is_blocked = true: blocked, cannot use the system', async () => {
    const api = await emulated();
    const ada = await person(api, 'admin');
    const body = userUpdate({ role: 'admin', is_blocked: true });
    expect(await api.put(`/api/users/${ada.id}`, body)).toMatchObject({ status: 'blocked' });
    expect(await statusFor(api, ada, 'GET', '/api/groups')).toBe(403);
  });

  it('DELETE: loses access to the system', async () => {
    const api = await emulated();
    const ada = await person(api, 'admin');
    await api.remove(`/api/users/${ada.id}`);
    expect(await statusFor(api, ada, 'GET', '/api/groups')).toBe(404);
  });
});

describe('an invitation that is sent again', () => {
  it('is for people who have not signed in yet', async () => {
    const api = await emulated({ signIn: 'external' });
    const body = { email: 'a@example.com', name: 'A', role: 'user', auto_groups: [] };
    const id = await api.make('/api/users', { ...body, is_service_user: false });
    expect(await api.post(`/api/users/${id}/invite`, {})).toEqual({});
    const active = await person(api, 'user');
    expect(await api.refusal('POST', `/api/users/${active.id}/invite`)).toEqual(refused(412));
    expect(await api.refusal('POST', '/api/users/none/invite')).toEqual(refused(404));
  });

  it('needs an identity provider', async () => {
    const api = await emulated({ signIn: 'none' });
    const ada = await person(api, 'user', { invited: true });
    expect(await api.refusal('POST', `/api/users/${ada.id}/invite`)).toEqual(refused(412));
  });
});

describe.each(['spec', 'netbird'] as const)('Invite: pending, dialect %s', dialect => {
  it('POST /api/users/invites: pending, token issued; the user does not exist yet', async () => {
    const api = await emulated({ dialect });
    const { token } = await invite(api);
    expect(await api.get('/api/users')).toHaveLength(1);
    const { status, body } = await openly(api, 'GET', `${INVITES}/${token}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        email: 'grace@example.com',
        name: 'Grace',
        valid: true,
        invited_by: 'Owner',
        expires_at: expect.any(String),
      },
    });
  });

  it('POST accept: accepted; the user is created with that password', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const { token } = await invite(api, { role: 'Auditor', auto_groups: [group] });
    const accept = () => openly(api, 'POST', `${INVITES}/${token}/accept`, { password: PASSWORD });
    expect(await accept()).toMatchObject({ status: 200, body: { success: true } });
    expect(await api.get(INVITES)).toEqual([]);
    const [grace] = [await api.get('/api/users?service_user=false')]
      .flat()
      .filter(user => Object(user).email === 'grace@example.com');
    expect(grace).toMatchObject({
      name: 'Grace',
      role: 'auditor',
      auto_groups: [group],
      status: 'active',
    });
    expect(await accept()).toMatchObject({ status: 404 });
    const as = await tokenFor(api, idOf(grace));
    const change = { old_password: PASSWORD, new_password: 'Another 1 one' };
    const path = `/api/users/${idOf(grace)}/password`;
    expect(await statusFor(api, { as }, 'PUT', path, change)).toBe(200);
  });

  it('POST regenerate: a new token and a new expiry; the previous token is invalidated', async () => {
    const api = await emulated({ dialect });
    const { id, token } = await invite(api, { expires_in: 3600 });
    await api.control('POST', '/emulator/clock', { advance: 3600 });
    const fresh = Object(await api.post(`${INVITES}/${id}/regenerate`, { expires_in: 7200 }));
    expect(Object.keys(fresh).toSorted()).toEqual(['invite_expires_at', 'invite_token']);
    expect(await openly(api, 'GET', `${INVITES}/${token}`)).toMatchObject({ status: 404 });
    expect(await openly(api, 'GET', `${INVITES}/${fresh.invite_token}`)).toMatchObject({
      body: { valid: true, expires_at: fresh.invite_expires_at },
    });
    expect(await api.get(INVITES)).toMatchObject([{ id, expired: false }]);
  });

  it('regenerate takes an empty body for 72 hours', async () => {
    const api = await emulated({ dialect, clock: () => new Date(0) });
    const { id } = await invite(api);
    expect(await api.call('POST', `${INVITES}/${id}/regenerate`)).toMatchObject({
      body: { invite_expires_at: '1970-01-04T00:00:00.000Z' },
    });
    expect(await api.refusal('POST', `${INVITES}/none/regenerate`)).toEqual(refused(404));
  });

  it('DELETE: deleted, and its token is unknown', async () => {
    const api = await emulated({ dialect });
    const { id, token } = await invite(api);
    await api.remove(`${INVITES}/${id}`);
    expect(await openly(api, 'GET', `${INVITES}/${token}`)).toMatchObject({ status: 404 });
  });

  it('passing expires_at: expired = true, still read, no longer accepted', async () => {
    const api = await emulated({ dialect });
    const { token } = await invite(api, { expires_in: 3600 });
    await api.control('POST', '/emulator/clock', { advance: 3600 });
    expect(await api.get(INVITES)).toMatchObject([{ expired: true }]);
    expect(await openly(api, 'GET', `${INVITES}/${token}`)).toMatchObject({
      body: { valid: false },
    });
    const body = { password: PASSWORD };
    expect(await openly(api, 'POST', `${INVITES}/${token}/accept`, body)).toMatchObject({
      status: 422,
    });
  });

  it('an invalid token is refused as malformed, or as missing a login', async () => {
    const api = await emulated({ dialect });
    const status = dialect === 'spec' ? 422 : 401;
    expect(await openly(api, 'GET', `${INVITES}/nonsense`)).toMatchObject({ status });
    expect(await api.refusal('GET', `${INVITES}/nonsense`)).toEqual(refused(422));
  });
});

it('an invite is refused if somebody with its email exists meanwhile', async () => {
  const api = await emulated();
  const { token } = await invite(api);
  await person(api, 'user', { email: 'grace@example.com' });
  const body = { password: PASSWORD };
  expect(await openly(api, 'POST', `${INVITES}/${token}/accept`, body)).toMatchObject({
    status: 409,
  });
});

it('invites of one account are not visible in another, but their tokens work in any', async () => {
  const api = await emulated({ accounts: 2 });
  const { token: other } = Object(await api.control('POST', '/emulator/accounts', {}));
  const made = await api.call('POST', INVITES, inviteBody(), `Token ${other}`);
  const { invite_token } = Object(made.body);
  expect(await api.get(INVITES)).toEqual([]);
  expect(await openly(api, 'GET', `${INVITES}/${invite_token}`)).toMatchObject({ status: 200 });
});

it('requests without credentials are limited by client address, if there is a limit', async () => {
  const api = await emulated({
    rateLimit: { requestsPerMinute: 60, burst: 60 },
    clock: () => new Date(0),
  });
  const { token } = await invite(api);
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1)
    statuses.push((await openly(api, 'GET', `${INVITES}/${token}`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const { body } = await openly(api, 'GET', `${INVITES}/${token}`);
  expect(body).toMatchObject({ message: 'rate limit exceeded, please try again later' });
});

describe('Accept invite and change password: the password', () => {
  const BAD = ['Short 1', 'no uppercase 1', 'No Digit Here', 'NoSpecial123', ''];
  const GOOD = ['Spaces are special 1', 'Ünïcode1!', 'Aa1-----'];

  it.each(['spec', 'netbird'] as const)(
    'is checked when an invite is accepted: %s',
    async dialect => {
      const api = await emulated({ dialect });
      for (const [index, password] of GOOD.entries()) {
        const { token } = await invite(api, { email: `${index}@example.com` });
        const accept = (text: string) =>
          openly(api, 'POST', `${INVITES}/${token}/accept`, { password: text });
        for (const bad of BAD) expect(await accept(bad), bad).toMatchObject({ status: 422 });
        expect(await accept(password), password).toMatchObject({ status: 200 });
      }
    },
  );

  it.each(['spec', 'netbird'] as const)('is checked when it is changed: %s', async dialect => {
    const api = await emulated({ dialect });
    const ada = await person(api, 'user', { password: PASSWORD });
    const path = `/api/users/${ada.id}/password`;
    const change = (old_password: string, new_password: string) =>
      statusFor(api, ada, 'PUT', path, { old_password, new_password });
    for (const bad of BAD) expect(await change(PASSWORD, bad), bad).toBe(422);
    expect(await change('Wrong one 1', 'Right one 1')).toBe(422);
    expect(await change(PASSWORD, 'Right one 1')).toBe(200);
    expect(await change(PASSWORD, 'Other one 1')).toBe(422);
    expect(await change('Right one 1', 'Other one 1')).toBe(200);
  });

  it('can be changed only by its user', async () => {
    const api = await emulated();
    const ada = await person(api, 'user', { password: PASSWORD });
    const body = { old_password: PASSWORD, new_password: 'Right one 1' };
    expect(await api.refusal('PUT', `/api/users/${ada.id}/password`, body)).toEqual(refused(422));
  });
});

describe.each<SignIn>(['external', 'none'])(
  'sign-in %s: operations that need the embedded provider',
  signIn => {
    const needing = loadContract().operations.filter(({ embeddedIdp }) => embeddedIdp);

    it.each(needing)('$id says so', async ({ id, method, path }) => {
      const api = await emulated({ signIn });
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status } = await api.call(method, path.replaceAll(/\{\w+\}/g, 'none'), body);
      // The list of providers is empty: there are none.
      expect(status).toBe(id === 'listIdentityProviders' ? 200 : 412);
    });
  },
);

async function tokenFor(api: Emulated, user: string): Promise<string> {
  const { token } = Object(await api.control('POST', '/emulator/tokens', { user_id: user }));
  return `Token ${token}`;
}
