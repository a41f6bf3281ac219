// Drift of a folder does not depend on what is wrong in the other folders of the account.
import { describe, expect, test } from 'vitest';
import { expectCode, groupsIn, teams } from './teams.ts';

const NETWORKS = (description: string) => `networks: [{ name: n, description: ${description} }]\n`;

describe.concurrent('drift of a folder', () => {
  test('reports an object that two folders declare, and all other drift', () =>
    teams(async ({ id, account, run, apply, commit }) => {
      await commit({
        'netops/meshform.yaml': `account: ${id}\n`,
        'netops/n.yaml': `${NETWORKS('ours')}groups: [{ name: g }]\n`,
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/n.yaml': 'groups: [{ name: a }]\n',
      });
      expectCode(await apply('netops'), 0);
      await commit({ 'appteam/n.yaml': NETWORKS('mine') });
      const twice = await run(['drift', 'netops']);
      expectCode(twice, 2);
      expect(twice.stderr).toContain('warning OBJECT_DUPLICATE');
      expect(twice.stderr).toContain('by `appteam` at appteam/n.yaml:1:12');
      expect(twice.stdout).toContain('# network.n is declared by two folders');
      expect(twice.stdout).toContain(
        'Drift: 0 changed, 0 missing, 0 not removed, 1 declared twice.',
      );

      const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
      await account.call('DELETE', `/api/groups/${groups.find(({ name }) => name === 'g')?.id}`);
      const missing = await run(['drift', 'netops', '--format', 'markdown']);
      expectCode(missing, 2);
      expect(missing.stdout).toContain('| `group.g` | is missing from the account |');
      expect(missing.stdout).toContain('| `network.n` | is declared by two folders |');
      const document = await run(['drift', 'netops', '--format', 'json']);
      expectCode(document, 2);
      const { resource_drift: drifted, meshform } = JSON.parse(document.stdout);
      expect(drifted.map(({ address }: { address: string }) => address).sort()).toEqual([
        'group.g',
        'network.n',
      ]);
      expect(JSON.stringify(meshform.attribution)).toContain('two folders declare it');
      expectCode(await run(['plan', 'netops']), 3);
      const compared = await run(['drift', 'netops', '--base', 'auto', '--format', 'json']);
      expectCode(compared, 2);
      expect(JSON.parse(compared.stdout).meshform.base.commits).toHaveLength(1);
    }));

  test('drift of a part that is no longer declared does not need the files of other folders', () =>
    teams(async ({ id, run, apply, commit }) => {
      const rule = (name: string) =>
        `{ name: ${name}, sources: [s], destinations: [d], protocol: all, bidirectional: true }`;
      const policy = (...rules: readonly string[]) =>
        `groups: [{ name: s }, { name: d }]\npolicies: [{ name: p, rules: [${rules.map(rule).join(', ')}] }]\n`;
      await commit({ ...groupsIn('netops', id, []), 'netops/groups.yaml': policy('a', 'b', 'c') });
      expectCode(await apply('netops'), 0);
      await commit({
        'netops/groups.yaml': policy('a', 'b'),
        'appteam/meshform.yaml': `account: ${id}\n`,
        'appteam/groups.yaml': 'groups: [{ nam: a }]\n',
      });
      for (const base of [[], ['--base', 'auto']])
        expect((await run(['drift', 'netops', ...base])).code).not.toBe(3);
    }, 'netbird'));
});
