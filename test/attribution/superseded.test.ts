// What a run of meshform wrote after an event is not the doing of that event; nor is what may be older than the window.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/value.ts';
import { applyFiles, asWritten, attributions, type Call, found, type Team, team } from './team.ts';

const FILES = `
groups: [{ name: crew, peers: [] }, { name: stores }]
policies:
  - name: p1
    description: ours
    enabled: true
    rules: [{ name: r, sources: [crew], destinations: [stores], protocol: tcp, ports: ["22"] }]
  - name: p2
    description: ours
    enabled: true
    rules: [{ name: r, sources: [crew], destinations: [stores], protocol: tcp, ports: ["22"] }]
`;
const PATH = '/api/policies';

const change = async (call: Call, name: string, more: object) => {
  const object = await found(call, PATH, name);
  await call('PUT', `${PATH}/${object.id}`, asWritten({ ...object, ...more }));
};
const bodyOf = ({ id: _, ...policy }: JsonObject) => asWritten(policy);

/** Deletes a policy and adds the same again, with these differences. */
async function readd(call: Call, name: string, more: object = {}): Promise<void> {
  const object = await found(call, PATH, name);
  await call('DELETE', `${PATH}/${object.id}`);
  await call('POST', PATH, { ...Object(bodyOf(object)), ...more });
}

/** Applies the files, and lets somebody join as a pipeline. */
async function begin(world: Team) {
  const ci = await world.join('ci');
  await applyFiles(world, FILES);
  const [ada, bob, cyd] = world.people;
  return { ada, bob, cyd, ci };
}
const OWN = ['--own', 'ci@example.com'];

describe('a change that our own run overwrote', () => {
  test('is not attributed to the user who added the object before', () =>
    team(async world => {
      const { bob, ci } = await begin(world);
      await readd(bob.call, 'p2');
      await change(ci.call, 'p2', { enabled: false });
      expect((await attributions(world, ...OWN)).get('policy.p2')).toMatchObject({
        confidence: 'none',
        reason: expect.stringContaining('only runs of meshform'),
      });
    }));

  test('is not attributed to the user who added the object that the run renamed', () =>
    team(async world => {
      const { bob, ci } = await begin(world);
      await readd(bob.call, 'p2', { name: 'p3', description: 'theirs' });
      await change(ci.call, 'p3', { name: 'p2' });
      expect((await attributions(world, ...OWN)).get('policy.p2')).toMatchObject({
        confidence: 'none',
        reason: expect.stringContaining('only runs of meshform'),
      });
    }));

  test('is attributed only to the user who changed it afterwards', () =>
    team(async world => {
      const { ada, bob } = await begin(world);
      await readd(bob.call, 'p2', { description: 'theirs' });
      world.pass(600_000);
      expect((await world.run(['apply', '--yes'])).code).toBe(0);
      world.pass(600_000);
      await change(ada.call, 'p2', { enabled: false });
      const reported = (await attributions(world)).get('policy.p2');
      expect(reported).toMatchObject({ confidence: 'exact', by: { email: ada.email } });
      const own = (await attributions(world, '--own', ada.email)).get('policy.p2');
      expect(own).toMatchObject({ confidence: 'none', by: null });
    }));

  test('is not attributed to the user who removed a member before the run renamed the group', () =>
    team(async world => {
      await world.account.enrol('machine');
      const ci = await world.join('ci');
      await applyFiles(world, 'groups: [{ name: crew, peers: [machine] }]');
      const [, bob] = world.people;
      const { id: machine = '' } = await found(bob.call, '/api/peers', 'machine');
      const other = Object(
        await bob.call('POST', '/api/groups', { name: 'other', peers: [machine] }),
      );
      const crew = await found(bob.call, '/api/groups', 'crew');
      await bob.call('PUT', `/api/groups/${crew.id}`, { name: 'former', peers: [] });
      await bob.call('PUT', `/api/groups/${other.id}`, { name: 'other', peers: [] });
      await ci.call('PUT', `/api/groups/${other.id}`, { name: 'crew', peers: [] });
      const reported = (await attributions(world, ...OWN)).get('group.crew');
      expect(reported).toMatchObject({ confidence: 'none' });
    }));

  test('is attributed to the user who deleted it', () =>
    team(async world => {
      const { bob, ci } = await begin(world);
      await change(ci.call, 'p2', { enabled: false });
      const object = await found(bob.call, PATH, 'p2');
      await bob.call('DELETE', `${PATH}/${object.id}`);
      const reported = (await attributions(world, ...OWN)).get('policy.p2');
      expect(reported).toMatchObject({ confidence: 'exact', by: { email: bob.email } });
    }));
});

