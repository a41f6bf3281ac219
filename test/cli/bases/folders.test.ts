// A base belongs to an account and a folder: what one folder applies never touches the base of another.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { expectCode, groupsIn, teams } from './teams.ts';

describe.concurrent('two folders on one account', () => {
  test('have separate bases, and no removal is lost', () =>
    teams(async ({ id, apply, commit, base, head, names }) => {
      await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'b']) });
      const before = head();
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      await commit(groupsIn('appteam', id, ['b']));
      expectCode(await apply('netops'), 0);
      expect([base('netops'), base('appteam')]).toEqual([head(), before]);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'n']);
      expectCode(await apply('appteam'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b', 'n']);
      expect(base('appteam')).toBe(head());
    }));

  test('are applied separately: the second needs --first, because it has no base', () =>
    teams(async ({ id, run, apply, commit, base, names }) => {
      await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a']) });
      expectCode(await apply('netops'), 0);
      for (const argv of [['plan'], ['drift'], ['apply', '--record-base', '--yes']]) {
        const ended = await run([...argv, 'appteam', '--base', 'auto']);
        expectCode(ended, 6);
        expect(ended.stderr).toContain('BASE_NOT_FOUND');
        expect(ended.stderr).toContain('add --first');
        expect(ended.stderr).toContain('meshform base adopt');
      }
      expectCode(await run(['apply', 'appteam', '--record-base', '--yes']), 6);
      expect(await names('/api/groups')).toEqual(['All', 'n']);
      expectCode(await run(['plan', 'appteam', '--base', 'auto', '--first']), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      const again = await apply('appteam', ['--first']);
      expectCode(again, 3);
      expect(again.stderr).toContain('remove --first');
      expect(base('netops')).toBe(base('appteam'));
    }));

  test('are distinguished by name, and cannot have the same name', () =>
    teams(async ({ id, apply, commit, base, head }) => {
      await commit({
        ...groupsIn('a', id, ['n'], 'netops'),
        ...groupsIn('b', id, ['m'], 'netops'),
      });
      expectCode(await apply('a'), 0);
      expect(base('netops')).toBe(head());
      const taken = await apply('b');
      expectCode(taken, 6);
      expect(taken.stderr).toContain('BASE_NAME_TAKEN');
      expect(taken.stderr).toContain('is the base of `a`, not of `b`');
      expectCode(await apply('b', ['--first']), 6);
    }));

  test('two folders with unusual names have refs that git accepts', () =>
    teams(async ({ id, apply, commit, base, head }) => {
      const odd = 'net/..a b~^:?*[.lock';
      await commit(groupsIn(odd, id, ['n']));
      expectCode(await apply(odd), 0);
      expect(base('net%2F%2E.a%20b%7E%5E%3A%3F%2A%5B%2Elock')).toBe(head());
    }));
});

describe.concurrent('a clone of the bases', () => {
  test('a clone that lacks the base of the folder does not use another base', () =>
    teams(async ({ id, cwd, run, apply, commit }) => {
      await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a']) });
      git(cwd, 'init', '--quiet', '--bare', '.git/remote.git');
      git(cwd, 'remote', 'add', 'origin', join(cwd, '.git/remote.git'));
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      git(cwd, 'push', '--quiet', 'origin', 'refs/meshform-base/*:refs/meshform-base/*');
      git(cwd, 'update-ref', '-d', `refs/meshform-base/${id}/appteam`);
      git(cwd, 'update-ref', `refs/meshform/${id}`, 'HEAD');
      expectCode(await run(['plan', 'appteam', '--base', 'auto']), 0);
      await commit({ 'appteam/meshform.yaml': `account: ${id}\nlock: file\n` });
      const unfetched = await run(['plan', 'appteam', '--base', 'auto']);
      expectCode(unfetched, 3);
      expect(unfetched.stderr).toContain(
        "git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'",
      );
    }));
});

