// Machines by their addresses and names in the overlay network: what is for one of these reaches the machine.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { BEFORE, listOf, meshformOf, refused, started } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
});
afterEach(() => account.close());

const TARGET = 'peer/jump';
const MACHINES = ['mia', 'tom', 'jump', 'gw'];
const GUARDED = { 'meshform.yaml': `guarded: [group/bastions, ${TARGET}]\n` };
const RESOURCE = 'network_resource/production/copy';

/** Engineers reach a network resource at an address. */
const roadTo = (address: string) =>
  `${BEFORE.replace(
    'resources:',
    `resources:\n      - { name: copy, address: ${address}, groups: [copies] }`,
  )}  - name: copies
    rules:
      - { name: copies, sources: [engineers], destinations: [copies], protocol: tcp, ports: ["5432"] }
`.replace('groups:\n', 'groups:\n  - name: copies\n');

const machine = async (name: string) =>
  (await listOf(account, 'peers')).find(one => one.name === name);

test('a machine that gets the address of a network resource becomes reachable through it', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const { ip } = (await machine('jump')) ?? {};
    const unused = String(ip).replace(/\d+$/, last => (last === '77' ? '78' : '77'));
    await want(roadTo(unused), GUARDED);
    expect((await run('apply', '--yes')).code).toBe(0);
    const wanted = `${roadTo(unused)}peers: [{ name: jump, ip: ${unused} }]\n`;
    await want(wanted, {
      'meshform.yaml': `${GUARDED['meshform.yaml']}access_thresholds: { gained: 0 }\n`,
    });
    const planned = meshformOf(await run('plan', '--format', 'json'));
    expect(planned.access.pairs).toEqual({ gained: 2, lost: 0 });
    expect(planned.access_changes).toMatchObject([
      { from: 'group/engineers', to: RESOURCE, address: unused, causes: ['peer.jump'] },
    ]);
    const codes = planned.access_hazards.map((one: { code: string }) => one.code);
    expect(codes).toEqual(['WIDENS_ACCESS', 'WIDENS_GUARDED_ACCESS', 'WIDENS_GUARDED_ACCESS']);
    await refused(account, folder);
    await want(wanted, { 'meshform.yaml': '' });
    await refused(account, folder, '--no-new-access');
    expect((await run('apply', '--yes')).code).toBe(0);
    const words = ['access', 'from', 'group/engineers', 'to', TARGET, '--live'];
    expect((await run(...words)).stdout).toContain(RESOURCE);
  }));

test(
  'a machine that gets the address of a record becomes reachable through the domain, also without a guard',
  { tags: 'variation' },
  () =>
    started(account, async folder => {
      const { want, run } = folder;
      const { ip } = (await machine('jump')) ?? {};
      const unused = String(ip).replace(/\d+$/, last => (last === '77' ? '78' : '77'));
      const road = `${roadTo('jump.internal')}dns:
  zones:
    - domain: internal
      name: names
      distribution_groups: [engineers]
      records: [{ name: jump.internal, type: A, content: ${unused} }]
`;
      await want(road);
      expect((await run('apply', '--yes')).code).toBe(0);
      await want(`peers: [{ name: jump, ip: ${unused} }]\n`);
      await refused(account, folder, '--no-new-access');
    }),
);

test('a network resource at the DNS name of a guarded machine opens it', () =>
  started(account, async folder => {
    const { want } = folder;
    const { dns_label } = (await machine('jump')) ?? {};
    const name = String(dns_label);
    for (const road of [name, name.replace(/^[^.]+/, '*')]) {
      await want(roadTo(JSON.stringify(road)), GUARDED);
      const { stderr } = await refused(account, folder);
      expect(stderr).toContain(`WIDENS_GUARDED_ACCESS=${TARGET}`);
    }
  }));

test('a machine that gets the name of a network resource becomes reachable through it', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const { dns_label } = (await machine('jump')) ?? {};
    const waiting = String(dns_label).replace(/^[^.]+/, 'Ops-1');
    await want(roadTo(waiting), GUARDED);
    expect((await run('apply', '--yes')).code).toBe(0);
    const renamed = `${roadTo(waiting)}peers: [{ name: Ops 1.office, lifecycle: { was: jump } }]\n`;
    const guarded = {
      'meshform.yaml': GUARDED['meshform.yaml'].replace(TARGET, 'peer/Ops 1.office'),
    };
    await want(renamed, guarded);
    const planned = meshformOf(await run('plan', '--format', 'json'));
    expect(planned.access.pairs).toEqual({ gained: 2, lost: 0 });
    expect(planned.access_changes).toMatchObject([
      { from: 'group/engineers', to: RESOURCE, causes: ['peer["Ops 1.office"]'] },
    ]);
    await refused(account, folder);
    await want(renamed, { 'meshform.yaml': '' });
    await refused(account, folder, '--no-new-access');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await machine('Ops 1.office'))?.dns_label).toBe(waiting.toLowerCase());
  }));

