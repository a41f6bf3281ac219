// Drives the emulator by nothing but the specification: what is done to things besides making and changing them, and the
// logs that are only read.
import { describe, expect, it } from 'vitest';
import { client, ERROR, SUCCESS } from './spec-client.ts';

const INVITE = { email: 'g@example.com', name: 'Grace', role: 'user', auto_groups: [] };

describe('users and invites', () => {
  it('a user awaiting approval is approved, or rejected and deleted', async () => {
    const call = await client();
    const join = async (email: string) =>
      (await call.control('POST', '/emulator/users', { email, pending_approval: true })).body.id;
    const good = await join('a@example.com');
    const bad = await join('b@example.com');
    expect(await call('POST', `/api/users/${good}/approve`)).toMatchObject({
      status: SUCCESS,
      body: { id: good, pending_approval: false },
    });
    expect(await call('DELETE', `/api/users/${bad}/reject`)).toMatchObject({ status: SUCCESS });
    const { body } = await call('GET', '/api/users');
    expect([body].flat().map(user => Object(user).id)).not.toContain(bad);
  });

  it('an invite is read and accepted by its token alone; a regenerated one by its new token', async () => {
    const call = await client();
    const openly = call.as('');
    const { id, invite_token } = (await call('POST', '/api/users/invites', INVITE)).body;
    const renewed = await call('POST', `/api/users/invites/${id}/regenerate`, {});
    expect(renewed.body).toEqual({
      invite_token: expect.any(String),
      invite_expires_at: expect.any(String),
    });
    const path = `/api/users/invites/${renewed.body.invite_token}`;
    expect(await openly('GET', `/api/users/invites/${invite_token}`)).toMatchObject({
      status: ERROR,
    });
    expect((await openly('GET', path)).body).toEqual({
      email: INVITE.email,
      name: INVITE.name,
      valid: true,
      expires_at: renewed.body.invite_expires_at,
      invited_by: expect.any(String),
    });
    for (const password of ['Short 1', 'no capital 1!', 'No Digit !!', 'NoSpecial11'])
      expect(await openly('POST', `${path}/accept`, { password })).toMatchObject({ status: ERROR });
    const accepted = await openly('POST', `${path}/accept`, { password: 'Good enough 1' });
    expect(accepted).toMatchObject({ status: SUCCESS, body: { success: true } });
    const { body } = await call('GET', '/api/users?service_user=false');
    expect([body].flat()).toContainEqual(expect.objectContaining({ email: INVITE.email }));
  });
});

describe('peers', () => {
  it('get temporary access to one peer', async () => {
    const call = await client();
    const { id } = (await call.control('POST', '/emulator/peers', { name: 'db' })).body;
    const rules = ['tcp/5432'];
    const guest = await call('POST', `/api/peers/${id}/temporary-access`, {
      name: 'guest',
      wg_pub_key: 'key',
      rules,
    });
    expect(guest).toMatchObject({ status: SUCCESS, body: { name: 'guest', rules } });
    const reached = await call('GET', `/api/peers/${guest.body.id}/accessible-peers`);
    expect(reached.body).toMatchObject([{ id, name: 'db', connected: true }]);
    await call.control('POST', `/emulator/peers/${guest.body.id}/disconnect`);
    expect(await call('GET', `/api/peers/${guest.body.id}`)).toMatchObject({ status: ERROR });
  });

  it('have jobs', async () => {
    const call = await client();
    const { id } = (await call.control('POST', '/emulator/peers', { name: 'db' })).body;
    const parameters = {
      bundle_for: true,
      bundle_for_time: 2,
      log_file_count: 10,
      anonymize: true,
    };
    const path = `/api/peers/${id}/jobs`;
    const workload = { type: 'bundle', parameters };
    expect(await call('POST', path, { workload })).toMatchObject({ status: SUCCESS });
    const [job] = [(await call('GET', path)).body].flat().map(one => Object(one));
    expect(job).toMatchObject({ status: 'pending', completed_at: null, failed_reason: null });
    await call.control('POST', `/emulator/jobs/${job.id}`, { upload_key: 'k' });
    expect((await call('GET', `${path}/${job.id}`)).body).toMatchObject({
      id: job.id,
      status: 'succeeded',
      workload: { ...workload, result: { upload_key: 'k' } },
    });
  });
});

describe('integrations', () => {
  it('directories are synchronised, and log it', async () => {
    const call = await client();
    const path = '/api/integrations/idp-sync-b';
    const { id } = (await call('POST', path, { service_account_key: 'a2V5', customer_id: 'c' }))
      .body;
    const ran = await call('POST', `${path}/${id}/sync`);
    expect(ran).toMatchObject({ status: SUCCESS, body: { result: expect.any(String) } });
    expect((await call('GET', `${path}/${id}/logs`)).body).toEqual([
      {
        id: expect.any(Number),
        level: expect.any(String),
        timestamp: expect.any(String),
        message: expect.any(String),
      },
    ]);
  });

  it('the token of a SCIM integration is regenerated', async () => {
    const call = await client();
    const path = '/api/integrations/scim-idp';
    const made = await call('POST', path, { prefix: 'p', provider: 'generic' });
    const renewed = await call('POST', `${path}/${made.body.id}/token`);
    expect(renewed).toMatchObject({ status: SUCCESS, body: { auth_token: expect.any(String) } });
    expect(renewed.body.auth_token).not.toBe(made.body.auth_token);
    expect((await call('GET', `${path}/${made.body.id}/logs`)).body).toEqual([]);
  });

  it('a tenant is subscribed, proves its domain, and is unlinked', async () => {
    const call = await client();
    const path = '/api/integrations/msp/tenants';
    const { id: user } = (await call('GET', '/api/users/current')).body;
    const body = { name: 't', domain: 'tenant.example', groups: [] };
    const { id } = (await call('POST', path, body)).body;
    const subscription = await call('POST', `${path}/${id}/subscription`, { priceID: 'p' });
    expect(subscription).toMatchObject({ status: SUCCESS });
    expect((await call('POST', `${path}/${id}/dns`)).status).toBe(501);
    expect(await call('POST', `${path}/${id}/unlink`, { owner: user })).toMatchObject({
      status: SUCCESS,
    });
    expect((await call('GET', path)).body).toEqual([]);
  });
});

describe('event logs', () => {
  it.each([
    ['/api/events/network-traffic', 'traffic', 'flow_id'],
    ['/api/events/proxy', 'proxy-logs', 'service_id'],
  ])('%s comes in pages', async (path, control, field) => {
    const call = await client();
    for (const name of ['a', 'b']) await call.control('POST', '/emulator/peers', { name });
    await call.control('POST', `/emulator/${control}`, { count: 25 });
    const { body } = await call('GET', `${path}?page=3&page_size=10`);
    expect(body).toMatchObject({ page: 3, page_size: 10, total_records: 25, total_pages: 3 });
    expect([body.data].flat()).toHaveLength(5);
    expect([body.data].flat()[0]).toHaveProperty(field);
    const none = await call('GET', `${path}?end_date=2001-01-01T00:00:00Z`);
    expect(none.body).toMatchObject({ data: [], total_records: 0 });
  });
});
