// Applies at the end of something: which flags they need, which guards hold, and which clocks they believe.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { EDR_BODIES } from '../../emulator/bodies.ts';
import { namesOf, withEndedFolder } from './endedFolder.ts';
import { GRANT, GROUPS, HIDING, led, rule } from './hidingRecord.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

const AFTER = '2026-12-02T00:00:00Z';

const POLICY = `${GROUPS}policies:\n  - { name: grant, lifecycle: { until: 2026-12-01 }, rules: [${rule('[contractors]')}] }\n`;
const MEMBER = `${GROUPS}policies:\n  - { name: grant, rules: [${rule('[staff, { name: contractors, until: 2026-12-01 }]')}] }\n`;

/** An account in which the files were applied in November, and whose clock then moved on. */
const applied = (
  files: Readonly<Record<string, string>>,
  use: Parameters<typeof withEndedFolder>[0],
) =>
  withEndedFolder(async folder => {
    await folder.account.enrol('ada');
    await folder.account.enrol('db');
    await folder.write(files);
    const { code, stderr } = await folder.run(['apply', 'network', '--yes']);
    expect([code, stderr]).toMatchObject([0, expect.not.stringContaining('Error')]);
    folder.at(AFTER);
    await use(folder);
  });

test('an apply removes expired objects and members, and needs no flag but --yes', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, account }) => {
    const { code, stdout } = await run(['apply', 'network', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('has ended: until 2026-12-01');
    expect(stdout).toContain('policy grant, until 2026-12-02T00:00:00Z');
    expect(await namesOf(account, 'policies')).toEqual([]);
    const again = await run(['plan', 'network', '--detailed-exitcode']);
    expect(again.code).toBe(0);
  }));

test('a saved plan removes expired objects too, and its document records the time', () =>
  applied({ 'a.yaml': MEMBER }, async ({ run, folder, account }) => {
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    const { meshform } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
    expect(meshform.endings).toMatchObject({
      clock: AFTER,
      overdue: [{ kind: 'policy', key: 'grant', member: 'contractors', list: 'sources' }],
    });
    expect((await run(['apply', 'plan.json', '--yes'])).code).toBe(0);
    const [policy] = (await account.call('GET', '/api/policies')) as readonly [
      { readonly rules: readonly [{ readonly sources: readonly { readonly name: string }[] }] },
    ];
    expect(policy.rules[0].sources.map(({ name }) => name)).toEqual(['staff']);
  }));

test('a plan and a journal can be read if an object expires at the end of the last year', () =>
  withEndedFolder(async ({ run, write }) => {
    const last = POLICY.replace('2026-12-01', '9999-12-31');
    await write({ 'a.yaml': last.replaceAll(/, peers: \[\w+\]/g, '') });
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    const applied = await run(['apply', 'plan.json', '--yes']);
    expect(applied.code, applied.stderr).toBe(0);
    const undone = await run(['apply', 'network', '--undo', '--yes', '--allow', 'DELETES_OBJECT']);
    expect(undone.code, undone.stderr).toBe(0);
  }));

test('a saved plan is stale once another object has expired', () =>
  withEndedFolder(async ({ run, write, at, account }) => {
    await write({
      'a.yaml': POLICY.replace('peers: [ada]', 'peers: []').replace('peers: [db]', 'peers: []'),
    });
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    at(AFTER);
    const { code, stderr } = await run(['apply', 'plan.json', '--yes']);
    expect(code).toBe(5);
    expect(stderr).toContain('policy grant, until 2026-12-02T00:00:00Z');
    expect((await run(['plan', 'check', 'plan.json'])).code).toBe(5);
    expect(await namesOf(account, 'policies')).toEqual([]);
  }));

test('a saved plan removes nothing on a machine whose clock is before the expiry', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, account }) => {
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    const { code } = await run(['apply', 'plan.json', '--yes'], '2026-12-01T23:59:00Z');
    expect(code).toBe(5);
    expect(await namesOf(account, 'policies')).toContain('grant');
  }));

test.each([
  ['ahead', '2026-11-30T12:00:00Z', '2026-12-02T00:00:00Z'],
  ['behind', '2026-12-02T00:02:00Z', '2026-12-01T23:57:00Z'],
])(
  'nothing is removed if the clocks of machine and server differ by five minutes: %s',
  (_, server, machine) =>
    applied({ 'a.yaml': POLICY }, async ({ run, at, account }) => {
      at(server);
      const { code, stderr } = await run(['apply', 'network', '--yes'], machine);
      expect(code).toBe(6);
      expect(stderr).toContain('CLOCK_DIFFERS');
      expect(await namesOf(account, 'policies')).toContain('grant');
    }),
);

