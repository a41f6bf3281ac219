// The events of particular changes (docs/server-behaviour.md#events-of-an-operation,
// docs/server-behaviour.md#writes-without-an-event).
import { describe, expect, it } from 'vitest';
import {
  checkBody,
  peerBody,
  policyBody,
  resourceBody,
  ruleBody,
  setupKeyBody,
  userUpdate,
} from '../bodies.ts';
import { emulated } from '../emulated.ts';
import { codes, reported } from '../events.ts';
import { owner, person } from '../people/people.ts';

describe('the audit log', () => {
  it('a group has an event for every peer that is added or removed, and for a new name alone', async () => {
    const api = await emulated();
    const one = await api.enrol('one');
    const two = await api.enrol('two');
    const made = await reported(api, () => api.post('/api/groups', { name: 'g', peers: [one] }));
    expect(codes(made)).toEqual(['group.add', 'peer.group.add']);
    const id = String(made.find(event => event.activity_code === 'group.add')?.target_id);
    const path = `/api/groups/${id}`;
    const swapped = await reported(api, () => api.put(path, { name: 'g', peers: [two] }));
    expect(swapped.map(event => [event.activity_code, event.target_id]).toSorted()).toEqual([
      ['peer.group.add', two],
      ['peer.group.delete', one],
    ]);
    expect(swapped[0]?.meta).toMatchObject({ group: 'g', group_id: id });
    const renamed = await reported(api, () => api.put(path, { name: 'h', peers: [two] }));
    expect(renamed).toMatchObject([{ meta: { old_name: 'g', new_name: 'h' } }]);
    const resources = [{ id: 'r', type: 'host' }];
    const body = { name: 'h', peers: [two], resources };
    expect(await reported(api, () => api.put(path, body))).toEqual([]);
  });

  it('a resource has events of the groups it joins and leaves', async () => {
    const api = await emulated();
    const group = await api.make('/api/groups', { name: 'g' });
    const path = `/api/networks/${await api.make('/api/networks', { name: 'n' })}/resources`;
    const made = await reported(api, () => api.post(path, resourceBody({ groups: [group] })));
    expect(codes(made)).toEqual(['network.resource.create', 'resource.group.add']);
    const joined = made.find(event => event.activity_code === 'resource.group.add');
    expect(joined).toMatchObject({
      target_id: group,
      meta: { name: 'g', id: group, resource_name: 'orders-db', resource_type: 'host' },
    });
    const item = `${path}/${joined?.meta.resource_id}`;
    const left = await reported(api, () => api.put(item, resourceBody()));
    expect(codes(left)).toEqual(['network.resource.update', 'resource.group.delete']);
  });

  it('an unchanged update has an event, except of policies, groups, keys and users', async () => {
    const api = await emulated();
    const network = await api.make('/api/networks', { name: 'n' });
    const check = checkBody({ nb_version_check: { min_version: '1' } });
    const always: readonly [string, object][] = [
      [`/api/networks/${network}`, { name: 'n' }],
      [`/api/posture-checks/${await api.make('/api/posture-checks', check)}`, check],
    ];
    for (const [path, body] of always) {
      expect(await reported(api, () => api.put(path, body)), path).toHaveLength(1);
    }
    const { id: policyId, ...policy } = Object(
      await api.post('/api/policies', policyBody([ruleBody()])),
    );
    const ada = await person(api, 'user');
    const never: readonly [string, object][] = [
      [`/api/policies/${policyId}`, policy],
      [`/api/groups/${await api.make('/api/groups', { name: 'g' })}`, { name: 'g' }],
      [
        `/api/setup-keys/${await api.make('/api/setup-keys', setupKeyBody())}`,
        { revoked: false, auto_groups: [] },
      ],
      [`/api/users/${ada.id}`, userUpdate()],
    ];
    for (const [path, body] of never)
      expect(await reported(api, () => api.put(path, body)), path).toEqual([]);
  });

  it('a peer has events of each flag with its address, and of its name and address with its id', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const id = await api.enrol('laptop', { user_id: ada.id });
    const { ip } = Object(await api.get(`/api/peers/${id}`));
    const body = peerBody({ name: 'desk', ssh_enabled: true });
    const news = await reported(api, () => api.put(`/api/peers/${id}`, body));
    expect(news.map(event => [event.activity_code, event.target_id]).toSorted()).toEqual([
      ['peer.inactivity.expiration.disable', ip],
      ['peer.login.expiration.disable', ip],
      ['peer.rename', id],
      ['peer.ssh.enable', ip],
    ]);
    expect(news[0]?.meta).toMatchObject({ name: 'desk', fqdn: 'desk.netbird.selfhosted', ip });
  });

  it('a policy that is deleted with a peer is reported as the peer', async () => {
    const api = await emulated();
    const id = await api.enrol('laptop');
    const rule = ruleBody({ sources: undefined, sourceResource: { id, type: 'peer' } });
    await api.make('/api/policies', policyBody([rule], { name: 'p' }));
    const news = await reported(api, () => api.remove(`/api/peers/${id}`));
    expect(news.map(event => [event.activity_code, event.target_id])).toEqual([
      ['policy.delete', id],
      ['user.peer.delete', id],
    ]);
    expect(news[0]?.meta).toEqual({ name: 'p' });
  });

  it('the deletion of a user is reported with the person who deleted their peers', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    await api.enrol('laptop', { user_id: ada.id });
    const news = await reported(api, () => api.remove(`/api/users/${ada.id}`));
    const by = news.map(event => [event.activity_code, event.initiator_id]);
    const { id } = await owner(api);
    expect(by).toEqual([
      ['user.peer.delete', ada.id],
      ['user.delete', id],
    ]);
  });

  it('the initiator of an enrolment is the user, the key, or the user for whom the machine is enrolled', async () => {
    const api = await emulated();
    const ada = await person(api, 'user');
    const { id, key } = Object(await api.post('/api/setup-keys', setupKeyBody({ name: 'k' })));
    const news = await reported(api, async () => {
      await api.enrol('by-user', { user_id: ada.id });
      await api.enrol('by-key', { setup_key: key });
    });
    expect(news).toMatchObject([
      { activity_code: 'peer.user.add', initiator_id: ada.id },
      {
        activity_code: 'peer.setupkey.add',
        initiator_id: String(id),
        meta: { setup_key_name: 'k' },
      },
    ]);
  });

  it('block, unblock and a hand-over have separate codes', async () => {
    const api = await emulated();
    const ada = await person(api, 'admin');
    const put = (more: object) =>
      reported(api, () => api.put(`/api/users/${ada.id}`, userUpdate({ role: 'admin', ...more })));
    expect(codes(await put({ is_blocked: true }))).toEqual(['user.block']);
    expect(codes(await put({}))).toEqual(['user.unblock']);
    expect(codes(await put({ role: 'owner' }))).toEqual(['transferred.owner.role']);
  });
});
