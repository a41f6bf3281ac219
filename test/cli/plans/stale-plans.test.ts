// `apply` refuses a saved plan when the account has moved since the plan was made.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { NETWORKS, planned, writes } from './plannedFolder.ts';

describe('an account that has moved', () => {
  test('an object of the name that somebody else created: nothing at all is written', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name: 'two' });
      const before = writes(account);
      const ended = await run('apply', 'plan.json', '--yes');
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stdout).toContain('network.two was created in the account by somebody else');
      expect(writes(account)).toBe(before);
      expect(ended.stdout).toContain('create a new plan with `meshform plan` and review it');
      expect(ended.stdout + ended.stderr).not.toContain('--resume');
    }));

  test('a network that gained resources is not deleted with them', () =>
    planned(
      'networks: [{ name: old, lifecycle: { delete: true } }]',
      async ({ account, run, named }) => {
        const [old] = await named('/api/networks');
        for (const name of ['a', 'b', 'c']) {
          const resource = { name, address: `${name}.example.com`, enabled: true, groups: [] };
          await account.call('POST', `/api/networks/${old?.id}/resources`, resource);
        }
        const ended = await run('apply', 'plan.json', '--yes', '--allow', 'DELETES_OBJECT');
        expect(ended).toMatchObject({ code: 5 });
        expect(ended.stdout).toContain('network.old has 3 network resources more than when');
        expect(await named('/api/networks')).toHaveLength(1);
      },
      {
        seed: async account => {
          const { id } = (await account.call('POST', '/api/networks', {
            name: 'old',
          })) as JsonObject;
          const resource = { name: 'x', address: '10.0.0.1', enabled: true, groups: [] };
          await account.call('POST', `/api/networks/${id}/resources`, resource);
        },
      },
    ));

  test('what is gone already needs no delete, and what is there already no update', () =>
    planned(
      `groups: [{ name: gone, lifecycle: { delete: true } }]
networks: [{ name: n, description: new }]`,
      async ({ account, run, named }) => {
        const [group] = (await named('/api/groups')).filter(({ name }) => name === 'gone');
        const [network] = await named('/api/networks');
        await account.call('DELETE', `/api/groups/${group?.id}`);
        await account.call('PUT', `/api/networks/${network?.id}`, {
          name: 'n',
          description: 'new',
        });
        const before = writes(account);
        expect(await run('apply', 'plan.json', '--yes', '--allow', 'DELETES_OBJECT')).toMatchObject(
          {
            code: 0,
          },
        );
        expect(writes(account)).toBe(before);
      },
      {
        seed: async account => {
          await account.call('POST', '/api/groups', { name: 'gone' });
          await account.call('POST', '/api/networks', { name: 'n', description: 'old' });
        },
      },
    ));
});

test('a plan that is refused leaves no journal to resume', () =>
  planned(NETWORKS, async ({ account, run, folder }) => {
    await account.call('POST', '/api/networks', { name: 'two' });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 5 });
    const names = await readdir(join(folder, 'network/.meshform/journal'));
    expect(names).toEqual(['.gitignore']);
  }));
