// Setup keys: what is fixed, what can change, what they let in, and when they are not valid any more
// (docs/server-behaviour.md#setup-keys).
import { describe, expect, it } from 'vitest';
import { setupKeyBody } from '../bodies.ts';
import { type Emulated, emulated, refused } from '../emulated.ts';

const PATH = '/api/setup-keys';
const DAY = 86_400;

const enrol = (api: Emulated, key: string, more: object = {}) =>
  api.call(
    'POST',
    '/emulator/peers',
    { name: 'machine', setup_key: key, ...more },
    `Token ${api.controlsToken}`,
  );

async function newKey(api: Emulated, more: object = {}) {
  const { id, key } = Object(await api.post(PATH, setupKeyBody(more)));
  return { secret: String(key), path: `${PATH}/${id}` };
}

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('is shown once, in full, and masked from then on', async () => {
    const api = await emulated({ dialect });
    const { secret, path } = await newKey(api);
    expect(secret).toMatch(/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
    expect(await api.get(path)).toMatchObject({ key: `${secret.slice(0, 5)}****` });
    expect(JSON.stringify(await api.get(PATH))).not.toContain(secret);
  });

  it('has the id type of its dialect', async () => {
    const api = await emulated({ dialect });
    const { id } = Object(await api.post(PATH, setupKeyBody()));
    expect(typeof id).toBe(dialect === 'spec' ? 'number' : 'string');
    expect(await api.get(`${PATH}/${id}`)).toMatchObject({ id });
  });

  it('begins valid and unused; times that never occurred are the year 1', async () => {
    const api = await emulated({ dialect });
    expect(await api.post(PATH, setupKeyBody())).toMatchObject({
      state: 'valid',
      valid: true,
      revoked: false,
      used_times: 0,
      last_used: '0001-01-01T00:00:00Z',
      ephemeral: false,
      allow_extra_dns_labels: false,
    });
  });

  it('can be used as often as its limit; a one-off key once, whatever the limit', async () => {
    const api = await emulated({ dialect });
    const twice = await newKey(api, { usage_limit: 2 });
    const once = await newKey(api, { type: 'one-off', usage_limit: 0 });
    expect(await api.get(once.path)).toMatchObject({ usage_limit: 1 });
    for (const { secret, path } of [twice, twice, once]) {
      expect(await api.get(path)).toMatchObject({ state: 'valid' });
      expect(await enrol(api, secret)).toMatchObject({ status: 200 });
    }
    for (const [{ secret, path }, used_times] of [[twice, 2] as const, [once, 1] as const]) {
      expect(await api.get(path)).toMatchObject({ state: 'overused', valid: false, used_times });
      expect(await enrol(api, secret)).toMatchObject({ status: 412 });
    }
  });

  it('adds enrolled machines to its groups, and makes them ephemeral', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const { secret } = await newKey(api, { auto_groups: [group], ephemeral: true });
    const { body } = await enrol(api, secret);
    expect(body).toMatchObject({ ephemeral: true, user_id: '' });
    expect(await api.get(`/api/groups/${group}`)).toMatchObject({
      peers: [{ id: Object(body).id }],
    });
  });

  it('lets machines bring DNS labels only if it says so', async () => {
    const api = await emulated({ dialect });
    const labels = { extra_dns_labels: ['build'] };
    const strict = await newKey(api);
    expect(await enrol(api, strict.secret, labels)).toMatchObject({ status: 412 });
    const free = await newKey(api, { allow_extra_dns_labels: true });
    expect(await enrol(api, free.secret, labels)).toMatchObject({ status: 200 });
  });

  it('expires, is revoked, is overused: its state is the first that applies', async () => {
    const api = await emulated({ dialect });
    const { secret, path } = await newKey(api, { usage_limit: 1, expires_in: DAY });
    const state = async () => Object(await api.get(path)).state;
    await enrol(api, secret);
    expect(await state()).toBe('overused');
    await api.put(path, { revoked: true, auto_groups: [] });
    expect(await state()).toBe('revoked');
    await api.control('POST', '/emulator/clock', { advance: DAY });
    expect(await state()).toBe('expired');
  });

  it('can only be revoked, for good, and change its groups', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const { path } = await newKey(api, { name: 'n' });
    const body = { revoked: true, auto_groups: [group], name: 'other', usage_limit: 5 };
    expect(await api.put(path, body)).toMatchObject({
      revoked: true,
      valid: false,
      auto_groups: [group],
      name: 'n',
      usage_limit: 0,
    });
    await api.put(path, body);
    expect(await api.refusal('PUT', path, { ...body, revoked: false })).toEqual(refused(422));
    expect(await api.refusal('PUT', path, { revoked: true })).toEqual(refused(422));
  });

  it.each([
    ['an empty name', { name: '' }],
    ['an unknown type', { type: 'thrice' }],
    ['a one-off key for more than once', { type: 'one-off', usage_limit: 2 }],
    ['an unknown group', { auto_groups: ['none'] }],
    ['a negative end', { expires_in: -1 }],
  ])('is refused with %s', async (_, more) => {
    const api = await emulated({ dialect });
    expect(await api.refusal('POST', PATH, setupKeyBody(more))).toEqual(refused(422));
  });

  it('is refused with the group All, on creation and in an update', async () => {
    const api = await emulated({ dialect });
    const [all] = [await api.get('/api/groups')].flat();
    const auto_groups = [Object(all).id];
    expect(await api.refusal('POST', PATH, setupKeyBody({ auto_groups }))).toEqual(refused(422));
    const { path } = await newKey(api);
    expect(await api.refusal('PUT', path, { revoked: false, auto_groups })).toEqual(refused(422));
  });

  it('keeps its groups from deletion, even when it is invalid', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const { path } = await newKey(api, { auto_groups: [group] });
    await api.put(path, { revoked: true, auto_groups: [group] });
    const answer = await api.refusal('DELETE', `/api/groups/${group}`);
    expect(answer).toEqual([400, 'group has been linked to setup key: build machines']);
    await api.remove(path);
    await api.remove(`/api/groups/${group}`);
  });

  it('keeps enrolled peers when it is deleted, and enrols no more', async () => {
    const api = await emulated({ dialect });
    const { secret, path } = await newKey(api);
    await enrol(api, secret);
    await api.remove(path);
    expect(await api.get('/api/peers')).toHaveLength(1);
    expect(await enrol(api, secret)).toMatchObject({ status: 422 });
  });

  it('may have the name of another key', async () => {
    const api = await emulated({ dialect });
    await newKey(api);
    await newKey(api);
    expect(await api.get(PATH)).toHaveLength(2);
  });
});

it('never expires if the dialect allows creation with 0 seconds', async () => {
  const api = await emulated({ dialect: 'netbird' });
  const { path } = await newKey(api, { expires_in: 0 });
  expect(await api.get(path)).toMatchObject({ expires: '0001-01-01T00:00:00Z', state: 'valid' });
});