describe.concurrent('the ref of an earlier version', () => {
  test('is the base of a folder without one, is never moved, and the new commands are printed', () =>
    teams(async ({ id, cwd, run, apply, commit, base, head, names }) => {
      await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
      for (const folder of ['netops', 'appteam']) await run(['apply', folder, '--yes']);
      const former = head();
      git(cwd, 'update-ref', `refs/meshform/${id}`, former);
      await commit({ ...groupsIn('netops', id, ['m']), ...groupsIn('new', id, ['x']) });
      const first = await apply('netops');
      expectCode(first, 0);
      expect(first.stderr).toContain('BASE_FORMER_REF');
      expect(first.stderr).toContain(
        "git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'",
      );
      expect(first.stderr).toContain("git push origin 'refs/meshform-base/*:refs/meshform-base/*'");
      expect(await names('/api/groups')).toEqual(['All', 'a', 'm']);
      expect(base('netops')).toBe(head());
      await commit({ 'appteam/groups.yaml': 'groups: [{ name: b }]\n' });
      expectCode(await apply('appteam'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b', 'm']);
      expect(git(cwd, 'rev-parse', `refs/meshform/${id}`).trim()).toBe(former);
      expectCode(await apply('new'), 6);
      expectCode(await apply('new', ['--first']), 0);
    }));

  test('the ref of an earlier version that is not an ancestor of the applied revision is refused', () =>
    teams(async ({ id, cwd, run, apply, commit, head }) => {
      await commit(groupsIn('netops', id, ['n']));
      const older = head();
      await commit(groupsIn('netops', id, ['n', 'm']));
      await run(['apply', 'netops', '--yes']);
      git(cwd, 'update-ref', `refs/meshform/${id}`, head());
      git(cwd, 'checkout', '--quiet', older);
      const refused = await apply('netops');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('BASE_NOT_BEHIND');
    }));
});

describe.concurrent('a clone without the ref of an earlier version', () => {
  test('reads it from the remote', { tags: 'variation' }, () =>
    teams(async ({ id, cwd, run, apply, commit, names }) => {
      await commit(groupsIn('net', id, ['n', 'm']));
      await run(['apply', 'net', '--yes']);
      git(cwd, 'init', '--quiet', '--bare', '.git/remote.git');
      git(cwd, 'remote', 'add', 'origin', join(cwd, '.git/remote.git'));
      git(cwd, 'push', '--quiet', 'origin', `HEAD:refs/meshform/${id}`);
      await commit(groupsIn('net', id, ['n']));
      const plan = await run(['plan', 'net', '--base', 'auto', '--prune', 'removed']);
      expectCode(plan, 0);
      expect(plan.stderr).toContain('BASE_FORMER_REF');
      expect(plan.stdout).toContain('Plan: 0 to add, 0 to change, 1 to destroy.');
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'n']);
    }),
  );

  test(
    'gets a hint to fetch it, although other folders have bases already',
    { tags: 'variation' },
    () =>
      teams(async ({ id, cwd, run, apply, commit, names }) => {
        await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('app', id, ['a', 'b']) });
        for (const folder of ['net', 'app']) await run(['apply', folder, '--yes']);
        git(cwd, 'update-ref', `refs/meshform/${id}`, 'HEAD');
        expectCode(await apply('net'), 0);
        git(cwd, 'init', '--quiet', '--bare', '.git/remote.git');
        git(cwd, 'remote', 'add', 'origin', join(cwd, '.git/remote.git'));
        git(cwd, 'push', '--quiet', 'origin', 'refs/meshform/*:refs/meshform/*');
        git(cwd, 'update-ref', '-d', `refs/meshform/${id}`);
        await commit(groupsIn('app', id, ['b']));
        for (const more of [[], ['--first']]) {
          const unfetched = await apply('app', ['--lock', 'file', ...more]);
          expectCode(unfetched, 3);
          expect(unfetched.stderr).toContain("git fetch origin '+refs/meshform/*:refs/meshform/*'");
        }
        git(cwd, 'fetch', '--quiet', 'origin', '+refs/meshform/*:refs/meshform/*');
        const first = await apply('app', ['--first', '--lock', 'file']);
        expectCode(first, 3);
        expect(first.stderr).toContain('remove --first');
        expectCode(await apply('app'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'b', 'n']);
      }),
  );
});

test('a variable that only another folder of the account uses counts as used', () =>
  teams(async ({ id, run, commit }) => {
    await commit({
      ...groupsIn('netops', id, ['n']),
      ...groupsIn('appteam', id, [`'a-\${var:STAGE}'`]),
    });
    const variable = (name: string) => ['--strict', '--var', `${name}=x`];
    expectCode(await run(['plan', 'netops', ...variable('STAGE')]), 0);
    const unused = await run(['plan', 'netops', ...variable('OTHER')]);
    expectCode(unused, 3);
    expect(unused.stderr).toContain('INPUT_UNUSED');
  }));
