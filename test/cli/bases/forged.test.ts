// Commits that somebody with push rights makes of documents that an apply has signed.
import { describe, expect, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf } from '../../support/cli.ts';
import { forgedBase } from '../../support/forgedBase.ts';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, PRUNE, type Teams, teams } from './teams.ts';

const refOf = ({ id }: Teams, name = 'net') => `refs/meshform-base/${id}/${name}`;
const commitAt = (all: Teams, name?: string) => git(all.cwd, 'rev-parse', refOf(all, name)).trim();
const put = (all: Teams, commit: string, name?: string) =>
  git(all.cwd, 'update-ref', refOf(all, name), commit);

/** Applies `victim`, then files without it; somebody else creates it again. Resolves to the commits of both bases. */
async function twoApplies(all: Teams): Promise<{ readonly older: string; readonly newer: string }> {
  const { id, account, apply, commit } = all;
  await commit(groupsIn('net', id, ['a', 'victim']));
  expectCode(await apply('net'), 0);
  const older = commitAt(all);
  await commit(groupsIn('net', id, ['a', 'b']));
  expectCode(await apply('net'), 0);
  await account.call('POST', '/api/groups', { name: 'victim' });
  return { older, newer: commitAt(all) };
}

test('a restored older base is refused, whatever the parents of its commit are', () =>
  teams(async all => {
    const { older, newer } = await twoApplies(all);
    const revision = `${older}^1`;
    const forgeries = [[newer], [revision, newer], [older, newer], [newer, revision]].map(parents =>
      forgedBase(all.cwd, { of: older, parents }),
    );
    for (const forged of forgeries) {
      put(all, forged);
      const refused = await all.apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('somebody may have restored an older base');
    }
    const plan = await all.run(['plan', 'net', '--base', 'auto', ...PRUNE]);
    expect(plan.stderr).toContain('BASE_OLDER');
    put(all, newer);
    expectCode(await all.apply('net'), 0);
    expect(await all.names('/api/groups')).toContain('victim');
  }));

describe.concurrent('a base copied to the ref of', () => {
  test('another folder is refused', () =>
    teams(async all => {
      const { id, apply, commit, names } = all;
      await commit({ ...groupsIn('net', id, ['a', 'b']), ...groupsIn('app', id, ['c']) });
      expectCode(await apply('net'), 0);
      expectCode(await apply('app', ['--first']), 0);
      put(all, commitAt(all), 'app');
      await commit(groupsIn('net', id, ['a']));
      const refused = await apply('app');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('it is the base of `net`');
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'c']);
    }));

  test('another account is refused, even with the same folder and the same key', () =>
    teams(async all => {
      const { id, apply, commit, names } = all;
      const key = { MESHFORM_SIGNING_KEY: 'one key for both accounts' };
      const other = await startAccount({ seed: 2 });
      try {
        const [everybody] = (await other.call('GET', '/api/groups')) as { id: string }[];
        const theirs = everybody?.id ?? '';
        await commit(groupsIn('net', theirs, ['a', 'victim']));
        expectCode(await apply('net', [], { ...key, ...environmentOf(other) }), 0);
        const moved = git(all.cwd, 'rev-parse', `refs/meshform-base/${theirs}/net`).trim();
        await commit(groupsIn('net', id, ['a']));
        await all.account.call('POST', '/api/groups', { name: 'victim' });
        put(all, moved);
        const refused = await apply('net', [], key);
        expectCode(refused, 3);
        expect(refused.stderr).toContain(`of the account \`${theirs}\``);
        expect(await names('/api/groups')).toContain('victim');
      } finally {
        await other.close();
      }
    }));
});

test('the newest document means the same in every commit', { tags: 'variation' }, () =>
  teams(async all => {
    const { id, apply, commit, cwd, run } = all;
    await commit(groupsIn('net', id, ['a', 'b', 'c']));
    expectCode(await apply('net'), 0);
    await commit(groupsIn('net', id, ['a', 'b']));
    expectCode(await apply('net'), 0);
    await commit(groupsIn('net', id, ['a']));
    const newest = commitAt(all);
    const planned = async () => {
      const { code, stdout, stderr } = await run(['plan', 'net', '--base', 'auto', ...PRUNE]);
      return [code, stdout.replace(/^\d+ objects? declared.*$/m, ''), stderr];
    };
    const expected = await planned();
    const files = { 'net.yaml': 'groups: [{ name: x }]\n' };
    for (const forgery of [
      { parents: [] },
      { parents: [newest] },
      { parents: [`${newest}^1`, newest] },
      { parents: [`${newest}^2`] },
      { parents: [`${newest}^1`, `${newest}^2`], files },
    ]) {
      put(all, forgedBase(cwd, { of: newest, ...forgery }));
      expect(await planned()).toEqual(expected);
    }
    expectCode(await apply('net'), 0);
    expect(await all.names('/api/groups')).toEqual(['All', 'a']);
  }),
);

test('a base names the previous base by its commit and its digest, and the first base names none', () =>
  teams(async all => {
    const { older } = await twoApplies(all);
    const documentAt = (commit: string) =>
      JSON.parse(git(all.cwd, 'show', `${commit}:base.json`)) as Record<string, unknown>;
    expect(documentAt(older)).not.toHaveProperty('before');
    expect(documentAt(refOf(all)).before).toEqual({
      commit: older,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  }));
