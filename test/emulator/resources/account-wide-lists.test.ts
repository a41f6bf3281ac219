// The lists of all resources and of all routers: servers of dialect netbird have them, the specification does not.
import { describe, expect, it } from 'vitest';
import { resourceBody, routerBody } from '../bodies.ts';
import { asSet, emulated } from '../emulated.ts';
import { person, robot, statusFor } from '../people/people.ts';

const LISTS = ['/api/networks/resources', '/api/networks/routers'];

describe('under netbird', () => {
  it('account-wide lists contain the lists of all networks, without the network', async () => {
    const api = await emulated({ dialect: 'netbird' });
    for (const path of LISTS) expect(await api.get(path)).toEqual([]);
    const group = await api.make('/api/groups', { name: 'g' });
    const networks = [];
    for (const name of ['a', 'b', 'c']) {
      const path = `/api/networks/${await api.make('/api/networks', { name })}`;
      await api.make(`${path}/resources`, resourceBody({ name, groups: [group] }));
      await api.make(`${path}/routers`, routerBody({ peer_groups: [group] }));
      networks.push(path);
    }
    for (const child of ['resources', 'routers']) {
      const each = await Promise.all(networks.map(path => api.get(`${path}/${child}`)));
      const all = await api.get(`/api/networks/${child}`);
      expect(asSet(all)).toEqual(asSet(each.flat()));
      expect(JSON.stringify(all)).not.toContain('network');
    }
  });

  it('account-wide lists need the permission to read networks', async () => {
    const api = await emulated({ dialect: 'netbird' });
    const ada = await person(api, 'user');
    const ci = await robot(api, 'user');
    for (const path of LISTS) {
      expect(await statusFor(api, ada, 'GET', path)).toBe(403);
      expect(await statusFor(api, ci, 'GET', path)).toBe(200);
      expect(await statusFor(api, { as: '' }, 'GET', path)).toBe(401);
    }
  });

  it('account-wide lists hide no network: another method means the network with that id', async () => {
    const api = await emulated({ dialect: 'netbird' });
    for (const path of LISTS) {
      const id = path.split('/').at(-1);
      const missing = [404, `network: ${id} not found`];
      expect(await api.refusal('PUT', path, { name: 'n' })).toEqual(missing);
      expect(await api.refusal('DELETE', path)).toEqual(missing);
    }
  });
});

it('the paths of account-wide lists are unknown networks under spec', async () => {
  const api = await emulated({ dialect: 'spec' });
  for (const path of LISTS) {
    const id = path.split('/').at(-1);
    expect(await api.refusal('GET', path)).toEqual([404, `network: ${id} not found`]);
  }
});
