// Networks (docs/server-behaviour.md#networks).
import { describe, expect, it } from 'vitest';
import { policyBody, resourceBody, routerBody, ruleBody } from '../bodies.ts';
import { emulated, idOf } from '../emulated.ts';

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  const empty = dialect === 'spec' ? [] : null;

  it('checks nothing: empty and equal names are accepted', async () => {
    const api = await emulated({ dialect });
    for (const name of ['', '', 'n']) await api.make('/api/networks', { name });
    expect(await api.get('/api/networks')).toHaveLength(3);
  });

  it('replaces name and description, and empties omitted fields', async () => {
    const api = await emulated({ dialect });
    const id = await api.make('/api/networks', { name: 'n', description: 'd' });
    expect(await api.put(`/api/networks/${id}`, { name: 'm' })).toMatchObject({
      id,
      name: 'm',
      description: '',
    });
  });

  it('shows empty lists as null or [], depending on the operation', async () => {
    const api = await emulated({ dialect });
    const created = await api.post('/api/networks', { name: 'n' });
    expect(created).toMatchObject({ routers: [], resources: [], policies: [] });
    const path = `/api/networks/${idOf(created)}`;
    expect(await api.get('/api/networks')).toMatchObject([
      { routers: [], resources: empty, policies: [] },
    ]);
    const alone = { routers: empty, resources: empty, policies: [] };
    expect(await api.get(path)).toMatchObject(alone);
    expect(await api.put(path, { name: 'n' })).toMatchObject(alone);
  });

  it('computes its lists and counts its routing peers, those in two groups twice', async () => {
    const api = await emulated({ dialect });
    const one = await api.enrol('one');
    const two = await api.enrol('two');
    const a = await api.make('/api/groups', { name: 'a', peers: [one, two] });
    const b = await api.make('/api/groups', { name: 'b', peers: [one] });
    const id = await api.make('/api/networks', { name: 'n' });
    const resource = await api.make(`/api/networks/${id}/resources`, resourceBody());
    const router = await api.make(`/api/networks/${id}/routers`, routerBody({ peer: one }));
    const other = await api.make(
      `/api/networks/${id}/routers`,
      routerBody({ peer_groups: [a, b] }),
    );
    expect(await api.get(`/api/networks/${id}`)).toMatchObject({
      resources: [resource],
      routers: expect.arrayContaining([router, other]),
      routing_peers_count: 4,
    });
  });

  it('lists the enabled policies that lead to a resource, by group or by name', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const id = await api.make('/api/networks', { name: 'n' });
    const resource = await api.make(
      `/api/networks/${id}/resources`,
      resourceBody({ groups: [group] }),
    );
    const policy = (rule: object, more: object = {}) =>
      api.make('/api/policies', policyBody([ruleBody(rule)], more));
    const byGroup = await policy({ destinations: [group] });
    const byName = await policy({
      destinations: undefined,
      destinationResource: { id: resource, type: 'host' },
    });
    await policy({ destinations: [group] }, { enabled: false });
    await policy({ destinations: [group], enabled: false });
    await policy({ sources: [group] });
    expect(await api.get(`/api/networks/${id}`)).toMatchObject({
      policies: expect.toSatisfy(
        list => new Set(list).size === 2 && [byGroup, byName].every(one => list.includes(one)),
      ),
    });
  });

  it('answers 404 to an unknown id', async () => {
    const api = await emulated({ dialect });
    for (const [method, body] of [['GET'], ['PUT', { name: 'n' }], ['DELETE']] as const)
      expect(await api.refusal(method, '/api/networks/none', body)).toEqual([
        404,
        'network: none not found',
      ]);
  });
});
