// `plan check --same-as`: whether a saved plan does the same as another one, which was made from the same files now.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { NETWORKS, planned, type Setting } from './plannedFolder.ts';

/** Compares the saved plan with one of other files, made now. */
async function comparedWith({ folder, run }: Setting, text: string, ...flags: readonly string[]) {
  await writeFile(join(folder, 'network/network.yaml'), text);
  const made = await run('plan', 'network', '--out', 'now.json', ...flags);
  expect(made, made.stderr).toMatchObject({ code: 0 });
  return run('plan', 'check', 'plan.json', '--same-as', 'now.json');
}

/** Others put something into the account. */
const adds = ({ account }: Setting, path: string, body: JsonObject) =>
  account.call('POST', path, body);

describe('making a plan again', () => {
  test('gives the same plan if others changed other objects', () =>
    planned(NETWORKS, async setting => {
      await adds(setting, '/api/groups', { name: 'of others' });
      await adds(setting, '/api/networks', { name: 'of others' });
      const ended = await comparedWith(setting, NETWORKS);
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(ended.stdout).toContain('The plan is fresh.');
      expect(ended.stdout).toContain('`now.json` does the same.');
    }));

  test('gives the same plan if others changed another part of its object', () =>
    planned(
      'networks: [{ name: one, description: by us }]',
      async setting => {
        const [one] = await setting.named('/api/networks');
        await setting.account.call('POST', `/api/networks/${one?.id}/resources`, {
          name: 'r',
          address: '10.1.0.0/24',
          groups: [],
          enabled: true,
        });
        const ended = await comparedWith(setting, 'networks: [{ name: one, description: by us }]');
        expect(ended, ended.stdout).toMatchObject({ code: 0 });
      },
      { seed: account => account.call('POST', '/api/networks', { name: 'one' }).then(() => {}) },
    ));
});

describe('the plan of a branch, and a plan of the merged files', () => {
  const LIVE = 'groups: [{ name: devs }]\n';
  const CHANGE = `${LIVE}networks: [{ name: one }]\n`;
  const OTHERS =
    'posture_checks: [{ name: new, checks: { nb_version_check: { min_version: 0.32.0 } } }]\n';

  /** Plans a change of a branch, and the merged files after the merge of others, of which nothing was applied yet. */
  const merged = async ({ folder, run }: Setting, text: string) => {
    const write = (name: string, files: string) => writeFile(join(folder, name), files);
    await mkdir(join(folder, 'merged'));
    await write('network/network.yaml', LIVE);
    expect(await run('apply', 'network', '--yes')).toMatchObject({ code: 0 });
    await mkdir(join(folder, 'base'));
    await write('base/network.yaml', LIVE);
    await write('network/network.yaml', CHANGE);
    const plan = ['plan', 'network', '--prune', 'removed', '--base'];
    expect(await run(...plan, 'base', '--out', 'plan.json')).toMatchObject({ code: 0 });
    await write('merged/network.yaml', `${LIVE}${OTHERS}`);
    await write('network/network.yaml', text);
    expect(await run(...plan, 'merged', '--out', 'now.json')).toMatchObject({ code: 0 });
    return run('plan', 'check', 'plan.json', '--same-as', 'now.json');
  };

  test('are the same plan: changes that others merged are not compared', () =>
    planned(NETWORKS, async setting => {
      const ended = await merged(setting, `${CHANGE}${OTHERS}`);
      expect(ended, ended.stdout).toMatchObject({ code: 0 });
    }));

  test('are different if the merge changes other objects too', () =>
    planned(NETWORKS, async setting => {
      const text = `networks: [{ name: one }, { name: two }]\n${OTHERS}`;
      const { code, stdout } = await merged(setting, text);
      expect(code).toBe(5);
      expect(stdout).toContain('Differs: network.two is created only by `now.json`');
      expect(stdout).toContain('Differs: group.devs is deleted only by `now.json`');
      expect(stdout).toContain('`now.json` does not do the same: 2 differences.');
    }));
});

