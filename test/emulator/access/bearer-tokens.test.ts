// Bearer tokens of the development issuer, and what a person's sign-in changes (docs/server-behaviour.md#credentials).
import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newIssuer } from '../../../src/emulator/access/issuer.ts';
import { userUpdate } from '../bodies.ts';
import { asSet, type Emulated, emulated, refused } from '../emulated.ts';
import { codes, reported } from '../events.ts';
import { statusFor } from '../people/people.ts';

const start = () => emulated({ bearerTokens: true });

/** Somebody who has a token of the issuer. */
async function visitor(api: Emulated, claims: object) {
  const made = Object(await api.control('POST', '/emulator/access-tokens', claims));
  return { as: `Bearer ${made.access_token}`, id: String(made.user_id) };
}

const find = async (api: Emulated, id: string) =>
  [await api.get('/api/users')].flat().find(user => Object(user).id === id);

it('bearer tokens are disabled by default: the controls create none, and none is accepted', async () => {
  const api = await emulated();
  const refusal = await api.call(
    'POST',
    '/emulator/access-tokens',
    {},
    `Token ${api.controlsToken}`,
  );
  expect(refusal).toMatchObject({ status: 412 });
  const other = await start();
  const { as } = await visitor(other, {});
  expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(401);
});

it('bearer tokens open the account as the owner by default, or as any user', async () => {
  const api = await start();
  const owner = await visitor(api, {});
  const { body } = await api.call('GET', '/api/users/current', undefined, owner.as);
  expect(body).toMatchObject({ role: 'owner', is_current: true });
});

it('bearer tokens expire, and then are refused with a 401', async () => {
  const api = await start();
  const { as } = await visitor(api, { expires_in: 60 });
  expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(200);
  await api.control('POST', '/emulator/clock', { advance: 60 });
  expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(401);
});

it('bearer tokens are refused if any part of them is changed', async () => {
  const api = await start();
  const { as } = await visitor(api, {});
  const [header = '', payload = '', signature = ''] = as.replace('Bearer ', '').split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString(
    'base64url',
  );
  for (const token of [
    `${header}.${forged}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.x`,
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.${signature}`,
  ])
    expect(await statusFor(api, { as: `Bearer ${token}` }, 'GET', '/api/groups'), token).toBe(401);
});

it('bearer tokens are JSON web tokens that others can check with the public key', () => {
  const issuer = newIssuer(() => new Date(0));
  const claims = { account: 'a', sub: 'u', email: 'e', name: 'n' };
  const [header, payload, signature = ''] = issuer.issue(claims, 60).split('.');
  const key = createPublicKey(issuer.publicKey.export({ type: 'spki', format: 'pem' }));
  const body = Buffer.from(`${header}.${payload}`);
  const isValid = verify(
    'sha256',
    body,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  expect(isValid).toBe(true);
});

describe('a user who signs in for the first time', () => {
  it('is created, waits for approval, and has joined once', async () => {
    const api = await start();
    const ada = await visitor(api, { email: 'ada@example.com', name: 'Ada' });
    const news = await reported(api, () => statusFor(api, ada, 'GET', '/api/users/current'));
    // Refused as pending: what they did by signing in stays.
    expect(codes(news)).toEqual(['dashboard.login', 'user.join']);
    expect(await find(api, ada.id)).toMatchObject({
      email: 'ada@example.com',
      name: 'Ada',
      role: 'user',
      pending_approval: true,
    });
    expect(await reported(api, () => statusFor(api, ada, 'GET', '/api/users/current'))).toEqual([]);
  });

  it('is admitted immediately if the account does not require approval', async () => {
    const api = await start();
    await api.control('PUT', '/emulator/settings', { user_approval_required: false });
    const ada = await visitor(api, { email: 'ada@example.com' });
    expect(await statusFor(api, ada, 'GET', '/api/users/current')).toBe(200);
    expect(await find(api, ada.id)).toMatchObject({
      last_login: expect.not.stringMatching(/^0001/),
    });
  });
});

describe('the groups of the identity provider', () => {
  const approved = async () => {
    const api = await start();
    await api.control('PUT', '/emulator/settings', { user_approval_required: false });
    return api;
  };
  const groupsOf = async (api: Emulated, id: string) => {
    const { auto_groups } = Object(await find(api, id));
    const all = [await api.get('/api/groups')].flat().map(group => Object(group));
    return asSet(auto_groups.map((group: string) => all.find(one => one.id === group)?.name));
  };

  it('are created if no group has the name; users join them, and leave them when the token no longer names them', async () => {
    const api = await approved();
    const claims = { email: 'ada@example.com', groups: ['staff', 'ops'] };
    const ada = await visitor(api, claims);
    await statusFor(api, ada, 'GET', '/api/users/current');
    expect(await groupsOf(api, ada.id)).toEqual(asSet(['staff', 'ops']));
    expect(await api.get('/api/groups?name=staff')).toMatchObject([{ issued: 'jwt' }]);
    const later = await visitor(api, { user_id: ada.id, groups: ['ops'] });
    await statusFor(api, later, 'GET', '/api/users/current');
    expect(await groupsOf(api, ada.id)).toEqual(asSet(['ops']));
    expect(await api.get('/api/groups?name=staff')).toHaveLength(1);
  });

  it('skip a name that a group of the API has', async () => {
    const api = await approved();
    await api.make('/api/groups', { name: 'staff' });
    const ada = await visitor(api, { email: 'ada@example.com', groups: ['staff'] });
    await statusFor(api, ada, 'GET', '/api/users/current');
    expect(await groupsOf(api, ada.id)).toEqual(asSet([]));
    expect(await api.get('/api/groups?name=staff')).toMatchObject([{ issued: 'api' }]);
  });

  it('do not affect groups that were assigned by hand', async () => {
    const api = await approved();
    const own = await api.make('/api/groups', { name: 'own' });
    const ada = await visitor(api, { email: 'ada@example.com', groups: ['staff'] });
    await statusFor(api, ada, 'GET', '/api/users/current');
    const [staff] = [await api.get('/api/groups?name=staff')].flat();
    const auto_groups = [own, Object(staff).id];
    await api.put(`/api/users/${ada.id}`, userUpdate({ auto_groups }));
    await api.control('POST', `/emulator/users/${ada.id}/groups`, { groups: [] });
    expect(await groupsOf(api, ada.id)).toEqual(asSet(['own']));
  });
});

it('bearer tokens are not rate-limited', async () => {
  const api = await emulated({ bearerTokens: true, rateLimit: { requestsPerMinute: 1, burst: 1 } });
  const { as } = await visitor(api, {});
  for (let n = 0; n < 3; n += 1)
    expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(200);
  await api.get('/api/groups');
  expect(await api.refusal('GET', '/api/groups')).toEqual(refused(429));
});
