// Servers of dialect `netbird` store a policy of several rules as one policy a rule: the stored names belong to the folder of the whole.
import { describe, expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { expectCode, PRUNE, type Teams, teams } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const rule = (name: string, port: number) =>
  `{ name: ${name}, sources: [g], destinations: [g], protocol: tcp, ports: ["${port}"] }`;
const ssh = (rules: readonly string[], lifecycle = '') => `groups: [{ name: g }]
policies:
  - { name: ssh, rules: [${rules.join(', ')}]${lifecycle} }
`;
const BOTH = ssh([rule('a', 22), rule('con', 23)], ', lifecycle: { protect: true }');
const taking = (name: string, lifecycle: string) =>
  `groups: [{ name: dbs }]\npolicies: [{ name: ${name}, rules: [${rule('con', 98)}], lifecycle: { ${lifecycle || 'protect: false'} } }]\n`;

interface Policy {
  readonly id: string;
  readonly name: string;
}

// A list has no order on the server.
const policiesOf = async ({ account }: Teams): Promise<readonly Policy[]> => {
  const policies = (await account.call('GET', '/api/policies')) as unknown as readonly Policy[];
  return policies
    .filter(({ name }) => name.startsWith('ssh'))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
};

/** Both folders are applied; then `app` writes something else. */
const applied = (story: (all: Teams) => Promise<void>) =>
  teams(async all => {
    const { id, apply, commit } = all;
    await commit({
      'net/meshform.yaml': `account: ${id}\nprotect: [policy/ssh]\n`,
      'net/n.yaml': BOTH,
      'app/meshform.yaml': `account: ${id}\n`,
      'app/a.yaml': 'groups: [{ name: dbs }]\n',
    });
    expectCode(await apply('net'), 0);
    expectCode(await apply('app', ['--first']), 0);
    await story(all);
  }, 'netbird');

describe.concurrent('a part of a policy that another folder declares', () => {
  test.each(
    someOf(
      [
        ['declared', '"ssh / con"', ''],
        ['deleted', '"ssh / con"', 'delete: true'],
        ['ended', '"ssh / con"', 'until: 2020-01-01'],
        ['renamed', 'mine', 'was: "ssh / con"'],
      ],
      2,
    ),
  )('cannot be %s', (_, name, lifecycle) =>
    applied(async all => {
      const before = await policiesOf(all);
      await all.commit({ 'app/a.yaml': taking(name, lifecycle) });
      const refused = await all.apply('app');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('OBJECT_DUPLICATE');
      expect(refused.stderr).toContain('`net`');
      expect(await policiesOf(all)).toEqual(before);
    }),
  );

  test('cannot be bound by its id', () =>
    applied(async all => {
      const before = await policiesOf(all);
      const live = before.find(({ name }) => name === 'ssh / con');
      await all.commit({ 'app/a.yaml': taking('mine', `id: ${live?.id}`) });
      const refused = await all.apply('app');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('policy.mine would be policy["ssh / con"], which `net`');
      expect(await policiesOf(all)).toEqual(before);
    }));

  test('is reported with both places, by both folders and by `validate`', () =>
    applied(async ({ commit, run }) => {
      await commit({ 'app/a.yaml': taking('"ssh / con"', '') });
      const here = await run(['validate', 'app', '--dialect', 'netbird']);
      expectCode(here, 3);
      expect(here.stdout).toMatch(
        /policy\["ssh \/ con"\] is declared here, and as `con` of the rules of policy\.ssh by `net` at net\/n\.yaml:3:\d+/,
      );
      const there = await run(['plan', 'net']);
      expectCode(there, 3);
      expect(there.stderr).toMatch(
        /is declared as `con` of the rules of policy\.ssh here, and by `app` at app\/a\.yaml:2:\d+/,
      );
      expectCode(await run(['validate', 'app', '--dialect', 'spec']), 0);
    }));

  test('is removed once no folder declares it, although this folder never applied it', () =>
    applied(async all => {
      const { commit, apply, run } = all;
      await commit({
        'net/meshform.yaml': `account: ${all.id}\n`,
        'net/n.yaml': ssh([rule('a', 22)]),
        'app/a.yaml': taking('"ssh / con"', ''),
      });
      expectCode(await apply('net'), 0);
      expect((await policiesOf(all)).map(({ name }) => name)).toContain('ssh / con');
      await commit({ 'app/a.yaml': 'groups: [{ name: dbs }]\n' });
      expectCode(await apply('app'), 0);
      expectCode(await apply('net'), 0);
      expect((await policiesOf(all)).map(({ name }) => name)).toEqual(['ssh']);
      expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
    }));

  test('is drift of both folders, in every format', { tags: 'variation' }, () =>
    applied(async ({ commit, run }) => {
      await commit({ 'app/a.yaml': taking('"ssh / con"', '').replace('98', '23') });
      for (const folder of ['app', 'net'])
        for (const format of ['text', 'json', 'markdown', 'comment', 'junit']) {
          const drift = await run(['drift', folder, '--format', format]);
          expectCode(drift, 2);
          expect(drift.stdout, `${folder} ${format}`).toMatch(/ssh|con/);
        }
      for (const folder of ['app', 'net']) {
        const { stdout } = await run(['drift', folder]);
        expect(stdout).toContain('is declared by two folders');
        expect(stdout).toContain('1 declared twice.');
      }
    }),
  );

  test.each(someOf(['delete: true', ''], 1))(
    'stays if only the base of the other folder has it: %s',
    lifecycle =>
      applied(async all => {
        const { commit, apply, run } = all;
        await commit({
          'net/n.yaml': ssh([rule('a', 22), rule('b', 24)], ', lifecycle: { protect: true }'),
          'app/a.yaml': taking('"ssh / con"', lifecycle),
        });
        const before = await policiesOf(all);
        const refused = await apply('app');
        expectCode(refused, 3);
        expect(refused.stderr).toContain('by the base of `net`');
        expect(await policiesOf(all)).toEqual(before);
        expectCode(await run(['plan', 'net', '--base', 'auto']), 0);
      }),
  );

  test('stays if it gets the name of the whole policy', () =>
    applied(async all => {
      const { commit, apply } = all;
      await commit({
        'net/n.yaml': ssh([rule('con', 23)], ', lifecycle: { protect: true }'),
        'app/a.yaml': taking('"ssh / con"', ''),
      });
      const before = await policiesOf(all);
      const refused = await apply('app');
      expectCode(refused, 3);
      expect(refused.stderr).toContain('OBJECT_DUPLICATE');
      expect(await policiesOf(all)).toEqual(before);
    }));

  test('stays with any --prune of another folder', () =>
    applied(async all => {
      await all.commit({ 'app/a.yaml': 'groups: [{ name: dbs }]\npolicies: []\n' });
      const before = await policiesOf(all);
      const flags = ['--prune', 'unmanaged', ...PRUNE.slice(2), '--yes'];
      expectCode(await all.run(['apply', 'app', '--base', 'auto', ...flags]), 0);
      expect(await policiesOf(all)).toEqual(before);
    }));
});