test('a saved plan gives no access that has expired by the clock of the server', () =>
  withEndedFolder(async ({ run, write, at, account }) => {
    await write({ 'a.yaml': POLICY.replaceAll(/, peers: \[\w+\]/g, '') });
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    at(AFTER);
    for (const argv of [
      ['apply', 'plan.json', '--yes'],
      ['plan', 'check', 'plan.json'],
    ]) {
      const { code, stderr } = await run(argv, '2026-12-01T23:50:00Z');
      expect([argv, code, stderr]).toEqual([argv, 6, expect.stringContaining('CLOCK_DIFFERS')]);
    }
    expect(await namesOf(account, 'policies')).toEqual([]);
  }));

test('a saved plan removes nothing on a machine with another clock than the server', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, account }) => {
    expect((await run(['plan', 'network', '--out', 'plan.json'])).code).toBe(0);
    const { code, stderr } = await run(['apply', 'plan.json', '--yes'], '2026-12-02T00:06:00Z');
    expect([code, stderr]).toEqual([6, expect.stringContaining('CLOCK_DIFFERS')]);
    expect(await namesOf(account, 'policies')).toContain('grant');
  }));

test('an undo restores no access that has expired by the clock of the server', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, account }) => {
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    const { code, stderr } = await run(
      ['apply', 'network', '--undo', '--yes'],
      '2026-12-01T23:50:00Z',
    );
    expect([code, stderr]).toEqual([6, expect.stringContaining('CLOCK_DIFFERS')]);
    expect(await namesOf(account, 'policies')).toEqual([]);
  }));

test('a smaller difference of the clocks is accepted, and any difference if nothing is about to expire', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, account }) => {
    expect((await run(['plan', 'network'], '2026-12-02T00:04:00Z')).code).toBe(0);
    expect((await run(['apply', 'network', '--yes'])).code).toBe(0);
    expect((await run(['plan', 'network'], '2027-12-02T00:04:00Z')).code).toBe(0);
    expect(await namesOf(account, 'policies')).toEqual([]);
  }));

test('expiries are exempt from guards and thresholds, and no other change is', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, write }) => {
    await write({
      'meshform.yaml':
        'guarded: [group/servers]\naccess_thresholds: { lost: 0 }\nthresholds: { default: { deletes: 0 } }\n',
    });
    const planned = await run(['plan', 'network', '--out', 'plan.json']);
    expect([planned.code, planned.stderr]).toEqual([0, expect.not.stringContaining('NARROWS')]);
    expect((await run(['apply', 'plan.json', '--yes'])).code).toBe(0);
  }));

test('access that the same plan removes for another reason still counts for guards', () =>
  applied(
    {
      'a.yaml': POLICY,
      'b.yaml': `policies:\n  - { name: other, rules: [${rule('[staff]')}] }\n`,
      'c.yaml': 'peers: [{ name: ada, groups: [staff] }]\n',
    },
    async ({ run, write }) => {
      await write({
        'meshform.yaml': 'guarded: [group/servers]\n',
        'b.yaml': `policies:\n  - { name: other, enabled: false, rules: [${rule('[staff]')}] }\n`,
      });
      const { code, stderr } = await run(['apply', 'network', '--yes']);
      expect(code).toBe(6);
      expect(stderr).toContain('NARROWS_GUARDED_ACCESS');
    },
  ));

test('a `guarded` entry with sources applies to every run, also to expiries', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, write, account }) => {
    await write({ 'meshform.yaml': 'guarded: [{ from: group/contractors, to: group/servers }]\n' });
    for (let n = 0; n < 2; n++) {
      const { code, stderr } = await run(['apply', 'network', '--yes']);
      expect(code).toBe(6);
      expect(stderr).toContain('CUTS_GUARDED_ACCESS');
    }
    expect(await namesOf(account, 'policies')).toContain('grant');
  }));

test('a protected object does not expire', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, write, account }) => {
    await write({ 'meshform.yaml': 'protect: [policy/grant]\n' });
    const { code, stderr } = await run(['apply', 'network', '--yes']);
    expect(code).toBe(6);
    expect(stderr).toContain('PROTECTED');
    expect(await namesOf(account, 'policies')).toContain('grant');
  }));

