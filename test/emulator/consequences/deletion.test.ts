// What forbids a deletion, what is deleted along, and what is left pointing nowhere (docs/server-behaviour.md#references,
// docs/server-behaviour.md#cascades).
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../../../src/emulator/index.ts';
import { openAccount, openInstallation } from '../../../src/emulator/store/account.ts';
import { policyBody, resourceBody, routeBody, routerBody, ruleBody } from '../bodies.ts';
import { emulated } from '../emulated.ts';

describe.each(['spec', 'netbird'] as const)('dialect %s', dialect => {
  it('names the objects that refer to a group in the server’s order, one at a time', async () => {
    const store = memoryStore();
    const api = await emulated({ dialect, store });
    const group = await api.make('/api/groups', { name: 'g' });
    const network = await api.make('/api/networks', { name: 'n' });
    const router = await api.make(
      `/api/networks/${network}/routers`,
      routerBody({ peer_groups: [group] }),
    );
    const owner = store.transaction(rows => {
      const [account] = openInstallation(rows).accounts.all();
      const { users } = openAccount(rows, account?.id ?? '');
      for (const user of users.all()) users.put({ ...user, auto_groups: [group] });
      return users.all()[0]?.id;
    });
    const policy = await api.make(
      '/api/policies',
      policyBody([ruleBody({ destinations: [group] })]),
    );
    const route = await api.make(
      '/api/routes',
      routeBody({ network_id: 'r1', network: '10.0.0.0/8', peer: '', groups: [group] }),
    );
    const resource = await api.make(
      `/api/networks/${network}/resources`,
      resourceBody({ groups: [group] }),
    );

    const why = () => api.refusal('DELETE', `/api/groups/${group}`);
    const linked = (to: string) => [400, `group has been linked to ${to}`];
    expect(await why()).toEqual(linked(`network resource: ${resource}`));
    await api.remove(`/api/networks/${network}/resources/${resource}`);
    expect(await why()).toEqual(linked('route: r1'));
    await api.remove(`/api/routes/${route}`);
    expect(await why()).toEqual(linked('policy: policy'));
    await api.remove(`/api/policies/${policy}`);
    expect(await why()).toEqual(linked(`user: ${owner}`));
    store.transaction(rows => {
      const [account] = openInstallation(rows).accounts.all();
      const { users } = openAccount(rows, account?.id ?? '');
      for (const user of users.all()) users.put({ ...user, auto_groups: [] });
    });
    expect(await why()).toEqual(linked(`network router: ${router}`));
    await api.remove(`/api/networks/${network}/routers/${router}`);
    await api.remove(`/api/groups/${group}`);
  });

  it.each(['groups', 'peer_groups', 'access_control_groups'])(
    'keeps a group that a route has in %s',
    async field => {
      const api = await emulated({ dialect });
      const group = await api.make('/api/groups', { name: 'g' });
      const other = await api.make('/api/groups', { name: 'h' });
      const by = field === 'peer_groups' ? {} : { peer: '' };
      const body = routeBody({ network: '10.0.0.0/8', groups: [other], ...by, [field]: [group] });
      await api.make('/api/routes', body);
      expect(await api.refusal('DELETE', `/api/groups/${group}`)).toEqual([
        400,
        'group has been linked to route: office',
      ]);
    },
  );

  it('deletes a group that only the users of an SSH rule refer to, and leaves the dangling reference', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const rule = ruleBody({ protocol: 'netbird-ssh', authorized_groups: { [group]: ['root'] } });
    const policy = await api.make('/api/policies', policyBody([rule]));
    await api.remove(`/api/groups/${group}`);
    expect(await api.get(`/api/policies/${policy}`)).toMatchObject({
      rules: [{ authorized_groups: { [group]: ['root'] } }],
    });
  });

  it('deletes a group of an integration only for an admin service user', async () => {
    const store = memoryStore();
    const api = await emulated({ dialect, store });
    const id = await api.make('/api/groups', { name: 'g' });
    const change = (role: string, is_service_user: boolean) =>
      store.transaction(rows => {
        const [one] = openInstallation(rows).accounts.all();
        const account = openAccount(rows, one?.id ?? '');
        for (const group of account.groups.all())
          if (group.id === id) account.groups.put({ ...group, issued: 'integration' });
        for (const user of account.users.all())
          account.users.put({ ...user, role, is_service_user });
      });
    change('owner', false);
    expect(await api.refusal('DELETE', `/api/groups/${id}`)).toEqual([
      400,
      expect.stringContaining('service users'),
    ]);
    change('admin', true);
    await api.remove(`/api/groups/${id}`);
  });

  it('deletes resources and routers along with a network, but no policy', async () => {
    const api = await emulated({ dialect });
    const group = await api.make('/api/groups', { name: 'g' });
    const network = await api.make('/api/networks', { name: 'n' });
    const other = await api.make('/api/networks', { name: 'm' });
    const id = await api.make(
      `/api/networks/${network}/resources`,
      resourceBody({ groups: [group] }),
    );
    await api.make(`/api/networks/${network}/routers`, routerBody({ peer_groups: [group] }));
    const stays = await api.make(
      `/api/networks/${other}/resources`,
      resourceBody({ name: 'stays' }),
    );
    const destinationResource = { id, type: 'host' };
    const rule = ruleBody({ destinations: undefined, destinationResource });
    const policy = await api.make('/api/policies', policyBody([rule]));
    await api.remove(`/api/networks/${network}`);
    expect(await api.get(`/api/policies/${policy}`)).toMatchObject({
      rules: [{ destinationResource }],
    });
    expect(await api.get(`/api/networks/${other}`)).toMatchObject({ resources: [stays] });
    await api.remove(`/api/groups/${group}`);
  });

  it('keeps a peer that a router refers to (412)', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const network = await api.make('/api/networks', { name: 'n' });
    const router = await api.make(`/api/networks/${network}/routers`, routerBody({ peer }));
    expect(await api.refusal('DELETE', `/api/peers/${peer}`)).toEqual([
      412,
      `peer is linked to a network router: ${router}`,
    ]);
  });

  it('deletes every policy that refers to the peer itself, and its memberships', async () => {
    const store = memoryStore();
    const api = await emulated({ dialect, store });
    const peer = await api.enrol('laptop');
    const group = await api.make('/api/groups', { name: 'g', peers: [peer] });
    const side = { id: peer, type: 'peer' };
    const named = (more: object) => api.make('/api/policies', policyBody([ruleBody(more)]));
    await named({ sources: undefined, sourceResource: side });
    await named({ destinations: undefined, destinationResource: side });
    const stays = await named({ sources: [group] });
    await api.remove(`/api/peers/${peer}`);
    const left = [await api.get('/api/policies')].flat().map(policy => Object(policy).id);
    expect(left).toHaveLength(2);
    expect(left).toContain(stays);
    const kept = store.transaction(rows => {
      const [account] = openInstallation(rows).accounts.all();
      return openAccount(rows, account?.id ?? '').groups.all();
    });
    expect(kept).toHaveLength(2);
    expect(kept.flatMap(one => one.peers)).toEqual([]);
  });

  it('leaves a route that refers to a deleted peer, which cannot be updated until repaired', async () => {
    const api = await emulated({ dialect });
    const peer = await api.enrol('laptop');
    const groups = [await api.make('/api/groups', { name: 'g' })];
    const body = routeBody({ network: '10.0.0.0/8', peer, groups });
    const id = await api.make('/api/routes', body);
    await api.remove(`/api/peers/${peer}`);
    expect(await api.get(`/api/routes/${id}`)).toMatchObject({ peer });
    const [status] = await api.refusal('PUT', `/api/routes/${id}`, body);
    expect(status).toBe(422);
    const repaired = { ...body, peer: await api.enrol('desk') };
    await api.put(`/api/routes/${id}`, repaired);
  });
});
