// `apply` refuses a saved plan when the account has moved since the plan was made.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { onlyFolderIn } from '../../support/journals.ts';
import { NETWORKS, planned, writes } from './plannedFolder.ts';

describe('applying a saved plan after the account changed', () => {
  test('writes nothing at all if the account has a new object of the same name', () =>
    planned(NETWORKS, async ({ account, run }) => {
      await account.call('POST', '/api/networks', { name: 'two' });
      const before = writes(account);
      const ended = await run('apply', 'plan.json', '--yes');
      expect(ended).toMatchObject({ code: 5 });
      expect(ended.stdout).toContain(
        'network.two was created in the account since the plan was made',
      );
      expect(writes(account)).toBe(before);
      expect(ended.stdout).toContain('create a new plan with `meshform plan` and review it');
      expect(ended.stdout + ended.stderr).not.toContain('--resume');
    }));

  test('does not delete a network that gained resources', () =>
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

  test('skips the delete of a missing object, and the update of an object that is as planned', () =>
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

describe('a saved plan is stale if a name was taken meanwhile', () => {
  const RESOURCES = `networks:
  - { name: office, resources: [{ name: wiki, address: 10.0.0.5, groups: [] }] }
  - { name: lab }`;

  test.each(['spec', 'netbird'])(
    'a plan is stale if the name was taken in another network, in dialect %s',
    dialect =>
      planned(
        RESOURCES,
        async ({ account, run, named }) => {
          const lab = (await named('/api/networks')).find(({ name }) => name === 'lab');
          const body = { name: 'wiki', address: '10.9.0.5', enabled: true, groups: [] };
          await account.call('POST', `/api/networks/${lab?.id}/resources`, body);
          const before = writes(account);
          const checked = await run('plan', 'check', 'plan.json');
          const ended = await run('apply', 'plan.json', '--yes');
          for (const { code, stdout } of [checked, ended]) {
            expect(code).toBe(5);
            expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
              'network_resource.office/wiki has a name that an object of the account took since the plan was made (id ',
            );
          }
          expect(writes(account)).toBe(before);
        },
        {
          dialect: dialect === 'spec' ? 'spec' : 'netbird',
          seed: async account => {
            await account.call('POST', '/api/networks', { name: 'office' });
            await account.call('POST', '/api/networks', { name: 'lab' });
          },
        },
      ),
  );

  test('a plan is stale if the taken name is used by a rename', () =>
    planned(
      'groups: [{ name: developers, lifecycle: { was: devs } }, { name: new }]',
      async ({ account, run }) => {
        await account.call('POST', '/api/groups', { name: 'developers' });
        const before = writes(account);
        const ended = await run('apply', 'plan.json', '--yes');
        expect(ended).toMatchObject({ code: 5 });
        expect(ended.stdout).toContain('group.developers has a name that an object of the account');
        expect(writes(account)).toBe(before);
      },
      { seed: async account => void (await account.call('POST', '/api/groups', { name: 'devs' })) },
    ));

  test('a plan is not stale if the plan itself frees the name', () => {
    const ids: string[] = [];
    return planned(
      () =>
        `groups: [{ name: b, lifecycle: { id: ${ids[0]} } }, { name: a, lifecycle: { id: ${ids[1]} } }]`,
      async ({ run }) => {
        expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 0 });
      },
      {
        seed: async account => {
          for (const name of ['a', 'b']) {
            const made = (await account.call('POST', '/api/groups', { name })) as JsonObject;
            ids.push(String(made.id));
          }
        },
      },
    );
  });
});

test('an object that an earlier apply of the plan created is not attributed to somebody else', () =>
  planned(NETWORKS, async ({ account, run }) => {
    await account.fault({ method: 'POST', path: '/api/policies', effect: 'status', status: 400 });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 4 });
    const ended = await run('apply', 'plan.json', '--yes');
    expect(ended).toMatchObject({ code: 5 });
    expect(ended.stdout).toContain('network.two was created by an earlier apply of this plan');
    expect(ended.stdout).not.toMatch(/somebody else|create a new plan/);
    expect(ended.stderr).toContain('Continue it with `meshform apply --resume');
  }));

test('a refused plan leaves no journal to resume', () =>
  planned(NETWORKS, async ({ account, run, folder }) => {
    await account.call('POST', '/api/networks', { name: 'two' });
    expect(await run('apply', 'plan.json', '--yes')).toMatchObject({ code: 5 });
    const names = await readdir(onlyFolderIn(join(folder, 'journals')));
    expect(names).toEqual(['.gitignore']);
  }));