describe('a different plan', () => {
  test('ends with 5 and shows changes that only one of the plans makes', () =>
    planned(NETWORKS, async setting => {
      const { code, stdout } = await comparedWith(setting, NETWORKS.replace('three', 'four'));
      expect(code).toBe(5);
      expect(stdout).toContain('Differs: network.three is created only by `plan.json`');
      expect(stdout).toContain('Differs: network.four is created only by `now.json`');
      expect(stdout).toContain('`now.json` does not do the same: 2 differences.');
    }));

  test('ends with 5 and names the fields of an object with different values', () =>
    planned(NETWORKS, async setting => {
      const { code, stdout } = await comparedWith(setting, NETWORKS.replace('443', '22'));
      expect(code).toBe(5);
      expect(stdout).toMatch(
        /Differs: policy\["devs reach devs"\][^:]* is created with different rules/,
      );
    }));

  test('ends with 5 if it grants more now, because others changed what its names refer to', () =>
    planned(
      NETWORKS,
      async setting => {
        const groups = await setting.named('/api/groups');
        const [devs, routers] = ['devs', 'routers'].map(wanted =>
          String(groups.find(({ name }) => name === wanted)?.id),
        );
        await adds(setting, '/api/networks', { name: 'of others' });
        const [network] = await setting.named('/api/networks');
        const inside = `/api/networks/${network?.id}`;
        const resource = {
          name: 'safe',
          address: '10.2.0.0/24',
          enabled: true,
          groups: [devs ?? ''],
        };
        await adds(setting, `${inside}/resources`, resource);
        const router = { peer_groups: [routers ?? ''], metric: 1, masquerade: true, enabled: true };
        await adds(setting, `${inside}/routers`, router);
        const { code, stdout } = await comparedWith(setting, NETWORKS);
        expect(stdout).toContain('Differs: group/devs gains tcp/443 to');
        expect(code).toBe(5);
      },
      {
        seed: async account => {
          for (const name of ['devs-1', 'routers-1']) await account.enrol(name);
          const policies = (await account.call('GET', '/api/policies')) as JsonObject[];
          for (const { id } of policies) await account.call('DELETE', `/api/policies/${id}`);
          const peers = (await account.call('GET', '/api/peers')) as JsonObject[];
          for (const [i, name] of ['devs', 'routers'].entries())
            await account.call('POST', '/api/groups', { name, peers: [String(peers[i]?.id)] });
        },
      },
    ));

  test('ends with 5 if only its files loosen or remove a guard', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      const write = (name: string, text: string) => writeFile(join(folder, name), text);
      await mkdir(join(folder, 'base'));
      await write('base/network.yaml', NETWORKS);
      await write('base/meshform.yaml', 'guarded: [group/devs]\n');
      await write('network/network.yaml', NETWORKS.replace('{ name: three }', '{ name: four }'));
      await write('network/meshform.yaml', 'guarded: [group/devs]\n');
      const plan = (file: string, ...more: string[]) =>
        run('plan', 'network', '--base', 'base', '--out', file, ...more);
      const check = (approved: string, now: string) =>
        run('plan', 'check', approved, '--same-as', now);
      expect(await plan('approved.json')).toMatchObject({ code: 0 });
      await write('network/meshform.yaml', '{}\n');
      expect(await plan('now.json')).toMatchObject({ code: 0 });
      expect(await plan('flag.json', '--allow', 'LOOSENS_GUARDS')).toMatchObject({ code: 0 });
      const loosened = await check('approved.json', 'now.json');
      expect(loosened.code).toBe(5);
      expect(loosened.stdout).toContain(
        'Differs: guarded group/devs is removed only by `now.json`',
      );
      expect(await check('now.json', 'now.json')).toMatchObject({ code: 0 });
      expect(await check('now.json', 'approved.json')).toMatchObject({ code: 0 });
      const taken = await check('now.json', 'flag.json');
      expect(taken.code).toBe(5);
      expect(taken.stdout).toContain('only `flag.json` removes it with --allow');
    }));

  test('is shown by an entry in the JSON document', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      await writeFile(join(folder, 'network/network.yaml'), 'groups: [{ name: devs }]');
      await run('plan', 'network', '--out', 'now.json');
      const check = ['plan', 'check', 'now.json', '--same-as', 'plan.json', '--format', 'json'];
      const { code, stdout } = await run(...check);
      expect(code).toBe(5);
      const document = JSON.parse(stdout);
      expect(document).toMatchObject({ fresh: true, same: false });
      expect(document.differences).toContainEqual({
        address: 'network.one',
        message: 'network.one is created only by `plan.json`',
      });
    }));

  test('an edited file, or a file that is not a plan, ends the command with 3', () =>
    planned(NETWORKS, async ({ folder, run }) => {
      await writeFile(join(folder, 'other.json'), '{}');
      for (const file of ['other.json', 'missing.json'])
        expect(await run('plan', 'check', 'plan.json', '--same-as', file)).toMatchObject({
          code: 3,
          stdout: '',
        });
    }));
});
