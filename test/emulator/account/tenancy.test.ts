// How tenants of a managed service provider join and leave (docs/server-behaviour.md#msp-tenants): the transitions are not
// documented, and follow from the operations.
import { describe, expect, it } from 'vitest';
import { tenantBody } from '../bodies.ts';
import { type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { person } from '../people/people.ts';

const PATH = '/api/integrations/msp/tenants';

const tenantOf = async (api: Emulated, id: string) =>
  [await api.get(PATH)].flat().find(one => Object(one).id === id);

const publish = (api: Emulated, texts: readonly string[]) =>
  api.control('PUT', '/emulator/dns', { domain: tenantBody().domain, texts });

/** Another account, whose owner has an email of that domain. */
async function neighbour(api: Emulated, domain: string) {
  const email = `owner@${domain}`;
  const { id, owner, token } = Object(await api.control('POST', '/emulator/accounts', { email }));
  return { id: String(id), owner: String(owner), as: `Token ${token}` };
}

/** A tenant whose domain another account has, and that account. */
async function existing(api: Emulated) {
  const other = await neighbour(api, tenantBody().domain);
  const id = await api.make(PATH, tenantBody());
  return { id, path: `${PATH}/${id}`, other };
}

const answer = (api: Emulated, path: string, value: string, as: string) =>
  api.call('PUT', `${path}/invite`, { value }, as);

describe('MSP tenant: pending', () => {
  it('POST dns, the challenge is in the DNS: active, with its own account', async () => {
    const api = await emulated();
    const { id, dns_challenge } = Object(await api.post(PATH, tenantBody()));
    await publish(api, ['something else', dns_challenge]);
    const path = `${PATH}/${id}/dns`;
    expect(await api.post(path, {})).toEqual({});
    expect(await tenantOf(api, id)).toMatchObject({
      status: 'active',
      activated_at: expect.not.stringMatching(/^0001/),
    });
    expect(await api.control('GET', '/emulator/accounts')).toHaveLength(2);
    // Once is enough.
    expect(await api.post(path, {})).toEqual({});
    expect(await api.control('GET', '/emulator/accounts')).toHaveLength(2);
  });

  it('POST dns, the challenge is not in the DNS: pending still, a 501 with the challenge', async () => {
    const api = await emulated();
    const { id, dns_challenge } = Object(await api.post(PATH, tenantBody()));
    await publish(api, ['something else']);
    expect(await api.call('POST', `${PATH}/${id}/dns`)).toMatchObject({
      status: 501,
      body: { dns_challenge },
    });
    expect(await tenantOf(api, id)).toMatchObject({ status: 'pending' });
  });

  it('POST invite: refused, because there is nobody to invite', async () => {
    const api = await emulated();
    const id = await api.make(PATH, tenantBody());
    expect(await api.refusal('POST', `${PATH}/${id}/invite`)).toEqual(refused(412));
  });
});

describe('MSP tenant: existing', () => {
  it('is a tenant whose domain an account has already: nothing is left to prove', async () => {
    const api = await emulated();
    const { id, path } = await existing(api);
    expect(await tenantOf(api, id)).toMatchObject({ status: 'existing' });
    expect(await api.refusal('POST', `${path}/dns`)).toEqual(refused(412));
  });

  it('POST invite: invited, and can be repeated', async () => {
    const api = await emulated();
    const { path } = await existing(api);
    for (let n = 0; n < 2; n += 1)
      expect(await api.post(`${path}/invite`, {})).toMatchObject({
        status: 'invited',
        invited_at: expect.not.stringMatching(/^0001/),
      });
  });
});

describe('MSP tenant: invited', () => {
  const invited = async (api: Emulated) => {
    const tenant = await existing(api);
    await api.post(`${tenant.path}/invite`, {});
    return tenant;
  };

  it('PUT invite, accept: active', async () => {
    const api = await emulated();
    const { id, path, other } = await invited(api);
    expect(await answer(api, path, 'accept', other.as)).toMatchObject({ status: 200 });
    expect(await tenantOf(api, id)).toMatchObject({
      status: 'active',
      activated_at: expect.not.stringMatching(/^0001/),
    });
    expect(await answer(api, path, 'decline', other.as)).toMatchObject({ status: 412 });
    expect(await api.refusal('POST', `${path}/invite`)).toEqual(refused(412));
  });

  it('PUT invite, decline: existing again', async () => {
    const api = await emulated();
    const { id, path, other } = await invited(api);
    expect(await answer(api, path, 'decline', other.as)).toMatchObject({ status: 200 });
    expect(await tenantOf(api, id)).toMatchObject({
      status: 'existing',
      invited_at: expect.stringMatching(/^0001/),
    });
  });

  it('is answered only by the owner of the invited account', async () => {
    const api = await emulated();
    const { path, other } = await invited(api);
    const stranger = await neighbour(api, 'stranger.example');
    expect(await answer(api, path, 'accept', stranger.as)).toMatchObject({ status: 404 });
    expect(await answer(api, path, 'accept', `Token ${api.token}`)).toMatchObject({ status: 404 });
    const admin = Object(
      await api.control('POST', `/emulator/users?account=${other.id}`, {
        email: 'admin@x.example',
        role: 'admin',
      }),
    );
    const { token } = Object(
      await api.control('POST', `/emulator/tokens?account=${other.id}`, { user_id: admin.id }),
    );
    expect(await answer(api, path, 'accept', `Token ${token}`)).toMatchObject({ status: 403 });
    expect(await answer(api, path, 'perhaps', other.as)).toMatchObject({ status: 422 });
  });
});

describe('MSP tenant: any', () => {
  it('POST subscription: another price, which is not shown', async () => {
    const api = await emulated();
    const { id, updated_at: _, ...before } = Object(await api.post(PATH, tenantBody()));
    const path = `${PATH}/${id}/subscription`;
    expect(await api.post(path, { priceID: 'price_1' })).toEqual({});
    expect(await tenantOf(api, id)).toMatchObject(before);
    expect(JSON.stringify(await api.get(PATH))).not.toContain('price');
    expect(await api.refusal('POST', path, { priceID: '' })).toEqual(refused(422));
  });

  it('POST unlink: the tenant no longer exists, and its account has the named owner', async () => {
    const api = await emulated();
    const { id, path, other } = await existing(api);
    await api.post(`${path}/invite`, {});
    await answer(api, path, 'accept', other.as);
    const heir = Object(
      await api.control('POST', `/emulator/users?account=${other.id}`, {
        email: 'heir@x.example',
        role: 'user',
      }),
    );
    const robot = await api.call(
      'POST',
      '/api/users',
      { name: 'ci', role: 'admin', auto_groups: [], is_service_user: true },
      other.as,
    );
    for (const owner of ['none', idOf(robot.body)])
      expect(await api.refusal('POST', `${path}/unlink`, { owner })).toEqual(refused(422));
    expect(await api.post(`${path}/unlink`, { owner: heir.id })).toEqual({});
    expect(await tenantOf(api, id)).toBeUndefined();
    const { body } = await api.call('GET', '/api/users', undefined, other.as);
    const roles = [body].flat().map(user => [Object(user).id, Object(user).role]);
    expect(roles).toContainEqual([heir.id, 'owner']);
    expect(roles).toContainEqual([other.owner, 'admin']);
  });

  it('POST unlink before it was active needs one of its own users, and changes nobody', async () => {
    const api = await emulated();
    const id = await api.make(PATH, tenantBody());
    const ada = await person(api, 'user');
    await api.post(`${PATH}/${id}/unlink`, { owner: ada.id });
    expect(await api.get(PATH)).toEqual([]);
    const users = [await api.get('/api/users')].flat().map(user => Object(user));
    expect(users.find(user => user.id === ada.id)).toMatchObject({ role: 'user' });
  });
});
