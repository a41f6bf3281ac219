// Personal access tokens: whose they are, what they open, and for how long (docs/server-behaviour.md#personal-access-tokens).
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../../src/emulator/ids/secret-tokens.ts';
import { userBody } from '../bodies.ts';
import { type Emulated, emulated, refused } from '../emulated.ts';
import { owner, person, robot, statusFor } from '../people/people.ts';

const BODY = { name: 'ci', expires_in: 30 };
const DAY = 86_400_000;

async function own(api: Emulated) {
  const { id } = await owner(api);
  return `/api/users/${id}/tokens`;
}

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const secretOf = (answer: unknown): string => {
    const { plain_token } = Object(answer);
    return dialect === 'spec' ? plain_token.token : plain_token;
  };

  it('shows a token once, well formed, and stores its digest', async () => {
    const api = await emulated({ dialect });
    const path = await own(api);
    const before = [(await api.get(path)) ?? []].flat().map(one => Object(one).id);
    const made = await api.post(path, BODY);
    expect(isWellFormed('personal', secretOf(made))).toBe(true);
    const { personal_access_token } = Object(made);
    expect(personal_access_token).toEqual({
      id: expect.any(String),
      name: 'ci',
      created_by: (await owner(api)).id,
      expiration_date: expect.any(String),
      created_at: expect.any(String),
    });
    const added = [await api.get(path)].flat().filter(one => !before.includes(Object(one).id));
    expect(added).toEqual([personal_access_token]);
    expect(await api.get(`${path}/${personal_access_token.id}`)).toEqual(personal_access_token);
  });

  it('is valid for a whole number of days, and is refused with a 401 from then on', async () => {
    const api = await emulated({ dialect });
    const path = await own(api);
    const made = await api.post(path, { ...BODY, expires_in: 2 });
    const { created_at, expiration_date } = Object(made).personal_access_token;
    expect(Date.parse(expiration_date) - Date.parse(created_at)).toBe(2 * DAY);
    const as = `Token ${secretOf(made)}`;
    expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(200);
    await api.control('POST', '/emulator/clock', { advance: 2 * 86_400 });
    expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(401);
  });

  it('shows when it was last used, and omits that before', async () => {
    const api = await emulated({ dialect });
    const path = await own(api);
    const made = await api.post(path, BODY);
    const { id } = Object(made).personal_access_token;
    expect(await api.get(`${path}/${id}`)).not.toHaveProperty('last_used');
    await api.call('GET', '/api/groups', undefined, `Token ${secretOf(made)}`);
    expect(await api.get(`${path}/${id}`)).toHaveProperty('last_used', expect.any(String));
  });

  it('is unknown as soon as it is deleted', async () => {
    const api = await emulated({ dialect });
    const path = await own(api);
    const made = await api.post(path, BODY);
    await api.remove(`${path}/${Object(made).personal_access_token.id}`);
    const as = `Token ${secretOf(made)}`;
    expect(await statusFor(api, { as }, 'GET', '/api/groups')).toBe(404);
  });

  it('is in a list that is empty for a user without tokens', async () => {
    const api = await emulated({ dialect });
    const robot = await api.make('/api/users', userBody({ name: 'ci', is_service_user: true }));
    const list = await api.get(`/api/users/${robot}/tokens`);
    expect(list).toEqual(dialect === 'spec' ? [] : null);
  });
});

it('the list of the owner has the token in use under netbird', async () => {
  const api = await emulated({ dialect: 'netbird' });
  const path = await own(api);
  const [first] = [await api.get(path)].flat().map(Object);
  expect(first).toMatchObject({ name: 'setup-token', created_by: (await owner(api)).id });
  expect(first).toHaveProperty('last_used');
  expect(Date.parse(first.expiration_date) - Date.parse(first.created_at)).toBe(365 * DAY);
  await api.remove(`${path}/${first.id}`);
  expect(await api.call('GET', '/api/groups')).toMatchObject({ status: 404 });
});

it('names may repeat, and may not be empty', async () => {
  const api = await emulated();
  const path = await own(api);
  await api.post(path, BODY);
  await api.post(path, BODY);
  expect(await api.get(path)).toHaveLength(2);
  expect(await api.refusal('POST', path, { ...BODY, name: '' })).toEqual(refused(422));
});

describe('the tokens of another user', () => {
  it('are accessible to nobody, the owner included', async () => {
    const api = await emulated();
    const ada = await person(api, 'admin');
    const path = `/api/users/${ada.id}/tokens`;
    expect(await api.refusal('GET', path)).toEqual(refused(403));
    expect(await api.refusal('POST', path, BODY)).toEqual(refused(403));
    expect(await statusFor(api, ada, 'POST', path, BODY)).toBe(200);
  });

  it('are accessible to owner and admin if they are a service user’s', async () => {
    const api = await emulated();
    const ci = await robot(api, 'user');
    const path = `/api/users/${ci.id}/tokens`;
    expect(await api.post(path, BODY)).toMatchObject({ personal_access_token: { name: 'ci' } });
    const admin = await person(api, 'admin');
    expect(await statusFor(api, admin, 'GET', path)).toBe(200);
    const network = await person(api, 'network_admin');
    expect(await statusFor(api, network, 'GET', path)).toBe(403);
  });

  it('are not found under another user', async () => {
    const api = await emulated();
    const one = await robot(api, 'user');
    const other = await robot(api, 'user');
    const made = await api.post(`/api/users/${one.id}/tokens`, BODY);
    const { id } = Object(made).personal_access_token;
    expect(await api.refusal('GET', `/api/users/${other.id}/tokens/${id}`)).toEqual(refused(404));
    expect(await api.refusal('GET', `/api/users/none/tokens/${id}`)).toEqual(refused(404));
  });
});
