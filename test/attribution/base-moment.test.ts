// `--base auto`: what somebody did before the base was recorded has been applied over and caused no difference of today.
import { describe, expect, test } from 'vitest';
import { baseText } from '../../src/base/baseDocument.ts';
import { storeBase } from '../../src/read/git/storeBase.ts';
import { storedBase } from '../../src/read/git/storedBases.ts';
import { git, gitAt } from '../support/git.ts';
import { attributions, found, namedIn, type Team, team } from './team.ts';

const FILES = `
posture_checks:
  - { name: recent, description: ours, checks: { nb_version_check: { min_version: 1.2.0 } } }
`;
const HOUR = 3_600_000;

async function edit({ people }: Team, who: 0 | 1, description: string): Promise<void> {
  const { call } = people[who];
  const { id, ...check } = await found(call, '/api/posture-checks', 'recent');
  await call('PUT', `/api/posture-checks/${id}`, { ...check, description });
}

interface Recording {
  /** Records the base again, now. */
  readonly record: () => Promise<void>;
  /** Leaves only the ref of earlier versions. */
  readonly asBefore: () => void;
}

/** A repository whose files have been applied, and who is named for the drift of the check, at a base recorded when `record` is called. */
const repository = (
  use: (world: Team, at: Recording) => Promise<void>,
  files = FILES,
  machines: readonly string[] = [],
) =>
  team(async world => {
    const { cwd, account } = world;
    for (const name of machines) await account.enrol(name);
    const id = String((await found(account.call, '/api/groups', 'All')).id);
    const place = { folder: cwd, host: { env: process.env } };
    const ref = `refs/meshform-base/${id}/%2E`;
    git(cwd, 'init', '--quiet', '--initial-branch=main');
    await world.write('meshform.yaml', `account: ${id}\n`);
    await world.write('.gitignore', '.meshform\n');
    await world.write('network.yaml', files);
    git(cwd, 'add', '.');
    gitAt(cwd, world.pass(0), 'commit', '--quiet', '--message=the files');
    const applied = await world.run(['apply', '--record-base', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    await use(world, {
      record: async () => {
        const stored = await storedBase(place, ref);
        if (stored === null || 'why' in stored) throw new Error('no base was recorded');
        const recordedAt = world.pass(0);
        const before = stored.commit;
        const base = { ...stored.base, recordedAt: new Date(recordedAt).toISOString() };
        const parents = [base.revision, before];
        const next = { ref, recordedAt, before, parents, text: baseText(base), signature: '' };
        expect(await storeBase(place, next)).toHaveProperty('commit');
      },
      asBefore: () => {
        git(cwd, 'update-ref', '-d', ref);
        git(cwd, 'update-ref', `refs/meshform/${id}`, 'HEAD');
      },
    });
  });

const causeOf = async (world: Team) =>
  (await attributions(world, '--base', 'auto')).get('posture_check.recent');

describe('an editor of a value', () => {
  test('is named if the edit was after the base was recorded, and not if it was before', () =>
    repository(async (world, { record }) => {
      await edit(world, 0, 'by ada');
      world.pass(HOUR);
      await record();
      world.pass(HOUR);
      await edit(world, 1, 'by bob');
      expect(await causeOf(world)).toMatchObject({
        confidence: 'exact',
        by: { email: world.people[1].email },
      });
    }));

  test('is named together with everybody who edited the value after the base was recorded', () =>
    repository(async (world, { record }) => {
      await record();
      world.pass(HOUR);
      await edit(world, 0, 'by ada');
      world.pass(HOUR);
      await edit(world, 1, 'by bob');
      const told = await causeOf(world);
      expect(told).toMatchObject({ confidence: 'window', by: null });
      expect(told && namedIn(told).toSorted()).toEqual(['ada@example.com', 'bob@example.com']);
    }));

  test('is named up to a minute before the base was recorded, because clocks differ', () =>
    repository(async (world, { record }) => {
      await edit(world, 0, 'by ada');
      world.pass(30_000);
      await record();
      expect(await causeOf(world)).toMatchObject({ by: { email: world.people[0].email } });
    }));

  test('is not named if the edit was long before: the difference has no cause', () =>
    repository(async (world, { record }) => {
      await edit(world, 0, 'by ada');
      world.pass(HOUR);
      await record();
      expect(await causeOf(world)).toMatchObject({ confidence: 'none', by: null });
    }));
});

test('a base in the ref of an earlier version was recorded at the time of its commit, which is earlier', () =>
  repository(async (world, { asBefore }) => {
    world.pass(HOUR);
    await edit(world, 0, 'by ada');
    world.pass(HOUR);
    asBefore();
    expect(await causeOf(world)).toMatchObject({ by: { email: world.people[0].email } });
  }));

test('--since overrides the time of the base', () =>
  repository(async (world, { record }) => {
    const before = new Date(world.pass(HOUR)).toISOString();
    await edit(world, 0, 'by ada');
    world.pass(HOUR);
    await record();
    const told = await attributions(world, '--base', 'auto', '--since', before);
    expect(told.get('posture_check.recent')).toMatchObject({
      by: { email: world.people[0].email },
    });
  }));

const deleted = (isBack: boolean) =>
  repository(
    async (world, { record }) => {
      const { call, email } = world.people[0];
      const { id } = await found(call, '/api/peers', 'press');
      await call('DELETE', `/api/peers/${id}`);
      if (isBack) await world.account.enrol('press');
      world.pass(HOUR);
      await record();
      const told = (await attributions(world, '--base', 'auto')).get('peer.press');
      expect(told && namedIn(told)).toContain(email);
      expect(told?.reason ?? '').not.toContain('no event');
    },
    'groups: [{ name: servers, peers: [press] }]\n',
    ['press'],
  );

test('the deletion of a machine before the base was recorded is a cause: a base holds the machine as declared even if it no longer existed', () =>
  deleted(false));

test('the deletion of a machine that enrolled again is a cause', () => deleted(true));
