// DNS records: a domain resource is also the addresses that records of the account or of the plan lead it to.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { BEFORE, DB, idOf, listOf, meshformOf, refused, started, testsOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
});
afterEach(() => account.close());

const NAME = 'db.internal';
const RECORD = (content: string) => `dns:
  zones:
    - domain: internal
      name: names
      distribution_groups: [engineers]
      records: [{ name: ${NAME}, type: A, content: ${content} }]
`;
const COPY = (network: string) =>
  `${network.replace(
    'resources:',
    `resources:\n      - { name: copy, address: ${NAME}, groups: [copies] }`,
  )}  - name: copies
    rules:
      - { name: copies, sources: [engineers], destinations: [copies], protocol: tcp, ports: ["5432"] }
`.replace('groups:\n', 'groups:\n  - name: copies\n');

const GUARDED = { 'meshform.yaml': `guarded: [${DB}]\n` };
const RESOURCE = 'network_resource/production/copy';
const ALLOWED = ['--allow', `WIDENS_GUARDED_ACCESS=${DB}`];

test('a domain resource with a record for a guarded address opens it', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(COPY(BEFORE) + RECORD('10.20.0.5'), GUARDED);
    const { stderr } = await refused(account, folder);
    expect(stderr).toContain('WIDENS_GUARDED_ACCESS');
    await want(COPY(BEFORE) + RECORD('10.20.0.6'), GUARDED);
    expect((await run('plan')).stdout).toContain('none is affected');
    await want(COPY(BEFORE) + RECORD('10.20.0.5'), {
      'meshform.yaml': '',
      'tests.yaml': testsOf({ from: 'group/engineers', deny: [DB] }),
    });
    expect((await run('test')).code).toBe(6);
    await refused(account, folder);
  }));

test('a record that moves an existing domain is a gain with its cause', () =>
  started(
    account,
    async folder => {
      const { want, run } = folder;
      await want(COPY(BEFORE) + RECORD('10.20.0.5'), GUARDED);
      const planned = await run('plan', '--no-new-access', '--format', 'json');
      expect(planned.code).toBe(6);
      const { access, access_changes, access_hazards } = meshformOf(planned);
      expect(access.pairs).toEqual({ gained: 2, lost: 2 });
      const [gained] = access_changes;
      expect(gained).toMatchObject({ from: 'group/engineers', to: RESOURCE, address: '10.20.0.5' });
      expect(gained.causes).toEqual([expect.stringContaining('dns_record')]);
      expect(access_hazards).toMatchObject([{ code: 'WIDENS_GUARDED_ACCESS', target: DB }]);
      await refused(account, folder);
      expect((await run('apply', '--yes', ...ALLOWED)).code).toBe(0);
    },
    COPY(BEFORE) + RECORD('10.9.9.9'),
  ));

const STAYS = `    - domain: stays.internal
      name: stays
      distribution_groups: [engineers]
      records: [{ name: a.stays.internal, type: A, content: 10.9.9.9 }]
`;
const COPIED = COPY(BEFORE) + RECORD('10.20.0.6') + STAYS;

test('a network resource that is deleted with the zone of its name is a loss at its name and at its address', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(`${COPY(BEFORE).replace(/ +- \{ name: copy.*\n/, '')}dns:\n  zones:\n${STAYS}`);
      const planned = await run('plan', '--prune', 'unmanaged', '--format', 'json');
      expect(planned.code, planned.stderr).toBe(0);
      const { access, access_changes } = meshformOf(planned);
      expect(
        access_changes.map(({ change, address }: Record<string, string>) => [change, address]),
      ).toEqual([
        ['lost', NAME],
        ['lost', '10.20.0.6'],
      ]);
      expect(access.pairs).toEqual({ gained: 0, lost: 4 });
    },
    COPIED,
  ));

test('a record that somebody created in the account counts, also for a saved plan', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const engineers = await idOf(account, 'groups', 'engineers');
    const zone = { name: 'names', domain: 'internal', distribution_groups: [engineers] };
    await account.call('POST', '/api/dns/zones', zone);
    const [made] = await listOf(account, 'dns/zones');
    await want(COPY(BEFORE), GUARDED);
    expect((await run('plan', '--out', 'plan.json')).stdout).toContain('none is affected');
    const record = { name: NAME, type: 'A', content: '10.20.0.5', ttl: 60 };
    await account.call('POST', `/api/dns/zones/${made?.id}/records`, record);
    await refused(account, folder, 'plan.json');
    const { stderr } = await refused(account, folder);
    expect(stderr).toContain('WIDENS_GUARDED_ACCESS');
    expect((await run('apply', '--yes', ...ALLOWED)).code).toBe(0);
    const words = ['from', 'group/engineers', 'to', '10.20.0.5:tcp/5432'];
    expect((await run('access', ...words, '--live')).stdout).toContain(RESOURCE);
    await run('export', '--state', 'account.json');
    expect((await run('access', ...words, '--state', 'account.json')).stdout).toContain(RESOURCE);
  }));