test('an expiry that would give somebody access is refused', () =>
  applied(
    {
      'a.yaml': GROUPS,
      'b.yaml': 'groups: [{ name: quarantine, peers: [{ name: ada, until: 2026-12-01 }] }]\n',
    },
    async ({ run, account }) => {
      const groups = (await account.call('GET', '/api/groups')) as readonly {
        readonly id: string;
        readonly name: string;
      }[];
      const id = (name: string) => groups.find(one => one.name === name)?.id ?? '';
      const body = (action: string, source: string) => ({
        name: action,
        enabled: true,
        rules: [
          {
            name: action,
            enabled: true,
            action,
            bidirectional: false,
            protocol: 'all',
            sources: [id(source)],
            destinations: [id('servers')],
          },
        ],
      });
      await account.call('POST', '/api/policies', body('accept', 'contractors'));
      await account.call('POST', '/api/policies', body('drop', 'quarantine'));
      const { code, stderr } = await run(['apply', 'network', '--yes']);
      expect(code).toBe(6);
      expect(stderr).toContain('END_GIVES_ACCESS');
    },
  ));

test('an expiry that removes a machine from the machines that an integration of the account checks is refused', () =>
  applied(
    {
      'a.yaml': GROUPS.replace('name: staff', 'name: staff, peers: [ada]')
        .replace(
          'contractors, peers: [ada]',
          'contractors, peers: [{ name: ada, until: 2026-12-01 }]',
        )
        .concat(`policies:\n  - { name: kept, rules: [${rule('[staff]')}] }\n`),
      'b.yaml': GRANT,
    },
    async ({ run, account }) => {
      const planned = ['plan', 'network', '--out', 'plan.json'];
      expect((await run(planned)).code).toBe(0);
      const path = '/api/integrations/edr/edr-provider-a';
      const groups = (await account.call('GET', '/api/groups')) as readonly {
        readonly id: string;
        readonly name: string;
        readonly peers: readonly unknown[] | null;
      }[];
      const ids = groups.filter(({ name }) => name === 'contractors').map(({ id }) => id);
      const body = { ...EDR_BODIES.A, groups: ids };
      await account.call('POST', path, body);
      const isIn = async () => {
        const there = (await account.call('GET', `/api/groups/${ids[0]}`)) as (typeof groups)[0];
        return (there.peers ?? []).length > 0;
      };
      for (const [argv, how] of [
        [['apply', 'plan.json', '--yes'], 'error'],
        [['apply', 'network', '--yes'], 'error'],
        [['expire', 'network', '--yes'], 'warning'],
      ] as const) {
        const { code, stdout, stderr } = await run(argv);
        expect(code, stdout + stderr).toBe(6);
        expect(stderr).toContain(`${how} END_GIVES_ACCESS`);
        expect(await isIn()).toBe(true);
      }
      expect(await namesOf(account, 'policies')).toEqual(['kept']);

      // An integration that is switched off withholds nothing.
      await account.call('PUT', path, { ...body, enabled: false });
      const { code, stdout, stderr } = await run(['expire', 'network', '--yes']);
      expect([code, await isIn()], stdout + stderr).toEqual([0, false]);
    },
  ));

test('a saved plan from which somebody removed the expiries is not applied', () =>
  applied({ 'a.yaml': POLICY }, async ({ run, folder }) => {
    await run(['plan', 'network', '--out', 'plan.json']);
    const text = await readFile(join(folder, 'plan.json'), 'utf8');
    await writeFile(join(folder, 'plan.json'), text.replace(AFTER, '2026-12-03T00:00:00Z'));
    expect((await run(['apply', 'plan.json', '--yes'])).code).toBe(3);
  }));

test('a DNS record does not expire if its removal would make a wildcard record resolve to a different target', () =>
  withEndedFolder(
    async ({ run, write, account, at }) => {
      await account.enrol('ada');
      await account.enrol('db');
      await write({ 'a.yaml': led(HIDING), 'b.yaml': GRANT });
      const first = await run(['apply', 'network', '--yes']);
      expect(first.code, first.stdout + first.stderr).toBe(0);
      at(AFTER);
      const refused = await run(['apply', 'network', '--yes']);
      expect(refused.code, refused.stdout + refused.stderr).toBe(6);
      expect(refused.stderr).toContain('error END_GIVES_ACCESS');
      expect(await namesOf(account, 'policies')).toContain('other');

      // No end holds another one: whoever may declare a record could otherwise keep every access for ever.
      for (const [command, ended] of [
        ['expire', '- policy "other"'],
        ['expire', 'No changes'],
      ] as const) {
        const { code, stdout, stderr } = await run([command, 'network', '--yes']);
        expect(code, stdout + stderr).toBe(6);
        expect(stdout).toContain(ended);
        expect(stderr).toContain('warning END_GIVES_ACCESS');
        expect(stderr).toContain('Still in the account: dns_record');
        expect(await namesOf(account, 'policies')).not.toContain('other');
      }
      const zones = (await account.call('GET', '/api/dns/zones')) as readonly {
        readonly records: readonly unknown[];
      }[];
      expect(zones.map(({ records }) => records.length)).toEqual([2]);
    },
    { dialect: 'netbird' },
  ));
