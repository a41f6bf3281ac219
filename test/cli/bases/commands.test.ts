// `base show`, `base adopt` and `base sign`.
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentOf, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, PRUNE, type Teams, teams } from './teams.ts';

describe.concurrent('base show', () => {
  test('shows what was recorded, and whether it is signed with a key of this run', () =>
    teams(async ({ id, run, apply, commit, head }) => {
      await commit({
        ...groupsIn('net', id, ['a', '"${var:X}"'.replaceAll('"', "'")], 'netops'),
      });
      const none = await run(['base', 'show', 'net']);
      expectCode(none, 3);
      expect(none.stderr).toContain('has no base in this clone');
      expectCode(await apply('net', [], { MESHFORM_VAR_X: 'b' }), 0);
      const { stdout } = await run(['base', 'show', 'net']);
      expect(stdout).toContain('net (netops)');
      expect(stdout).toContain(head());
      expect(stdout).toContain('X=b');
      expect(stdout).toMatch(/Signed +yes/);
      expect(stdout).toContain('2 groups');
      expect(stdout).toContain('  group.b');
      const other = await run(['base', 'show', 'net'], { MESHFORM_TOKEN: 'another token' });
      expect(other.stdout).toMatch(/Signed +no/);
      const json = await run(['base', 'show', 'net', '--format', 'json']);
      expect(JSON.parse(json.stdout)).toMatchObject({
        ref: `refs/meshform-base/${id}/netops`,
        verified: true,
        base: { folder: 'net', variables: { X: 'b' }, revision: head() },
      });
    }));
});

