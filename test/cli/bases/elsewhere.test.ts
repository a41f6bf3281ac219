// Objects that other folders of the repository declare for the same account.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, PRUNE, type Teams, teams } from './teams.ts';

describe.concurrent('an object that another folder declares', () => {
  test.each(someOf(['removed', 'unmanaged'], 1))(
    'is listed with the folder, and not pruned: %s',
    prune =>
      teams(async ({ id, run, apply, commit, names }) => {
        await commit({
          ...groupsIn('netops', id, ['n', 'm']),
          ...groupsIn('appteam', id, ['a'], 'apps'),
        });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('appteam', ['--first']), 0);
        const plan = await run(['plan', 'netops', '--full']);
        expect(plan.stdout).toContain('1 group of other folders: a (declared by apps)');
        const flags = ['--prune', prune, '--allow', 'DELETES_OBJECT', '--yes'];
        expectCode(await run(['apply', 'netops', '--base', 'auto', ...flags]), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n']);
      }),
  );

  test('is not pruned when it changes folders, whichever folder is applied first', () =>
    teams(async ({ id, apply, commit, names, account }) => {
      await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      const ids = async () =>
        ((await account.call('GET', '/api/groups')) as { id: string; name: string }[])
          .map(group => `${group.name} ${group.id}`)
          .sort();
      const before = await ids();
      await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'm']) });
      expectCode(await apply('netops'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'm', 'n']);
      expectCode(await apply('appteam'), 0);
      await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
      expectCode(await apply('appteam'), 0);
      expectCode(await apply('netops'), 0);
      expect(await ids()).toEqual(before);
    }));

  test.each([
    ['the former folder', ['netops', 'appteam']],
    ['the new folder', ['appteam', 'netops']],
  ])(
    'is deleted although the folder that took it over was never applied with it, if %s is applied first',
    { tags: 'variation' },
    (_, order) =>
      teams(async ({ id, run, apply, commit, names }) => {
        await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('appteam', ['--first']), 0);
        await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'm']) });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('netops'), 0);
        expectCode(await run(['drift', 'netops', '--base', 'auto']), 0);
        await commit(groupsIn('appteam', id, ['a']));
        for (const folder of order) expectCode(await apply(folder), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'n']);
      }),
  );

  test(
    'is deleted even if the folder that took it over no longer exists and never had a base',
    { tags: 'variation' },
    () =>
      teams(async ({ id, apply, commit, names }) => {
        await commit(groupsIn('netops', id, ['n', 'm']));
        expectCode(await apply('netops'), 0);
        await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['m']) });
        expectCode(await apply('netops'), 0);
        await commit({ 'appteam/groups.yaml': null, 'appteam/meshform.yaml': null });
        expectCode(await apply('netops'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'n']);
      }),
  );

  test(
    'belongs to its new folder alone once that folder has recorded it',
    { tags: 'variation' },
    () =>
      teams(async ({ id, run, apply, commit, names }) => {
        await commit({ ...groupsIn('netops', id, ['n', 'm']), ...groupsIn('appteam', id, ['a']) });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('appteam', ['--first']), 0);
        await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'm']) });
        for (const folder of ['netops', 'appteam', 'netops']) expectCode(await apply(folder), 0);
        expect((await run(['base', 'show', 'netops'])).stdout).not.toContain('group.m');
        await commit(groupsIn('appteam', id, ['a']));
        expectCode(await apply('appteam'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'n']);
      }),
  );

  test(
    'is not pruned after its files were removed, as long as its base declares it',
    { tags: 'variation' },
    () =>
      teams(async ({ id, run, apply, commit, names }) => {
        await commit({ ...groupsIn('netops', id, ['n']), ...groupsIn('appteam', id, ['a', 'b']) });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('appteam', ['--first']), 0);
        await commit({ 'appteam/groups.yaml': null, 'appteam/meshform.yaml': null });
        const flags = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--yes'];
        expectCode(await run(['apply', 'netops', ...flags]), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'n']);
      }),
  );

  test('may not be declared twice, and the error names both folders', () =>
    teams(async ({ id, run, commit }) => {
      await commit({
        'netops/meshform.yaml': `account: ${id}\n`,
        'netops/n.yaml': 'networks: [{ name: n, description: ours }]\n',
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/n.yaml': 'networks: [{ name: n, description: mine }]\n',
      });
      for (const command of ['validate', 'plan']) {
        const twice = await run([command, 'netops']);
        expectCode(twice, 3);
        const said = `${twice.stdout}${twice.stderr}`;
        expect(said).toContain('OBJECT_DUPLICATE');
        expect(said).toMatch(/netops\/n\.yaml:1:\d+/);
        expect(said).toMatch(/by `appteam` at appteam\/n\.yaml:1:\d+/);
      }
    }));

  test.each(
    someOf(
      [
        [
          'a policy',
          'policies: [{ name: p, rules: [{ name: r, protocol: all, sources: [n], destinations: [n] }] }]',
          'policies: [{ name: p, rules: [{ name: s, protocol: all, sources: [n], destinations: [n] }] }]',
          'remove it from one of the two folders',
        ],
        [
          'a group with more than members in both',
          'groups: [{ name: shared, lifecycle: { protect: true } }]',
          'groups: [{ name: shared, lifecycle: { protect: true } }]',
          'declare it in one folder; the other may write only its name and its members',
        ],
        [
          'a network with more than children in both',
          'networks: [{ name: shared, description: ours }]',
          'networks: [{ name: shared, description: mine }]',
          'declare it in one folder; the other may write only its name and its children',
        ],
        [
          'a group that ends in one',
          'groups: [{ name: shared, lifecycle: { until: 2036-01-01 } }]',
          'groups: [{ name: shared }]',
          'remove `lifecycle.until`, and write the ends of its own members as `{ name: NAME, until: 2036-01-01 }`; or declare it in one folder',
        ],
        [
          'a group that one deletes',
          'groups: [{ name: shared, lifecycle: { delete: true } }]',
          'groups: [{ name: shared }]',
          'remove it from `appteam` first; to remove only the members that this folder declares, remove it here',
        ],
        [
          'a group of which one has all members',
          'groups: [{ name: shared, peers: [], lifecycle: { exact: [peers] } }]',
          'groups: [{ name: shared }]',
          'remove `lifecycle.exact`, or declare it in one folder',
        ],
        [
          'a group that one renames',
          'groups: [{ name: new, lifecycle: { was: shared } }]',
          'groups: [{ name: shared }]',
          'write the new name in `appteam` too, in the same commit and without `was`, and apply this folder first',
        ],
        [
          'a policy that one renames',
          'policies: [{ name: new, lifecycle: { was: p }, rules: [{ name: r, protocol: all, sources: [n], destinations: [n] }] }]',
          'policies: [{ name: p, rules: [{ name: s, protocol: all, sources: [n], destinations: [n] }] }]',
          'remove it from one of the two folders',
        ],
      ],
      3,
    ),
  )('is an error with a hint if it is declared twice: %s', (_, own, other, hint) =>
    teams(async ({ id, run, commit }) => {
      await commit({
        ...groupsIn('netops', id, ['n']),
        'netops/own.yaml': `${own}\n`,
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/other.yaml': `${other}\n`,
      });
      const plan = await run(['plan', 'netops']);
      expectCode(plan, 3);
      expect(plan.stderr).toContain('OBJECT_DUPLICATE');
      expect(plan.stderr).toContain(`hint: ${hint} `);
    }),
  );

  test('loses no enrolled member that its former folder declares', { tags: 'variation' }, () =>
    teams(async ({ id, account, run, apply, commit }) => {
      for (const name of ['one', 'two']) await account.enrol(name);
      const shared = (rest: string) => `groups: [{ name: shared, ${rest} }]\n`;
      await commit({
        ...groupsIn('netops', id, ['n']),
        ...groupsIn('appteam', id, ['a']),
        'netops/shared.yaml': shared('peers: [one]'),
        'appteam/shared.yaml': shared('peers: [two]'),
      });
      expectCode(await apply('netops'), 0);
      expectCode(await apply('appteam', ['--first']), 0);
      await commit({
        'netops/shared.yaml': null,
        'appteam/shared.yaml': shared('lifecycle: { delete: true }'),
      });
      const plan = await run(['plan', 'appteam', '--base', 'auto']);
      expect(plan.stdout).toContain('group.shared will be destroyed');
      expect(plan.stdout).not.toContain('LOSES_MEMBERS');
    }),
  );

  test(
    'may get members and children from this folder, and later loses only those',
    { tags: 'variation' },
    () =>
      teams(async ({ id, account, apply, commit }) => {
        const peers = ['one', 'two', 'three'];
        for (const name of peers) await account.control('POST', '/emulator/peers', { name });
        const members = async () => {
          const groups = (await account.call('GET', '/api/groups')) as {
            name: string;
            peers: { name: string }[] | null;
          }[];
          const found = groups.find(({ name }) => name === 'shared')?.peers ?? [];
          return found.map(({ name }) => name).sort();
        };
        const net = (folder: string, group: string, resource: string) => ({
          [`${folder}/meshform.yaml`]: `account: ${id}\n`,
          [`${folder}/n.yaml`]: `
groups: [{ name: shared, peers: [${group}] }]
networks: [{ name: n, resources: [{ name: ${resource}, address: 10.0.0.${resource.length}, groups: [shared] }] }]
`,
        });
        await commit({ ...net('netops', 'one', 'r'), ...net('appteam', 'two', 'rr') });
        expectCode(await apply('netops'), 0);
        expectCode(await apply('appteam', ['--first']), 0);
        expect(await members()).toEqual(['one', 'two']);
        await commit({ 'appteam/n.yaml': 'groups: [{ name: other }]\n' });
        expectCode(await apply('appteam'), 0);
        expect(await members()).toEqual(['one']);
        const [network] = (await account.call('GET', '/api/networks')) as { resources: string[] }[];
        expect(network?.resources).toHaveLength(1);
      }),
  );
});

