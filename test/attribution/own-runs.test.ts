// Our own runs are nobody's drift: recognised by the journal and its user, by the service user of the token, or by --own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditEntry } from '../../src/api/events/audit.ts';
import { ownEntries } from '../../src/attribution/ownRuns.ts';
import { remoteId } from '../../src/model/names.ts';
import type { Json } from '../../src/model/value.ts';
import { applyFiles, attributions, found, namedIn, type Team, team } from './team.ts';

const files = (description: string) => `
posture_checks:
  - { name: recent, description: ${description}, checks: { nb_version_check: { min_version: 1.2.0 } } }
`;

const change = async (call: Team['people'][0]['call'], description: string) => {
  const { id, ...check } = await found(call, '/api/posture-checks', 'recent');
  await call('PUT', `/api/posture-checks/${id}`, { ...check, description });
};

test('a run repairs a change: only a later editor is named', () =>
  team(async world => {
    const [ada, bob] = world.people;
    await applyFiles(world, files('ours'));
    await change(ada.call, 'a');
    world.pass(600_000);
    expect((await world.run(['apply', '--yes'])).code).toBe(0);
    world.pass(600_000);
    await change(bob.call, 'b');
    const reported = (await attributions(world)).get('posture_check.recent');
    expect(reported).toMatchObject({ confidence: 'exact', by: { email: bob.email } });
  }));

test('edits that the run’s user makes by hand right after it are attributed to the user', () =>
  team(async world => {
    await world.write('network.yaml', files('ours'));
    await world.run(['apply', '--yes']);
    await change(world.account.call, 'by hand');
    const reported = (await attributions(world)).get('posture_check.recent');
    expect(reported).toMatchObject({ confidence: 'exact', by: { email: 'owner@example.com' } });
  }));

describe('edits by hand of what the run updated are attributed to the run’s user', () => {
  const groups = (name: string, more = '') =>
    `groups: [{ name: ${name}, peers: [one, two]${more} }]\n${files('after')}`;
  const prepared = async (world: Team): Promise<void> => {
    for (const name of ['one', 'two', 'three']) await world.account.enrol(name);
    await applyFiles(world, groups('devs').replace('after', 'before'));
    await world.write('network.yaml', groups('developers', ', lifecycle: { was: devs }'));
    world.pass(600_000);
  };
  const empty = async ({ account: { call } }: Team, name: string) => {
    const { id, resources = [] } = await found(call, '/api/groups', name);
    await call('PUT', `/api/groups/${id}`, { name, resources, peers: [] });
  };
  const owner = { confidence: 'exact', by: { email: 'owner@example.com' } };

  test('a second later: a field that the run wrote', () =>
    team(async world => {
      await prepared(world);
      await world.run(['apply', '--yes']);
      world.pass(1_000);
      await change(world.account.call, 'by hand');
      expect((await attributions(world)).get('posture_check.recent')).toMatchObject(owner);
    }));

  test('removing a member from a group that the run renamed', () =>
    team(async world => {
      await prepared(world);
      await world.run(['apply', '--yes']);
      world.pass(1_000);
      await empty(world, 'developers');
      expect((await attributions(world)).get('group.developers')).toMatchObject(owner);
    }));

  test('a change just before the run, even after another run', () =>
    team(async world => {
      await prepared(world);
      await change(world.account.call, 'by hand, before');
      world.pass(5_000);
      await world.run(['apply', '--yes']);
      world.pass(1_000);
      await change(world.account.call, 'by hand, after');
      const reported = (await attributions(world)).get('posture_check.recent');
      expect(reported).toMatchObject(owner);
    }));
});

describe('a run with another token', () => {
  const setUp = async (world: Team): Promise<void> => {
    const robot = await world.join('pipeline');
    await world.write('network.yaml', files('before'));
    const asRobot = { MESHFORM_TOKEN: robot.token };
    await world.run(['apply', '--yes'], { ...asRobot, MESHFORM_JOURNALS: join(world.cwd, 'gone') });
    world.pass(600_000);
    await world.write('network.yaml', files('ours'));
    await world.run(['apply', '--yes'], { ...asRobot, MESHFORM_JOURNALS: join(world.cwd, 'gone') });
    world.pass(600_000);
    const [ada] = world.people;
    await change(ada.call, 'a');
  };

  test('a run without its journal is a candidate as long as its user is unknown', () =>
    team(async world => {
      await setUp(world);
      const all = (await attributions(world)).get('posture_check.recent');
      expect(all?.confidence).toBe('window');
      expect(all && namedIn(all).toSorted()).toEqual(['ada@example.com', 'pipeline@example.com']);
      for (const own of ['pipeline@example.com', 'PIPELINE@example.com', 'pipeline'])
        expect((await attributions(world, '--own', own)).get('posture_check.recent')).toMatchObject(
          {
            confidence: 'exact',
            by: { email: 'ada@example.com' },
          },
        );
      const since = (await attributions(world, '--since', '5m')).get('posture_check.recent');
      expect(since && namedIn(since)).toEqual(['ada@example.com']);
      expect(since).toMatchObject({ confidence: 'window' });
      const both = ['--since', '5m', '--own', 'pipeline'];
      expect((await attributions(world, ...both)).get('posture_check.recent')).toMatchObject({
        confidence: 'exact',
        by: { email: 'ada@example.com' },
      });
      world.pass(1_000);
      const later = await attributions(world, '--since', '0d');
      expect(later.get('posture_check.recent')).toMatchObject({ confidence: 'none' });
    }));
});

describe('log entries with numeric ids', () => {
  const entry = (body: { readonly [name: string]: Json }) =>
    auditEntry({ id: 1, timestamp: '2026-01-01T00:00:00Z', activity_code: 'group.add', ...body });

  test('match ids that are strings', () =>
    expect(
      entry({ initiator_id: 17, target_id: 4, meta: { group_id: 5, on: true } }),
    ).toMatchObject({
      id: '1',
      target: '4',
      by: { id: '17', name: '', email: '' },
      meta: { group_id: '5', on: 'true' },
    }));

  test('are recognised as our own runs', () => {
    const made = entry({ initiator_id: 17, target_id: 4, meta: {} });
    const at = Date.parse('2026-01-01T00:00:00Z');
    const run = { from: at, to: at, created: [remoteId(4)], updates: [], deleted: [] };
    const isOwn = ownEntries([made], { self: null, windows: [run], named: [] });
    const form = { type: 'create', codes: ['group.add'] } as const;
    expect(isOwn(made, form)).toBe(true);
    expect(isOwn(entry({ initiator_id: 18, target_id: 4 }), form)).toBe(false);
    expect(isOwn(entry({ initiator_id: 17, target_id: 9 }), form)).toBe(false);
  });
});

test('the report names people in every format', () =>
  team(async world => {
    await applyFiles(world, files('ours'));
    const [ada] = world.people;
    await change(ada.call, 'a');
    const as = async (format: string) =>
      (await world.run(['drift', '--format', format])).stdout.replaceAll(/T08:\d\d:\d\d\S*Z/g, 'T');
    const cause = 'exact, ada@example.com at 2026-11-02T (posture.check.update)';
    expect(await as('text')).toContain(`      cause: ${cause}\n`);
    expect(await as('junit')).toContain(cause);
    expect(await as('markdown')).toMatch(/^- .*: exact: .*ada.*example\.com.* at .*2026-11-02T/m);
    await writeFile(join(world.cwd, 'network.yaml'), files('ours'));
  }));