describe.concurrent('base adopt', () => {
  test('moves the base of a renamed folder, after it has shown what would be removed', () =>
    teams(async ({ id, cwd, account, run, apply, commit, base, head, names }) => {
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net'), 0);
      const applied = head();
      const early = await run(['base', 'adopt', 'net', 'net', '--yes']);
      expectCode(early, 6);
      await rename(join(cwd, 'net'), join(cwd, 'overlay'));
      await commit(groupsIn('overlay', id, ['b']));
      expectCode(await apply('overlay'), 6);
      const unasked = await run(['base', 'adopt', 'net', 'overlay']);
      expectCode(unasked, 64);
      expect(unasked.stdout).toContain('  group.a');
      const asked = (answer: string) =>
        meshform(['base', 'adopt', 'net', 'overlay'], {
          cwd,
          env: environmentOf(account),
          answer,
        });
      expectCode(await asked('no'), 6);
      expect([base('net'), base('overlay')]).toEqual([applied, '']);
      const moved = await asked('yes');
      expectCode(moved, 0);
      expect(moved.stderr.replaceAll(/\s+/g, ' ')).toContain(
        `git push origin :refs/meshform-base/${id}/net`,
      );
      expect([base('net'), base('overlay')]).toEqual(['', applied]);
      expectCode(await apply('overlay'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }));

  test('moves the base of a folder with a name', { tags: 'variation' }, () =>
    teams(async ({ id, cwd, run, apply, commit, base, names }) => {
      await commit(groupsIn('net', id, ['a', 'b'], 'netops'));
      expectCode(await apply('net'), 0);
      await rename(join(cwd, 'net'), join(cwd, 'overlay'));
      await commit(groupsIn('overlay', id, ['b'], 'netops'));
      expectCode(await apply('overlay'), 6);
      expectCode(await run(['base', 'adopt', 'netops', 'overlay', '--yes']), 0);
      expect(base('netops')).not.toBe('');
      expectCode(await apply('overlay'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }),
  );

  test('takes over the base when a folder gets a name', { tags: 'variation' }, () =>
    teams(async ({ id, run, apply, commit, names }) => {
      await commit({ ...groupsIn('net', id, ['a', 'gone']), ...groupsIn('app', id, ['b']) });
      expectCode(await apply('net'), 0);
      expectCode(await apply('app', ['--first']), 0);
      await commit(groupsIn('net', id, ['a'], 'netops'));
      expectCode(await apply('net'), 6);
      expectCode(await run(['base', 'adopt', 'net', 'net', '--yes']), 0);
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
    }),
  );

  test(
    'is refused while the folder exists, for an unknown name, and for a base signed with another key',
    { tags: 'variation' },
    () =>
      teams(async ({ id, run, apply, commit }) => {
        await commit({ ...groupsIn('net', id, ['a']), ...groupsIn('app', id, ['b']) });
        expectCode(await apply('net'), 0);
        const exists = await run(['base', 'adopt', 'net', 'app', '--yes']);
        expectCode(exists, 6);
        expect(exists.stderr).toContain('still exists');
        const unknown = await run(['base', 'adopt', 'nett', 'app', '--yes']);
        expectCode(unknown, 3);
        expect(unknown.stderr).toContain('bases of the account are: `net`');
        await commit({ 'net/groups.yaml': null, 'net/meshform.yaml': null });
        const other = { MESHFORM_TOKEN: 'another token' };
        expectCode(await run(['base', 'adopt', 'net', 'app', '--yes'], other), 6);
        expectCode(await run(['base', 'adopt', 'net', 'app', '--yes']), 0);
      }),
  );
});

/** Marks a commit as the branch `main` of a remote, as a fetch does. */
const fetched = (cwd: string, commit: string, branch = 'main') =>
  git(cwd, 'update-ref', `refs/remotes/origin/${branch}`, commit);

const MAIN = ['refs/remotes/origin/HEAD', 'refs/remotes/origin/main'] as const;

describe.concurrent('base adopt in a branch that removes the folder of another team', {
  tags: 'variation',
}, () => {
  const story = (told: (team: Teams, branch: string) => Promise<void>) =>
    teams(async team => {
      const { id, cwd, apply, commit, head } = team;
      await commit({ ...groupsIn('net', id, ['a']), ...groupsIn('app', id, ['b']) });
      expectCode(await apply('net'), 0);
      expectCode(await apply('app', ['--first']), 0);
      fetched(cwd, head());
      git(cwd, 'checkout', '--quiet', '-b', 'pull');
      await commit({ 'net/groups.yaml': null, 'net/meshform.yaml': null });
      await told(team, head());
    });

  test('is refused while the default branch of a remote has the folder', () =>
    story(async ({ cwd, run, base, head }) => {
      git(cwd, 'symbolic-ref', ...MAIN);
      const before = base('net');
      const refused = await run(['base', 'adopt', 'net', 'app', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('still exists at refs/remotes/origin/HEAD: `net`');
      expect(base('net')).toBe(before);
      fetched(cwd, head());
      expectCode(await run(['base', 'adopt', 'net', 'app', '--yes']), 0);
    }));

  test(
    'is refused while any remote branch has it, if the clone does not record the default branch',
    { tags: 'variation' },
    () =>
      story(async ({ cwd, run, head }) => {
        const refused = await run(['base', 'adopt', 'net', 'app', '--yes']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('still exists at refs/remotes/origin/main: `net`');
        expect(refused.stderr).toContain('git remote set-head origin --auto');
        const before = git(cwd, 'rev-parse', 'HEAD^');
        fetched(cwd, before.trim(), 'stale');
        fetched(cwd, head());
        expectCode(await run(['base', 'adopt', 'net', 'app', '--yes']), 6);
        git(cwd, 'symbolic-ref', ...MAIN);
        expectCode(await run(['base', 'adopt', 'net', 'app', '--yes']), 0);
      }),
  );

  test('is refused while a newer applied revision has the folder', { tags: 'variation' }, () =>
    story(async ({ cwd, run, apply, commit, id }, branch) => {
      git(cwd, 'update-ref', '-d', 'refs/remotes/origin/main');
      git(cwd, 'checkout', '--quiet', 'main');
      await commit(groupsIn('app', id, ['b', 'c']));
      expectCode(await apply('app'), 0);
      git(cwd, 'checkout', '--quiet', branch);
      const refused = await run(['base', 'adopt', 'net', 'app', '--yes']);
      expectCode(refused, 6);
      expect(refused.stderr).toContain('still exists');
      expect(refused.stderr).toContain(`refs/meshform-base/${id}/app`);
    }),
  );

  test(
    'is refused for a base whose revision is not in the history of the checkout',
    { tags: 'variation' },
    () =>
      story(async ({ cwd, run, commit, apply, id }, branch) => {
        git(cwd, 'update-ref', '-d', 'refs/remotes/origin/main');
        git(cwd, 'checkout', '--quiet', 'main');
        await commit(groupsIn('net', id, ['a', 'c']));
        expectCode(await apply('net'), 0);
        await commit({ 'net/groups.yaml': null, 'net/meshform.yaml': null });
        git(cwd, 'checkout', '--quiet', branch);
        const refused = await run(['base', 'adopt', 'net', 'app', '--yes']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('is not in the history');
      }),
  );
});

test.concurrent(
  'base adopt takes over from the root of the repository for a folder in it',
  { tags: 'variation' },
  () =>
    teams(async ({ id, cwd, run, apply, commit }) => {
      await commit({
        'meshform.yaml': `account: ${id}\n`,
        'groups.yaml': 'groups: [{ name: a }]\n',
        '.github/workflows/merge.yml': 'on: push\n',
      });
      expectCode(await apply('.'), 0);
      expectCode(await run(['base', 'adopt', '.', '.', '--yes']), 6);
      await mkdir(join(cwd, 'net'));
      await commit({ 'net/groups.yaml': 'groups: [{ name: a }]\n' });
      expectCode(await run(['base', 'adopt', '.', 'net', '--yes']), 6);
      await commit({ 'groups.yaml': null });
      expectCode(await run(['base', 'adopt', '.', 'net', '--yes']), 0);
      expectCode(await apply('net'), 0);
    }),
);

describe.concurrent('base sign', () => {
  test('signs a base after a change of key, if its digest is named or confirmed', () =>
    teams(async ({ id, cwd, account, run, apply, commit, base, head }) => {
      const [old, now] = ['the old key of applies', 'the new key of applies'].map(key => ({
        MESHFORM_SIGNING_KEY: key,
      }));
      await commit(groupsIn('net', id, ['a']));
      expectCode(await apply('net', [], old), 0);
      expectCode(await apply('net', [], now), 6);
      const unasked = await run(['base', 'sign', 'net'], now);
      expectCode(unasked, 64);
      const [digest = ''] = unasked.stderr.match(/sha256:[0-9a-f]{64}/) ?? [];
      const wrong = `sha256:${'0'.repeat(64)}`;
      expectCode(await run(['base', 'sign', 'net', '--digest', wrong], now), 6);
      expectCode(await run(['base', 'sign', 'net', '--digest', digest], now), 0);
      expect(base('net')).toBe(head());
      expectCode(await apply('net', [], now), 0);
      const again = await run(['base', 'sign', 'net'], now);
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('signed already')]);
      const asked = await meshform(['base', 'sign', 'net'], {
        cwd,
        env: { ...environmentOf(account), ...old },
        answer: 'yes',
      });
      expectCode(asked, 0);
      expectCode(await apply('net', [], old), 0);
      const ref = `refs/meshform-base/${id}/net`;
      expect(git(cwd, 'rev-list', '--count', '--first-parent', ref)).toBeTruthy();
    }));
});

describe.concurrent('base adopt beside an unfinished apply whose journal is only on this machine', {
  tags: 'variation',
}, () => {
  const LATE =
    'groups: [{ name: b }]\nposture_checks: [{ name: late, checks: { nb_version_check: { min_version: 0.60.0 } } }]\n';

  const moved = (later: Record<string, string>, story: (teams: Teams) => Promise<void>) =>
    teams(async own => {
      const { id, account, apply, commit, cwd } = own;
      await commit({ ...groupsIn('net', id, ['a']) });
      expectCode(await apply('net', [], KEY), 0);
      await commit({ 'net/late.yaml': LATE });
      const fault = { method: 'POST', path: '/api/posture-checks', effect: 'status' } as const;
      await account.fault({ ...fault, status: 400, times: 1 });
      expectCode(await apply('net', [], later), 4);
      await commit({ 'net/late.yaml': null });
      await rename(join(cwd, 'net'), join(cwd, 'overlay'));
      await commit(groupsIn('overlay', id, ['a']));
      await story(own);
    });
  const KEY = { MESHFORM_SIGNING_KEY: 'the key of all machines' };
  const BOTH = { MESHFORM_SIGNING_KEY: 'a newer key of machines,the key of all machines' };
  const adopt = ['base', 'adopt', 'net', 'overlay', '--yes'];

  test('is refused until it is undone', () =>
    moved(KEY, async ({ run, names }) => {
      const refused = await run(adopt, KEY);
      expectCode(refused, 6);
      const undo = /`meshform apply overlay --undo (\S+)`/.exec(refused.stderr)?.[1] ?? '';
      expectCode(
        await run(['apply', 'overlay', '--undo', undo, '--yes', ...PRUNE.slice(2)], KEY),
        0,
      );
      expect(await names('/api/groups')).toEqual(['All', 'a']);
      const adopted = await run(adopt, KEY);
      expectCode(adopted, 0);
      expect(adopted.stderr).toContain('an apply of another machine is unfinished was not checked');
    }));

  test('says if the journal was written with another key', { tags: 'variation' }, () =>
    moved(BOTH, async ({ run }) => {
      expectCode(await run(adopt, BOTH), 6);
      const adopted = await run(adopt, KEY);
      expectCode(adopted, 0);
      expect(adopted.stderr).toMatch(
        /the unfinished journal `\S+\.jsonl` is not signed with a key of this run/,
      );
    }),
  );
});