describe.concurrent('a folder whose files cannot be read', () => {
  test('stops only runs that would delete objects', { tags: 'variation' }, () =>
    teams(async ({ id, run, apply, commit, names }) => {
      await commit(groupsIn('netops', id, ['n', 'm']));
      expectCode(await apply('netops'), 0);
      await commit({
        ...groupsIn('netops', id, ['n', 'k']),
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/groups.yaml': 'groups: [{ nam: a }]\n',
      });
      const refused = await apply('netops');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('FOLDER_UNREADABLE');
      expect(refused.stderr).toContain('`appteam`');
      expectCode(await run(['apply', 'netops', '--yes']), 0);
      expect(await names('/api/groups')).toEqual(['All', 'k', 'm', 'n']);
    }),
  );

  test('is read with the variables that were applied to it', () =>
    teams(async ({ id, apply, commit, names }) => {
      await commit({
        ...groupsIn('netops', id, ['n', 'm']),
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/groups.yaml': "groups: [{ name: '${var:TEAM}' }]\n",
      });
      expectCode(await apply('netops', [], { MESHFORM_VAR_TEAM: 'x' }), 0);
      expectCode(await apply('appteam', ['--first'], { MESHFORM_VAR_TEAM: 'a' }), 0);
      await commit(groupsIn('netops', id, ['n']));
      expectCode(await apply('netops'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'n']);
    }));

  test('does not affect runs for a different account', { tags: 'variation' }, () =>
    teams(async ({ id, apply, commit, names }) => {
      await commit({
        ...groupsIn('netops', id, ['n']),
        ...groupsIn('other', 'another-account', ['n', 'a']),
      });
      expectCode(await apply('netops'), 0);
      expectCode(await apply('netops', [...PRUNE]), 0);
      expect(await names('/api/groups')).toEqual(['All', 'n']);
    }),
  );
});

