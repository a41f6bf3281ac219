// Groups (docs/server-behaviour.md#groups).
import { describe, expect, it } from 'vitest';
import { asSet, type Emulated, emulated, idOf } from '../emulated.ts';

const allId = async (api: Emulated) => {
  const groups = [await api.get('/api/groups')].flat();
  return idOf(groups.find(group => Object(group).name === 'All'));
};

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('shows a group with its members and their counts', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const group = await api.post('/api/groups', {
      name: 'g',
      peers: [peer],
      resources: [{ id: 'r', type: 'host' }],
    });
    expect(group).toEqual({
      id: idOf(group),
      name: 'g',
      issued: 'api',
      peers_count: 1,
      resources_count: 1,
      peers: [{ id: peer, name: 'laptop' }],
      resources: [{ id: 'r', type: 'host' }],
    });
    expect(await api.get(`/api/groups/${idOf(group)}`)).toEqual(group);
  });

  it('shows no members as null or as an empty list', async () => {
    const api = await emulated({ dialect });
    const id = await api.make('/api/groups', { name: 'g' });
    expect(await api.get(`/api/groups/${id}`)).toMatchObject({ peers: empty, resources: empty });
  });

  it('stores unknown peers but never shows them, and shows each once', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const id = await api.make('/api/groups', { name: 'g', peers: ['gone', peer, peer] });
    expect(await api.get(`/api/groups/${id}`)).toMatchObject({
      peers: [{ id: peer }],
      peers_count: 1,
    });
  });

  it('refuses an empty name with a 422', async () => {
    const api = await emulated({ dialect });
    const id = await api.make('/api/groups', { name: 'g' });
    expect(await api.refusal('POST', '/api/groups', { name: '' })).toMatchObject([
      422,
      expect.stringMatching(/name/),
    ]);
    expect(await api.refusal('PUT', `/api/groups/${id}`, { name: '' })).toMatchObject([
      422,
      expect.stringMatching(/name/),
    ]);
  });

  it('refuses a taken name on creation with a 409, All included', async () => {
    const api = await emulated({ dialect });
    await api.make('/api/groups', { name: 'g' });
    expect(await api.refusal('POST', '/api/groups', { name: 'g' })).toEqual([
      409,
      'group with name g already exists',
    ]);
    expect(await api.refusal('POST', '/api/groups', { name: 'All' })).toMatchObject([
      409,
      expect.stringMatching(/all/),
    ]);
  });

  it('accepts a taken name in an update, so that duplicates arise', async () => {
    const api = await emulated({ dialect });
    await api.make('/api/groups', { name: 'a' });
    const id = await api.make('/api/groups', { name: 'b' });
    expect(await api.put(`/api/groups/${id}`, { name: 'a' })).toMatchObject({ id, name: 'a' });
  });

  it('an update replaces every field: an omitted list becomes empty', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const body = { name: 'g', peers: [peer], resources: [{ id: 'r', type: 'host' }] };
    const id = await api.make('/api/groups', body);
    expect(await api.put(`/api/groups/${id}`, { name: 'h' })).toMatchObject({
      id,
      name: 'h',
      issued: 'api',
      peers: empty,
      resources: empty,
    });
  });

  it('answers 404 to an unknown id, before it looks at the body', async () => {
    const api = await emulated({ dialect });
    expect(await api.refusal('GET', '/api/groups/none')).toEqual([404, 'group: none not found']);
    expect(await api.refusal('PUT', '/api/groups/none', '{')).toEqual([
      404,
      'group: none not found',
    ]);
  });

  it('refuses to update All with a 422, before it looks at the body', async () => {
    const api = await emulated({ dialect });
    expect(await api.refusal('PUT', `/api/groups/${await allId(api)}`, '{')).toMatchObject([
      422,
      expect.stringMatching(/all/),
    ]);
  });

  it('lets another group be renamed to All, which then cannot be deleted', async () => {
    const api = await emulated({ dialect });
    await api.enrol('laptop');
    const id = await api.make('/api/groups', { name: 'g' });
    await api.put(`/api/groups/${id}`, { name: 'All' });
    expect(await api.put(`/api/groups/${id}`, { name: 'All' })).toMatchObject({ id });
    expect(await api.refusal('DELETE', `/api/groups/${id}`)).toMatchObject([
      400,
      expect.stringMatching(/ALL/),
    ]);
  });

  it('answers every failed deletion with a 400', async () => {
    const api = await emulated({ dialect });
    expect(await api.refusal('DELETE', '/api/groups/none')).toEqual([400, 'group: none not found']);
    expect(await api.refusal('DELETE', `/api/groups/${await allId(api)}`)).toEqual([
      400,
      'deleting group ALL is not allowed',
    ]);
  });

  it('deletes a group with its peers still in it', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const id = await api.make('/api/groups', { name: 'g', peers: [peer] });
    await api.remove(`/api/groups/${id}`);
    expect(await api.refusal('GET', `/api/groups/${id}`)).toMatchObject([404, expect.any(String)]);
    expect(await api.get(`/api/peers/${peer}`)).toMatchObject({ groups: [{ name: 'All' }] });
  });
});

describe('the list of groups of one name', () => {
  const twins = async (api: Emulated) => {
    const peer = await api.enrol('laptop');
    const small = await api.make('/api/groups', { name: 'a' });
    const large = await api.make('/api/groups', { name: 'b', peers: [peer] });
    await api.put(`/api/groups/${large}`, { name: 'a', peers: [peer] });
    return { small, large };
  };

  it('contains every match under spec, and is empty without a match', async () => {
    const api = await emulated({ dialect: 'spec' });
    const { small, large } = await twins(api);
    const found = [await api.get('/api/groups?name=a')].flat().map(idOf);
    expect(asSet(found)).toEqual(asSet([small, large]));
    expect(await api.get('/api/groups?name=A')).toEqual([]);
  });

  it('contains the largest under netbird, or is a 404', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const { large } = await twins(api);
    expect(await api.get('/api/groups?name=a')).toMatchObject([{ id: large }]);
    expect(await api.refusal('GET', '/api/groups?name=A')).toMatchObject([404, expect.any(String)]);
  });
});
