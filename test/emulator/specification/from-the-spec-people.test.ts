// Drives the emulator by nothing but the specification: people, what lets them in, and what machines enrol with.
import { describe, expect, it } from 'vitest';
import { client, ERROR, SUCCESS } from './spec-client.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

describe('tokens', () => {
  it('are shown once, listed without their value, and deleted', async () => {
    const call = await client();
    const { id: user } = (await call('GET', '/api/users/current')).body;
    const path = `/api/users/${user}/tokens`;
    const created = await call('POST', path, { name: 'ci', expires_in: 365 });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: {
        plain_token: expect.any(Object),
        personal_access_token: {
          id: expect.any(String),
          name: 'ci',
          created_by: user,
          expiration_date: TIME,
          created_at: TIME,
        },
      },
    });
    const { id } = Object(created.body.personal_access_token);
    expect((await call('GET', path)).body).toEqual([created.body.personal_access_token]);
    expect((await call('GET', `${path}/${id}`)).body).toMatchObject({ name: 'ci' });
    expect(await call('DELETE', `${path}/${id}`)).toMatchObject({ status: SUCCESS });
    expect(await call('GET', `${path}/${id}`)).toMatchObject({ status: ERROR });
    for (const expires_in of [0, 366])
      expect(await call('POST', path, { name: 'ci', expires_in })).toMatchObject({ status: ERROR });
  });
});

describe('users', () => {
  it('are people or service users; people are blocked and deleted', async () => {
    const call = await client();
    const body = { role: 'user', auto_groups: [] };
    const robot = await call('POST', '/api/users', { ...body, name: 'ci', is_service_user: true });
    expect(robot).toMatchObject({
      status: SUCCESS,
      body: { ...body, name: 'ci', is_service_user: true, is_current: false, is_blocked: false },
    });
    const ada = await call('POST', '/api/users', {
      ...body,
      name: 'Ada',
      email: 'ada@example.com',
      is_service_user: false,
    });
    expect(ada).toMatchObject({ status: SUCCESS, body: { email: 'ada@example.com' } });
    const listed = async (query: string) => {
      const { body: list } = await call('GET', `/api/users${query}`);
      return [list].flat().map(user => Object(user).name);
    };
    expect(await listed('?service_user=true')).toEqual(['ci']);
    expect(await listed('?service_user=false')).toContain('Ada');
    const path = `/api/users/${ada.body.id}`;
    const blocked = await call('PUT', path, { ...body, is_blocked: true });
    expect(blocked).toMatchObject({ status: SUCCESS, body: { is_blocked: true } });
    expect(await call('DELETE', path)).toMatchObject({ status: SUCCESS });
    expect(await listed('')).not.toContain('Ada');
  });

  it('can read their own record, with their permissions', async () => {
    const call = await client();
    const rights = { read: true, create: true, update: true, delete: true };
    expect((await call('GET', '/api/users/current')).body).toMatchObject({
      is_current: true,
      permissions: { is_restricted: false, modules: { networks: rights, peers: rights } },
    });
  });
});

describe('invites', () => {
  it('are pending until they are deleted, and expire', async () => {
    const call = await client();
    const body = { email: 'g@example.com', name: 'Grace', role: 'user', auto_groups: [] };
    const created = await call('POST', '/api/users/invites', { ...body, expires_in: 3600 });
    expect(created).toMatchObject({
      status: SUCCESS,
      body: { ...body, expires_at: TIME, created_at: TIME, expired: false },
    });
    expect(created.body.invite_token).toEqual(expect.any(String));
    await call.control('POST', '/emulator/clock', { advance: 3600 });
    const { id } = created.body;
    expect((await call('GET', '/api/users/invites')).body).toMatchObject([{ id, expired: true }]);
    expect(await call('DELETE', `/api/users/invites/${id}`)).toMatchObject({ status: SUCCESS });
    expect((await call('GET', '/api/users/invites')).body).toEqual([]);
  });
});

describe('setup keys', () => {
  const body = {
    name: 'servers',
    type: 'reusable',
    expires_in: 86_400,
    auto_groups: [],
    usage_limit: 0,
    ephemeral: true,
    allow_extra_dns_labels: true,
  };

  it('show their value once, enrol machines into groups, and are revoked', async () => {
    const call = await client();
    const { id: group } = (await call('POST', '/api/groups', { name: 'servers' })).body;
    const created = await call('POST', '/api/setup-keys', { ...body, auto_groups: [group] });
    const { expires_in: _, ...shown } = body;
    expect(created).toMatchObject({
      status: SUCCESS,
      body: {
        ...shown,
        auto_groups: [group],
        id: expect.any(Number),
        expires: TIME,
        valid: true,
        revoked: false,
        state: 'valid',
        used_times: 0,
        updated_at: TIME,
      },
    });
    const key = String(created.body.key);
    const path = `/api/setup-keys/${created.body.id}`;
    expect((await call('GET', path)).body.key).toMatch(/^[^*]+\*+$/);
    const peer = await call.control('POST', '/emulator/peers', { name: 'web', setup_key: key });
    expect((await call('GET', `/api/groups/${group}`)).body).toMatchObject({
      peers: [{ id: peer.body.id, name: 'web' }],
    });
    expect((await call('GET', path)).body).toMatchObject({ used_times: 1, last_used: TIME });
    const revoked = await call('PUT', path, { revoked: true, auto_groups: [] });
    expect(revoked).toMatchObject({ status: SUCCESS, body: { revoked: true, valid: false } });
    expect(
      await call.control('POST', '/emulator/peers', { name: 'web', setup_key: key }),
    ).toMatchObject({ status: ERROR });
    expect(await call('DELETE', path)).toMatchObject({ status: SUCCESS });
    expect(await call('GET', path)).toMatchObject({ status: ERROR });
  });

  it('are valid for a day to a year', async () => {
    const call = await client();
    for (const expires_in of [86_399, 31_536_001])
      expect(await call('POST', '/api/setup-keys', { ...body, expires_in })).toMatchObject({
        status: ERROR,
      });
  });
});

describe('authentication', () => {
  it('accepts a personal access token that the API created, and nobody without a token', async () => {
    const call = await client();
    const { id } = (await call('GET', '/api/users/current')).body;
    const { body } = await call('POST', `/api/users/${id}/tokens`, { name: 't', expires_in: 1 });
    const [token] = Object.values(Object(body.plain_token));
    expect(await call.as(String(token))('GET', '/api/groups')).toMatchObject({ status: SUCCESS });
    expect(await call.as('nonsense')('GET', '/api/groups')).toMatchObject({ status: ERROR });
  });
});