const forged = (cwd: string, id: string, name: string, text: string): void => {
  const write = (...args: readonly string[]) => {
    const [input = '', ...rest] = args;
    return execFileSync('git', ['-C', cwd, ...rest], { input, encoding: 'utf8' }).trim();
  };
  const blob = write(text, 'hash-object', '-w', '--stdin');
  const tree = write(`100644 blob ${blob}\tbase.json\n`, 'mktree');
  const commit = git(cwd, 'commit-tree', '-m', 'forged', tree).trim();
  git(cwd, 'update-ref', `refs/meshform-base/${id}/${name}`, commit);
};

describe.concurrent('a base of another folder that no apply has written', () => {
  test('does not prevent the removal of an object unnoticed: the apply is refused', () =>
    teams(async ({ id, cwd, apply, commit, base, head, names }) => {
      await commit(groupsIn('net', id, ['two', 'victim']));
      expectCode(await apply('net'), 0);
      const before = head();
      const own = git(cwd, 'show', `refs/meshform-base/${id}/net:base.json`);
      forged(cwd, id, 'evil', JSON.stringify({ ...JSON.parse(own), folder: 'evil' }));
      await commit({ ...groupsIn('net', id, ['two']), 'evil/readme.txt': 'a folder\n' });
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain('is not signed with a key of this run');
      expect(base('net')).toBe(before);
      git(cwd, 'update-ref', '-d', `refs/meshform-base/${id}/evil`);
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'two']);
    }));

  test('prevents deletions if it is unreadable', { tags: 'variation' }, () =>
    teams(async ({ id, cwd, apply, commit }) => {
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net'), 0);
      forged(cwd, id, 'evil', '[[[[');
      await commit(groupsIn('net', id, ['b']));
      const refused = await apply('net');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('FOLDER_UNREADABLE');
    }),
  );
});