test(
  'machines that get the domain of a network resource become reachable through it',
  { tags: 'variation' },
  () =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(roadTo('jump.corp.internal'), GUARDED);
      expect((await run('apply', '--yes')).code).toBe(0);
      const moved = `${roadTo('jump.corp.internal')}account_settings: { dns_domain: corp.internal }\n`;
      await want(moved, GUARDED);
      const planned = meshformOf(await run('plan', '--format', 'json'));
      expect(planned.access.pairs).toEqual({ gained: 2, lost: 0 });
      expect(planned.access_changes).toMatchObject([
        { from: 'group/engineers', to: RESOURCE, causes: ['account_settings.account'] },
      ]);
      await refused(account, folder, '--allow', 'RENAMES_MACHINES');
      await want(moved, { 'meshform.yaml': '' });
      await refused(account, folder, '--no-new-access', '--allow', 'RENAMES_MACHINES');
      expect((await run('apply', '--yes', '--allow', 'RENAMES_MACHINES')).code).toBe(0);
      expect((await machine('jump'))?.dns_label).toBe('jump.corp.internal');
    }),
);

describe('after a change of the overlay network range, the new range', () => {
  const RENUMBERED = 'account_settings: { network_range: 192.168.0.0/24 }\n';
  const FLAGS = ['--allow', 'RENUMBERS_MACHINES'] as const;

  test.each(['192.168.0.0/16', '192.168.0.7'])('is opened by a network resource at %s', address =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(roadTo(address));
      expect((await run('apply', '--yes')).code).toBe(0);
      const tests = `access_tests: [{ name: stay out, from: group/engineers, deny: ["${TARGET}:tcp/5432"] }]\n`;
      await want(roadTo(address) + RENUMBERED, GUARDED);
      const { stderr, stdout } = await refused(account, folder, ...FLAGS);
      expect(stderr).toContain(`WIDENS_GUARDED_ACCESS=${TARGET}`);
      expect(stdout).toContain('because of account_settings');
      await want(roadTo(address) + RENUMBERED + tests, { 'meshform.yaml': '' });
      expect((await refused(account, folder, ...FLAGS)).stderr).toContain('1 access test failed');
      await want(roadTo(address) + RENUMBERED);
      await refused(account, folder, ...FLAGS, '--no-new-access');
      const { code, stderr: said } = await run('apply', '--yes', ...FLAGS);
      expect(code, said).toBe(0);
      // The server has chosen, and the same files change nothing.
      expect((await run('plan')).stdout).toContain('No changes.');
    }),
  );

  test('is not opened by an object whose range does not overlap it', () =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(roadTo('10.99.0.0/16'));
      expect((await run('apply', '--yes')).code).toBe(0);
      await want(roadTo('10.99.0.0/16') + RENUMBERED, GUARDED);
      const { code, stderr } = await run('apply', '--yes', ...FLAGS, '--no-new-access');
      expect(code, stderr).toBe(0);
    }));

  test('is opened only at the addresses that the files name', () =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(roadTo('192.168.0.7'));
      expect((await run('apply', '--yes')).code).toBe(0);
      const named = MACHINES.map((name, at) => `{ name: ${name}, ip: 192.168.0.${20 + at} }`);
      await want(`${roadTo('192.168.0.7')}${RENUMBERED}peers: [${named.join(', ')}]\n`, GUARDED);
      const { code, stderr } = await run('plan', ...FLAGS, '--no-new-access');
      expect(code, stderr).toBe(0);
    }));
});

