// What a base holds: the desired state as it was applied, whatever variables and templates are today.
import { describe, expect, test } from 'vitest';
import { git } from '../../support/git.ts';
import { someOf } from '../../support/variations.ts';
import { expectCode, groupsIn, PRUNE, teams } from './teams.ts';

const document = (cwd: string, id: string) =>
  JSON.parse(git(cwd, 'show', `refs/meshform-base/${id}/net:base.json`)) as {
    readonly objects: readonly Readonly<Record<string, unknown>>[];
    readonly variables: unknown;
  };

describe.concurrent('a base', () => {
  test('is read as recorded, not from its revision, which today’s variables would read differently', () =>
    teams(async ({ id, apply, commit, names }) => {
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/groups.yaml': "groups: [{ name: '${var:ENV} servers' }]\n",
      });
      expectCode(await apply('net', [], { MESHFORM_VAR_ENV: 'old' }), 0);
      expectCode(await apply('net', [], { MESHFORM_VAR_ENV: 'new' }), 0);
      expect(await names('/api/groups')).toEqual(['All', 'new servers']);
    }));

  test('is compared as recorded, not as its revision under today’s variables', () =>
    teams(async ({ id, run, apply, commit, head }) => {
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/groups.yaml': "groups: [{ name: '${var:ENV} servers' }]\n",
      });
      expectCode(await apply('net', [], { MESHFORM_VAR_ENV: 'old' }), 0);
      const flags = ['--base', head(), '--record-base', '--prune', 'removed', '--yes'];
      const refused = await run(['apply', 'net', ...flags], { MESHFORM_VAR_ENV: 'new' });
      expectCode(refused, 6);
      expect(refused.stderr).toContain('REMOVAL_NOT_PRUNED');
      expect(refused.stderr).toContain('old servers');
    }));

  test('holds values, marked defaults, and the sources of secrets', () =>
    teams(async ({ id, cwd, apply, commit }) => {
      await commit({
        'net/meshform.yaml': `account: ${id}\n`,
        'net/network.yaml': `
groups: [{ name: '\${var:ENV}' }]
policies:
  - name: p
    rules: [{ name: r, sources: ['\${var:ENV}'], destinations: ['\${var:ENV}'], protocol: tcp }]
`,
      });
      expectCode(await apply('net', [], { MESHFORM_VAR_ENV: 'stage' }), 0);
      const { objects, variables } = document(cwd, id);
      expect(variables).toEqual({ ENV: 'stage' });
      expect(objects).toMatchObject([
        { kind: 'group', key: 'stage', fields: { name: 'stage' } },
        {
          kind: 'policy',
          key: 'p',
          fields: { name: 'p', rules: [{ name: 'r', sources: ['stage'], protocol: 'tcp' }] },
          defaults: expect.arrayContaining(['/enabled']),
        },
      ]);
    }));

  test('is unchanged after a run that ends with a code other than 0', () =>
    teams(async ({ id, account, apply, commit, base, head }) => {
      await commit(groupsIn('net', id, ['a']));
      expectCode(await apply('net'), 0);
      const before = head();
      await commit(groupsIn('net', id, ['a', 'b']));
      await account.fault({
        method: 'POST',
        path: '/api/groups',
        times: 9,
        effect: 'status',
        status: 422,
      });
      expect((await apply('net')).code).not.toBe(0);
      expect(base('net')).toBe(before);
    }));

  test.each(someOf([[['--only', 'group/b']], [['--kinds', 'groups']]], 1))(
    'records what a run that is limited with %s applied, and keeps the rest',
    only =>
      teams(async ({ id, cwd, apply, commit, names }) => {
        await commit({
          ...groupsIn('net', id, ['a', 'b']),
          'net/networks.yaml': 'networks: [{ name: n }, { name: m }]\n',
        });
        expectCode(await apply('net'), 0);
        await commit({
          'net/groups.yaml': 'groups: [{ name: b }, { name: c }]\n',
          'net/networks.yaml': 'networks: [{ name: n }]\n',
        });
        expectCode(await apply('net', only), 0);
        const keys = document(cwd, id).objects.map(({ key }) => key);
        expect(keys).toEqual(only[0] === '--only' ? ['a', 'b', 'm', 'n'] : ['b', 'c', 'm', 'n']);
        expectCode(await apply('net'), 0);
        expect(await names('/api/groups')).toEqual(['All', 'b', 'c']);
        expect(await names('/api/networks')).toEqual(['n']);
      }),
  );

  test('records what a saved plan contains', () =>
    teams(async ({ id, run, commit, base, cwd, head }) => {
      await commit(groupsIn('net', id, ['a']));
      const planned = head();
      expectCode(await run(['plan', 'net', '--out', '.git/plan.json', '--record-base']), 0);
      await commit(groupsIn('net', id, ['b']));
      expectCode(await run(['apply', '.git/plan.json', '--record-base', '--yes']), 0);
      expect(base('net')).toBe(planned);
      expect(document(cwd, id).objects.map(({ key }) => key)).toEqual(['a']);
      expectCode(await run(['apply', '.git/plan.json', '--record-base', '--yes']), 0);
      expect(base('net')).toBe(planned);
    }));
});

const KEY = 'a key that nobody can guess';

describe.concurrent('the signature of a base with another key', () => {
  test('stops every apply that would be compared with the base', () =>
    teams(async ({ id, run, apply, commit, names, base, head }) => {
      await commit(groupsIn('net', id, ['a', 'b']));
      expectCode(await apply('net', [], { MESHFORM_SIGNING_KEY: KEY }), 0);
      const before = head();
      await commit(groupsIn('net', id, ['b']));
      const plan = await run(['plan', 'net', '--base', 'auto', ...PRUNE]);
      expectCode(plan, 0);
      expect(plan.stderr).toContain('BASE_NOT_VERIFIED');
      for (const more of [['--record-base'], []]) {
        const refused = await run(['apply', 'net', '--base', 'auto', ...PRUNE, ...more, '--yes']);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('is not signed with a key of this run');
      }
      expect(await names('/api/groups')).toEqual(['All', 'a', 'b']);
      expect(base('net')).toBe(before);
      const both = { MESHFORM_SIGNING_KEY: `a new key that nobody can guess,${KEY}` };
      expectCode(await apply('net', [], both), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
    }));

  test('stops the apply of a saved plan, not the job that plans', { tags: 'variation' }, () =>
    teams(async ({ id, cwd, run, apply, commit, names }) => {
      await commit(groupsIn('net', id, ['a']));
      expectCode(await apply('net', [], { MESHFORM_SIGNING_KEY: KEY }), 0);
      await commit(groupsIn('net', id, ['b']));
      const plan = ['plan', 'net', '--base', 'auto', '--record-base', ...PRUNE];
      expectCode(await run([...plan, '--out', '.git/plan.json']), 0);
      const saved = ['apply', '.git/plan.json', '--record-base', '--yes'];
      expectCode(await run(saved), 6);
      expect(await names('/api/groups')).toEqual(['All', 'a']);
      expectCode(await run(saved, { MESHFORM_SIGNING_KEY: KEY }), 0);
      expect(await names('/api/groups')).toEqual(['All', 'b']);
      git(cwd, 'update-ref', `refs/meshform-base/${id}/net`, 'HEAD');
      const forged = await run(['plan', 'net', '--base', 'auto']);
      expectCode(forged, 3);
      expect(forged.stderr).toContain('its commit holds no base');
    }),
  );
});