describe('a rename', () => {
  test('is attributed to the user who renamed the object, not to a later editor', () =>
    team(async world => {
      const { ada, bob } = await begin(world);
      await change(ada.call, 'p2', { name: 'p9' });
      const since = new Date(world.pass(60_000)).toISOString();
      world.pass(60_000);
      await change(bob.call, 'p9', { description: 'theirs' });
      const reported = (await attributions(world, '--since', since)).get('policy.p2');
      expect(reported).toMatchObject({ confidence: 'none' });
    }));

  test('is attributed to another person than the deletion of the object that took the name', () =>
    team(async world => {
      const { ada, bob, cyd } = await begin(world);
      await change(bob.call, 'p2', { name: 'p8' });
      const { id } = Object(
        await ada.call('POST', PATH, {
          ...Object(bodyOf(await found(ada.call, PATH, 'p1'))),
          name: 'p5',
        }),
      );
      await change(cyd.call, 'p5', { name: 'p2' });
      await cyd.call('DELETE', `${PATH}/${id}`);
      const reported = (await attributions(world)).get('policy.p2');
      expect(reported).toMatchObject({ confidence: 'window' });
    }));
});

describe('--since', () => {
  test('does not name one person if somebody else changed the object before', () =>
    team(async world => {
      const { ada, bob } = await begin(world);
      await change(ada.call, 'p1', { description: 'theirs' });
      const since = new Date(world.pass(60_000)).toISOString();
      world.pass(60_000);
      await change(bob.call, 'p1', { enabled: false });
      const reported = (await attributions(world, '--since', since)).get('policy.p1');
      expect(reported).toMatchObject({
        confidence: 'window',
        by: null,
        candidates: [{ by: { email: bob.email } }],
        reason: expect.stringContaining('others changed the object before'),
      });
    }));

  test('still names the editor if only a meshform run changed the object before', () =>
    team(async world => {
      const { bob } = await begin(world);
      const since = new Date(world.pass(60_000)).toISOString();
      world.pass(60_000);
      await change(bob.call, 'p1', { enabled: false });
      const reported = (await attributions(world, '--since', since)).get('policy.p1');
      expect(reported).toMatchObject({ confidence: 'exact', by: { email: bob.email } });
    }));

  test('says if there are no events', () =>
    team(async world => {
      const { bob } = await begin(world);
      await change(bob.call, 'p1', { enabled: false });
      world.pass(60_000);
      expect((await attributions(world, '--since', '0d')).get('policy.p1')).toMatchObject({
        confidence: 'none',
        reason: expect.stringMatching(/^the audit log has no events since 2026-11-02T\S+Z$/),
      });
    }));

  test('a future time for --since is refused, with a valid example', () =>
    team(async world => {
      await world.write('network.yaml', FILES);
      for (const time of ['2027-01-01', '2026-11-02T09:00:00Z']) {
        const ended = await world.run(['drift', '--since', time]);
        expect(ended.code).toBe(64);
        expect(ended.stderr).toContain(`\`${time}\` of --since is in the future`);
        expect(ended.stderr).toContain('such as 2h or 7d');
      }
    }));
});
