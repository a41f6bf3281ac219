// What a change of the files takes out of a guard is no repair of the account, whatever the base says of the names in it.
import { describe, expect, test, vi } from 'vitest';
import { type AppliedFiles, applied } from './appliedFiles.ts';
import { expectCode } from './teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = `groups:
  - { name: staff }
  - { name: vault, peers: [mia] }
  - { name: spare }
  - { name: gateways }
`;
const NETWORKS = `networks:
  - name: prod
    resources:
      - { name: db, address: 10.20.0.5, groups: [staff] }
      - { name: other, address: 10.30.0.5, groups: [staff] }
    routers: [{ peer_groups: [gateways], metric: 100, masquerade: true }]
`;
const DB = 'network_resource/prod/db';
const GUARDS = `guarded: [group/vault, ${DB}]\n`;
const TEST = 'access_tests: [{ name: nobody, from: group/staff, deny: [group/vault] }]\n';

const idOf = async ({ account }: AppliedFiles, path: string, name: string): Promise<string> => {
  const list = (await account.call('GET', path)) as { id: string; name: string }[];
  return list.find(one => one.name === name)?.id ?? '';
};

const resourcesOf = async (all: AppliedFiles): Promise<string> =>
  `/api/networks/${await idOf(all, '/api/networks', 'prod')}/resources`;

/** The files of a group's names that are exchanged by their ids. */
const groupsExchanged = async (all: AppliedFiles): Promise<string> => {
  const vault = await idOf(all, '/api/groups', 'vault');
  const spare = await idOf(all, '/api/groups', 'spare');
  return GROUPS.replace(
    '{ name: vault, peers: [mia] }',
    `{ name: vault, lifecycle: { id: ${spare} } }`,
  ).replace('{ name: spare }', `{ name: spare, peers: [mia], lifecycle: { id: ${vault} } }`);
};

describe.concurrent('swapping names in the files by `lifecycle.id`', () => {
  const start = { project: GUARDS, network: GROUPS + NETWORKS + TEST };

  test('is refused for a guarded group', () =>
    applied(start, async all => {
      const { change, apply, run } = all;
      await change({ network: (await groupsExchanged(all)) + NETWORKS + TEST });
      for (const flags of [[], ['--base', 'HEAD~1']]) {
        const refused = await apply('net', flags);
        expectCode(refused, 6);
        expect(refused.stderr).toContain('SHRINKS_GUARDED_TARGET the plan takes');
        expect(refused.stderr).toContain('peer/mia');
        expect(refused.stderr).toContain('EMPTIES_ACCESS_TEST');
        expect(refused.stdout).not.toContain('(drift)');
      }
      // Who may do so gets what the files say.
      const allowed = [
        '--allow',
        'SHRINKS_GUARDED_TARGET=group/vault',
        '--allow',
        'EMPTIES_ACCESS_TEST=nobody',
      ];
      expectCode(await apply('net', allowed), 0);
      expect((await run(['plan', 'net', '--base', 'auto'])).stdout).toContain('No changes.');
    }));

  test('is refused for a guarded network resource', () =>
    applied(start, async all => {
      const { change, apply } = all;
      const path = await resourcesOf(all);
      const db = await idOf(all, path, 'db');
      const other = await idOf(all, path, 'other');
      const exchanged = NETWORKS.replace(
        '{ name: db, address: 10.20.0.5, groups: [staff] }',
        `{ name: db, address: 10.30.0.5, groups: [staff], lifecycle: { id: ${other} } }`,
      ).replace(
        '{ name: other, address: 10.30.0.5, groups: [staff] }',
        `{ name: other, address: 10.20.0.5, groups: [staff], lifecycle: { id: ${db} } }`,
      );
      await change({ network: GROUPS + exchanged + TEST });
      for (const flags of [[], ['--base', 'HEAD~1']]) {
        const refused = await apply('net', flags);
        expectCode(refused, 6);
        expect(refused.stderr).toContain(
          `SHRINKS_GUARDED_TARGET the plan takes 10.20.0.5/32 out of ${DB}`,
        );
        expect(refused.stdout).not.toContain('(drift)');
      }
    }));

  test('is refused for networks with a guarded resource', () =>
    applied(
      { ...start, network: `${GROUPS}${NETWORKS}  - { name: second }\n${TEST}` },
      async all => {
        const { change, apply } = all;
        const prod = await idOf(all, '/api/networks', 'prod');
        const second = await idOf(all, '/api/networks', 'second');
        const moved = NETWORKS.replace(
          'name: prod',
          `name: second\n    lifecycle: { id: ${prod} }`,
        ).replace('{ name: db,', '{ name: moved, lifecycle: { was: db },');
        const taken = `{ name: prod, lifecycle: { id: ${second} }, resources: [{ name: db, address: 10.40.0.5, groups: [staff] }] }`;
        const exchanged = `${moved}  - ${taken}\n`;
        await change({ network: GROUPS + exchanged + TEST });
        for (const flags of [[], ['--base', 'HEAD~1']]) {
          const refused = await apply('net', flags);
          expectCode(refused, 6);
          expect(refused.stderr).toContain(
            `SHRINKS_GUARDED_TARGET the plan takes 10.20.0.5/32 out of ${DB}`,
          );
        }
      },
    ));

  test('counts as a repair if somebody swapped the names in the account', () =>
    applied(start, async all => {
      const { account, change, run } = all;
      const vault = await idOf(all, '/api/groups', 'vault');
      const spare = await idOf(all, '/api/groups', 'spare');
      const [mia] = (await account.call('GET', '/api/peers')) as { id: string }[];
      const put = (id: string, name: string, peers: string[]) =>
        account.call('PUT', `/api/groups/${id}`, { name, peers });
      await put(vault, 'between', [mia?.id ?? '']);
      await put(spare, 'vault', []);
      await put(vault, 'spare', [mia?.id ?? '']);
      const bound = GROUPS.replace(
        'peers: [mia] }',
        `peers: [mia], lifecycle: { id: ${vault} } }`,
      ).replace('{ name: spare }', `{ name: spare, lifecycle: { id: ${spare} } }`);
      await change({ network: bound + NETWORKS + TEST });
      const planned = await run(['plan', 'net', '--base', 'auto']);
      expectCode(planned, 0);
      expect(planned.stdout).toContain('(drift)');
      expect(planned.stdout + planned.stderr).not.toMatch(/SHRINKS|EMPTIES/);
    }));
});

describe.concurrent('removing members by enrolment from a guarded group', () => {
  const enrolled = async ({ account, ...all }: AppliedFiles) => {
    await account.enrol('tom', [await idOf({ account, ...all }, '/api/groups', 'vault')]);
  };

  test('is refused if `exact` is new', () =>
    applied({ project: GUARDS, network: GROUPS + NETWORKS }, async all => {
      const { change, apply } = all;
      await enrolled(all);
      await change({
        network:
          GROUPS.replace('peers: [mia] }', 'peers: [mia], lifecycle: { exact: [peers] } }').replace(
            '{ name: spare }',
            '{ name: spare, peers: [tom] }',
          ) + NETWORKS,
      });
      for (const flags of [[], ['--base', 'HEAD~1']]) {
        const refused = await apply('net', flags);
        expectCode(refused, 6);
        expect(refused.stderr).toContain(
          'SHRINKS_GUARDED_TARGET the plan takes peer/tom out of group/vault',
        );
        expect(refused.stderr).not.toContain('without a base');
        expect(refused.stdout).not.toContain('(drift)');
      }
    }));

  test('is a repair if `exact` is unchanged', () =>
    applied(
      {
        project: GUARDS,
        network:
          GROUPS.replace('peers: [mia] }', 'peers: [mia], lifecycle: { exact: [peers] } }') +
          NETWORKS,
      },
      async all => {
        await enrolled(all);
        const planned = await all.run(['plan', 'net', '--base', 'auto']);
        expectCode(planned, 0);
        expect(planned.stdout).toContain('(drift)');
        expect(planned.stdout + planned.stderr).not.toContain('SHRINKS');
      },
    ));
});

test.concurrent('a field that the files no longer ignore counts as a change of the files', () =>
  applied(
    {
      project: GUARDS,
      network:
        GROUPS +
        NETWORKS.replace(
          '{ name: db, address: 10.20.0.5, groups: [staff] }',
          '{ name: db, address: 10.40.0.9, groups: [staff], lifecycle: { ignore: [address] } }',
        ),
    },
    async all => {
      const { account, change, apply } = all;
      const path = await resourcesOf(all);
      const db = await idOf(all, path, 'db');
      const staff = await idOf(all, '/api/groups', 'staff');
      await account.call('PUT', `${path}/${db}`, {
        name: 'db',
        address: '10.20.0.5/32',
        enabled: true,
        groups: [staff],
      });
      await change({ network: GROUPS + NETWORKS.replace('10.20.0.5', '10.40.0.9') });
      const refused = await apply('net');
      expectCode(refused, 6);
      expect(refused.stderr).toContain(
        `SHRINKS_GUARDED_TARGET the plan takes 10.20.0.5/32 out of ${DB}`,
      );
    },
  ));