describe.concurrent('other folders that git cannot read', { tags: 'variation' }, () => {
  test.each([
    ['for-each-ref', 'base'],
    ['cat-file', 'base'],
    // No apply has recorded it.
    ['ls-files', 'files'],
  ])('prevent deletions if git fails at %s', (command, declaredIn) =>
    teams(async ({ id, cwd, run, apply, commit, names }) => {
      await commit({ ...groupsIn('net', id, ['a', 'b']), ...groupsIn('app', id, ['c']) });
      expectCode(await apply('net'), 0);
      if (declaredIn === 'files') expectCode(await run(['apply', 'app', '--yes']), 0);
      else expectCode(await apply('app', ['--first']), 0);
      await commit({
        ...groupsIn('net', id, ['a']),
        ...(declaredIn === 'base' && { 'app/groups.yaml': null, 'app/meshform.yaml': null }),
      });
      const programs = join(cwd, '.git/programs');
      await mkdir(programs);
      const lines = [
        `case " $* " in *' ${command} '*) echo 'fatal: cannot read' >&2; exit 128;; esac`,
        `PATH='${process.env.PATH}' exec git "$@"`,
      ];
      await writeFile(join(programs, 'git'), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
      const env = { PATH: `${programs}:${process.env.PATH}` };
      const pruning = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT', '--yes'];
      const refused = await run(['apply', 'net', ...pruning], env);
      expectCode(refused, 3);
      expect(refused.stderr).toContain('FOLDER_UNREADABLE');
      expect(refused.stderr).toContain(declaredIn === 'base' ? `refs/meshform-base/${id}` : cwd);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b', 'c']);
      expectCode(await run(['apply', 'net', '--yes'], env), 0);
      expectCode(await run(['apply', 'net', ...pruning]), 0);
      expect(await names('/api/groups')).toEqual(['All', 'a', 'c']);
    }),
  );
});

describe.concurrent('a folder that is merged into another', () => {
  test(
    'leaves a base that does not keep the objects that the other folder took over',
    { tags: 'variation' },
    () =>
      teams(async ({ id, run, apply, commit, names }) => {
        await commit({ ...groupsIn('net', id, ['n']), ...groupsIn('app', id, ['a', 'b', 'c']) });
        expectCode(await apply('net'), 0);
        expectCode(await apply('app', ['--first']), 0);
        await commit({
          ...groupsIn('net', id, ['n', 'a', 'b']),
          'app/groups.yaml': null,
          'app/meshform.yaml': null,
        });
        const merged = await apply('net');
        expectCode(merged, 0);
        expect(merged.stderr).toContain('BASE_WITHOUT_FOLDER');
        expect(merged.stderr).toContain('meshform base adopt app FOLDER');
        expect(merged.stderr).toContain('meshform base forget app FOLDER');
        await commit(groupsIn('net', id, ['n', 'a']));
        expectCode(await apply('net'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'c', 'n']);
        expectCode(await run(['base', 'adopt', 'app', 'net', '--yes']), 0);
        expectCode(await apply('net'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'a', 'n']);
      }),
  );
});

describe.concurrent('members that two folders declare in one group', () => {
  test(
    'stay until both folders remove them, and may move between folders in any order',
    { tags: 'variation' },
    () =>
      teams(async ({ id, account, apply, commit }) => {
        for (const name of ['m1', 'm2', 'm3'])
          await account.control('POST', '/emulator/peers', { name });
        const members = async () => {
          const groups = (await account.call('GET', '/api/groups')) as {
            name: string;
            peers: { name: string }[] | null;
          }[];
          const found = groups.find(({ name }) => name === 's')?.peers ?? [];
          return found.map(({ name }) => name).sort();
        };
        const write = (net: string, app: string) =>
          commit({
            'net/meshform.yaml': `account: ${id}\n`,
            'app/meshform.yaml': `account: ${id}\n`,
            'net/n.yaml': `groups: [{ name: s, peers: [${net}] }]\n`,
            'app/n.yaml': `groups: [{ name: s, peers: [${app}] }]\n`,
          });
        await write('m1, m2', 'm2, m3');
        expectCode(await apply('net'), 0);
        expectCode(await apply('app', ['--first']), 0);
        await write('m1', 'm2, m3');
        expectCode(await apply('net'), 0);
        expect(await members()).toEqual(['m1', 'm2', 'm3']);
        await write('m1, m3', 'm2');
        expectCode(await apply('app'), 0);
        expectCode(await apply('net'), 0);
        expect(await members()).toEqual(['m1', 'm2', 'm3']);
        await write('m1', 'm1');
        expectCode(await apply('app'), 0);
        expectCode(await apply('net'), 0);
        expect(await members()).toEqual(['m1']);
      }),
  );
});

describe.concurrent('a member that moves to the files of another folder', () => {
  type Texts = readonly [net: string, app: string];
  const GROUP = 'groups: [{ name: s, peers: [kept, moved] }]';
  const files = (id: string, net: string, app: string) => ({
    'net/meshform.yaml': `account: ${id}\n`,
    'app/meshform.yaml': `account: ${id}\n`,
    'net/n.yaml': `${net}\n`,
    'app/n.yaml': `${app}\n`,
  });
  const left = 'groups: [{ name: s, peers: [kept] }]';
  const taken = 'groups: [{ name: s, peers: [moved] }]';
  const shared = 'groups: [{ name: s, peers: [other] }]';
  const both = 'groups: [{ name: s, peers: [other, moved] }]';
  const none = 'groups: [{ name: h }]';
  const asPeer = 'groups: [{ name: s }]\npeers: [{ name: moved, groups: [s] }]';

  const baseOf = (cwd: string, id: string) =>
    git(cwd, 'show', `refs/meshform-base/${id}/net:base.json`);

  /** Two folders that are applied with these files, then the folder net alone with others. */
  const moving = (
    [before, after]: readonly [Texts, Texts],
    story: (folders: Teams, members: () => Promise<string[]>) => Promise<void>,
  ) =>
    teams(async folders => {
      const { id, account, apply, commit } = folders;
      for (const name of ['kept', 'moved', 'other'])
        await account.control('POST', '/emulator/peers', { name });
      await commit(files(id, ...before));
      expectCode(await apply('net'), 0);
      expectCode(await apply('app', ['--first']), 0);
      await commit(files(id, ...after));
      for (const _ of ['once', 'again']) expectCode(await apply('net'), 0);
      await story(folders, async () => {
        const groups = (await account.call('GET', '/api/groups')) as {
          name: string;
          peers: { name: string }[] | null;
        }[];
        const found = groups.find(({ name }) => name === 's')?.peers ?? [];
        return found.map(({ name }) => name).sort();
      });
    });

  test.each<readonly [string, Texts, Texts, Texts, string]>([
    ['of a set that both declare', [GROUP, shared], [left, both], [left, shared], 'kept other'],
    ['of a set that it begins to share', [GROUP, none], [left, taken], [left, none], 'kept'],
    [
      'of a set that the former folder drops',
      [GROUP, shared],
      [none, both],
      [none, shared],
      'other',
    ],
    ['written in the machine there', [GROUP, none], [left, asPeer], [left, none], 'kept'],
  ])(
    'is removed with the files of that folder, which never recorded it: %s',
    { tags: 'variation' },
    (_, before, after, end, expected) =>
      moving([before, after], async ({ id, run, apply, commit }, members) => {
        expect(await members()).toContain('moved');
        expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
        await commit(files(id, ...end));
        for (const folder of ['app', 'net']) expectCode(await apply(folder), 0);
        expect(await members()).toEqual(expected.split(' '));
        for (const folder of ['app', 'net'])
          expectCode(await run(['drift', folder, '--base', 'auto']), 0);
      }),
  );

  test.each(
    someOf(
      [
        ['net', left],
        ['nothing', none],
      ],
      1,
    ),
  )(
    'belongs to that folder alone once that folder has recorded it: %s is left in the former folder',
    (_, net) =>
      moving(
        [
          [GROUP, shared],
          [net, both],
        ],
        async ({ id, cwd, apply, commit }, members) => {
          expect(baseOf(cwd, id)).toContain('"moved"');
          for (const folder of ['app', 'net']) expectCode(await apply(folder), 0);
          expect(baseOf(cwd, id)).not.toContain('"moved"');
          await commit(files(id, net, shared));
          expectCode(await apply('app'), 0);
          expect(await members()).not.toContain('moved');
        },
      ),
  );
});

describe.concurrent('an object that another folder declares in its files', () => {
  test.each([
    ['deleted', 'groups: [{ name: h }, { name: x, lifecycle: { delete: true } }]\n'],
    ['renamed', 'groups: [{ name: h }, { name: xx, lifecycle: { was: x } }]\n'],
  ])('may not be %s', (_, text) =>
    teams(async ({ id, run, commit }) => {
      await commit({
        ...groupsIn('net', id, ['x']),
        'app/meshform.yaml': `account: ${id}\n`,
        'app/n.yaml': text,
      });
      const refused = await run(['plan', 'app']);
      expectCode(refused, 3);
      expect(refused.stderr).toContain('OBJECT_DUPLICATE');
      expect(refused.stderr).toContain('by `net` at net/groups.yaml');
    }),
  );

  test('counts even if the folder is nested and excluded from the run', { tags: 'variation' }, () =>
    teams(async ({ id, apply, commit, names }) => {
      await commit({
        ...groupsIn('net', id, ['g', 'mover']),
        'net/meshform.yaml': `account: ${id}\nexclude: ['sub/**']\n`,
        ...groupsIn('net/sub', id, ['h']),
      });
      expectCode(await apply('net'), 0);
      expectCode(await apply('net/sub', ['--first']), 0);
      await commit({
        'net/groups.yaml': 'groups: [{ name: g }]\n',
        'net/sub/groups.yaml': 'groups: [{ name: h }, { name: mover }]\n',
      });
      expectCode(await apply('net'), 0);
      expect(await names('/api/groups')).toEqual(['All', 'g', 'h', 'mover']);
    }),
  );
});
