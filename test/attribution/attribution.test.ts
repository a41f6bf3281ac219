// `drift` says who caused a difference, as far as the account's audit log tells.
import { describe, expect, test } from 'vitest';
import { applyFiles, asWritten, attributions, type Call, found, namedIn, team } from './team.ts';

const FILES = `
groups: [{ name: crew }, { name: stores }, { name: spare }]
posture_checks:
  - { name: recent, description: as agreed, checks: { nb_version_check: { min_version: 1.2.0 } } }
policies:
  - name: reach
    description: ours
    rules: [{ name: sql, sources: [crew], destinations: [stores], protocol: tcp, ports: ["5432"] }]
networks:
  - name: office
    resources: [{ name: db, address: 10.0.0.5, groups: [stores] }]
    routers: [{ peer_groups: [crew], metric: 100, masquerade: true }]
setup_keys: [{ name: key, type: reusable, expires_in: 86400, auto_groups: [crew] }]
service_users: [{ name: robot, role: user, auto_groups: [crew] }]
`;

const change = async (call: Call, path: string, name: string, more: object) => {
  const object = await found(call, path, name);
  await call('PUT', `${path}/${object.id}`, asWritten({ ...object, ...more }));
};
const remove = async (call: Call, path: string, name: string) =>
  call('DELETE', `${path}/${(await found(call, path, name)).id}`);

describe('one person', () => {
  test('the editor of an object is named, with the time and the activity', () =>
    team(async world => {
      await applyFiles(world, FILES);
      const [ada] = world.people;
      await change(ada.call, '/api/policies', 'reach', { description: 'theirs' });
      const reported = await attributions(world);
      expect(reported.get('policy.reach')).toMatchObject({
        confidence: 'exact',
        activity: 'policy.update',
        by: { email: 'ada@example.com' },
        when: expect.stringMatching(/^2026-11-02T08:/),
      });
    }));

  test('the user who deleted or renamed an object is found by its name', () =>
    team(async world => {
      await applyFiles(world, FILES);
      const [ada, bob, cyd] = world.people;
      await remove(ada.call, '/api/policies', 'reach');
      await change(bob.call, '/api/groups', 'spare', { name: 'extra' });
      await change(cyd.call, '/api/posture-checks', 'recent', { name: 'older' });
      const reported = await attributions(world);
      expect(reported.get('policy.reach')).toMatchObject({
        confidence: 'exact',
        by: { email: ada.email },
      });
      expect(reported.get('group.spare')).toMatchObject({
        confidence: 'exact',
        by: { email: bob.email },
      });
      expect(reported.get('posture_check.recent')).toMatchObject({
        confidence: 'exact',
        by: { email: cyd.email },
        activity: 'posture.check.update',
      });
    }));
});

test('neither of two people is named as the cause', () =>
  team(async world => {
    await applyFiles(world, FILES);
    const [ada, bob] = world.people;
    await change(ada.call, '/api/policies', 'reach', { description: 'a' });
    await change(bob.call, '/api/policies', 'reach', { description: 'b' });
    const reach = (await attributions(world)).get('policy.reach');
    expect(reach).toBeDefined();
    expect(reach).toMatchObject({ confidence: 'window', by: null, when: null, activity: null });
    expect(reach && namedIn(reach)).toEqual([bob.email, ada.email]);
  }));

test('the reason is reported, and drift is still drift, if the log may not be read or does not exist', () =>
  team(async world => {
    await applyFiles(world, FILES);
    const [ada] = world.people;
    await change(ada.call, '/api/policies', 'reach', { description: 'a' });
    const refusals: readonly [number, string][] = [
      [403, 'the token may not read the audit log'],
      [404, 'the server has no audit log'],
    ];
    for (const [status, reason] of refusals) {
      await world.account.fault({
        method: 'GET',
        path: '/api/events/audit',
        effect: 'status',
        status,
      });
      expect((await attributions(world)).get('policy.reach')).toEqual({
        address: 'policy.reach',
        confidence: 'none',
        reason,
        by: null,
        when: null,
        activity: null,
      });
    }
  }));

test('a change that the log does not show has no author, even if somebody changed the object otherwise', () =>
  team(async world => {
    await applyFiles(world, FILES);
    const [ada, bob] = world.people;
    const { id } = await found(ada.call, '/api/networks', 'office');
    await change(bob.call, `/api/networks/${id}/resources`, 'db', {});
    await change(ada.call, '/api/groups', 'stores', { resources: [] });
    const reported = (await attributions(world)).get('network_resource.office/db');
    expect(reported?.confidence).toBe('none');
    expect(reported?.reason).toContain('through the group');
  }));