describe('machines that get an IPv6 address', () => {
  const enabled = (...groups: readonly string[]) =>
    `account_settings: { ipv6_enabled_groups: [${groups.join()}] }\n`;
  const TESTS = `access_tests: [{ name: stay out, from: group/engineers, deny: ["${TARGET}:tcp/5432"] }]\n`;
  const FEWER = ['--allow', 'LOSES_IPV6'] as const;
  const joined = (road: string) =>
    road.replace('- name: gateways', '- { name: gateways, peers: [jump] }');

  async function rangeV6(): Promise<string> {
    const [{ settings } = {}] = (await account.call('GET', '/api/accounts')) as {
      settings: { network_range_v6: string };
    }[];
    return String(settings?.network_range_v6);
  }

  test('machines that get an IPv6 address by the account settings become reachable through objects for its range', () =>
    started(account, async folder => {
      const { want, run } = folder;
      const road = roadTo(await rangeV6());
      await want(road + enabled('engineers'));
      expect((await run('apply', '--yes', ...FEWER)).code).toBe(0);
      expect((await machine('jump'))?.ipv6).toBeUndefined();
      const wanted = road + enabled('engineers', 'bastions');
      await want(wanted, GUARDED);
      const { stderr, stdout } = await refused(account, folder);
      expect(stderr).toContain(`WIDENS_GUARDED_ACCESS=${TARGET}`);
      expect(stdout).toContain('because of account_settings');
      await want(wanted + TESTS, { 'meshform.yaml': '' });
      expect((await refused(account, folder)).stderr).toContain('1 access test failed');
      await want(wanted);
      await refused(account, folder, '--no-new-access');
      expect((await run('apply', '--yes', ...FEWER)).code).toBe(0);
      expect((await machine('jump'))?.ipv6).toBeDefined();
      // What was said before the apply is what holds after it.
      const words = ['access', 'from', 'group/engineers', 'to', TARGET, '--live'];
      expect((await run(...words)).stdout).toContain(RESOURCE);
      await want(road + enabled('engineers'));
      const { pairs } = meshformOf(await run('plan', '--format', 'json')).access;
      expect(pairs).toEqual({ gained: 0, lost: 2 });
    }));

  test(
    'machines that get an IPv6 address by joining a group become reachable through objects for the range, and through a domain that resolves into it',
    { tags: 'variation' },
    () =>
      started(account, async folder => {
        const { want, run } = folder;
        const range = await rangeV6();
        const record = `dns:
  zones:
    - domain: internal
      name: names
      distribution_groups: [engineers]
      records: [{ name: v6.internal, type: AAAA, content: "${range.replace(/:*\/\d+$/, '::77')}" }]
`;
        for (const road of [roadTo(range), `${roadTo('v6.internal')}${record}`]) {
          await want(road + enabled('gateways'));
          expect((await run('apply', '--yes', ...FEWER)).code).toBe(0);
          await want(joined(road), GUARDED);
          const { stderr, stdout } = await refused(account, folder);
          expect(stderr).toContain(`WIDENS_GUARDED_ACCESS=${TARGET}`);
          expect(stdout).toContain('because of group.gateways');
          await want(joined(road), { 'meshform.yaml': '' });
          await refused(account, folder, '--no-new-access');
          expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
          await refused(account, folder, 'plan.json', '--no-new-access');
        }
        // A guard of a part of the range is a guard of whoever may get an address there.
        await want(BEFORE + enabled('gateways'));
        expect((await run('apply', '--yes', ...FEWER)).code).toBe(0);
        await want(joined(BEFORE), { 'meshform.yaml': `guarded: ["${range}"]\n` });
        expect((await refused(account, folder)).stderr).toContain('WIDENS_GUARDED_ACCESS');
      }),
  );

  test('do not become reachable through objects for other addresses', () =>
    started(account, async folder => {
      const { want, run } = folder;
      const road = roadTo('2001:db8::/32');
      await want(road + enabled('gateways'));
      expect((await run('apply', '--yes', ...FEWER)).code).toBe(0);
      await want(joined(road) + enabled('gateways', 'bastions'), GUARDED);
      const { code, stderr } = await run('plan', '--no-new-access');
      expect(code, stderr).toBe(0);
    }));
});

test('a machine that takes the address of another machine is reported with the objects that open that address', () =>
  started(account, async folder => {
    const { want, run } = folder;
    const { ip } = (await machine('jump')) ?? {};
    const other = String(ip).replace(/\d+$/, last => (last === '77' ? '78' : '77'));
    const records = (name: string) => `${BEFORE}dns:
  zones:
    - domain: internal
      name: names
      distribution_groups: [engineers]
      records: [{ name: ${name}, type: A, content: ${name.startsWith('jump') ? ip : '192.0.2.7'} }]
`;
    const moved = `peers: [{ name: jump, ip: ${other} }, { name: tom, ip: ${ip} }]\n`;
    for (const [name, says] of [
      ['wiki.internal', false],
      ['jump.internal', true],
    ] as const) {
      await want(records(name), { 'meshform.yaml': '' });
      const first = await run('apply', '--yes');
      expect(first.code, first.stdout + first.stderr).toBe(0);
      await want(records(name) + moved);
      const { diagnostics } = meshformOf(await run('plan', '--format', 'json'));
      const found = diagnostics.filter(({ code }: { code: string }) => code === 'NAME_MOVES');
      expect(found.map(({ message }: { message: string }) => message)).toEqual(
        says
          ? [`${ip} is the address of peer/tom instead of peer/jump, and \`${name}\` leads there`]
          : [],
      );
    }
  }));
