// `guarded`: targets whose access changes only with a flag that names them, and the way in.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import {
  BEFORE,
  DB,
  idOf,
  listOf,
  NARROWED,
  refused,
  started,
  TO_COME,
  testsOf,
  WIDENED,
} from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

/** Engineers receive a route that gateways serve to everyone who reaches them. */
const AROUND = (range: string) => `${BEFORE}  - name: ping
    rules: [{ name: ping, sources: [engineers], destinations: [gateways], protocol: icmp }]
routes:
  - { network_id: around, network: ${range}, peer_groups: [gateways], masquerade: true, groups: [engineers] }
`;

const guarded = (...entries: unknown[]) => ({
  'meshform.yaml': `guarded: ${JSON.stringify(entries)}\n`,
});

test('a target is widened only with a flag that names it', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(WIDENED, {
      'meshform.yaml': `guarded: [${DB}]\nallow: [WIDENS_GUARDED_ACCESS, WIDENS_ACCESS, WIDENS_ACCESS=${DB}]\n`,
    });
    const { code, stdout, stderr } = await run('plan', '--out', 'plan.json');
    expect(code).toBe(0);
    expect(stderr).toContain('warning ALLOWS_NOTHING');
    expect(stderr).toContain(`only a flag can allow WIDENS_GUARDED_ACCESS`);
    expect(stdout).toContain(`guarded: 1 entry, concerned: ${DB}\n`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `WIDENS_GUARDED_ACCESS the plan widens access to ${DB}, which is guarded: group/engineers → ${DB} (2 pairs of a machine and a destination)`,
    );
    expect(stdout).toContain(`--allow WIDENS_GUARDED_ACCESS=${DB}\n`);
    await refused(account, folder);
    await refused(account, folder, '--allow', 'WIDENS_GUARDED_ACCESS');
    await refused(account, folder, '--allow', `NARROWS_GUARDED_ACCESS=${DB}`);
    const other = await refused(
      account,
      folder,
      '--allow',
      'WIDENS_GUARDED_ACCESS=group/databases',
    );
    expect(other.stderr).toContain('is not a guarded target');
    await refused(account, folder, 'plan.json', '--allow', 'WIDENS_GUARDED_ACCESS');
    const allowed = ['--allow', `WIDENS_GUARDED_ACCESS=${DB}`, '--yes'];
    expect((await run('apply', 'plan.json', ...allowed)).code).toBe(0);
  }));

test.each([
  ['WIDENS_ACCESS', WIDENED, DB],
  ['NARROWS_ACCESS', NARROWED, 'group/bastions'],
])('--allow %s allows the plan only together with the guarded target', (code, wanted, target) =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(wanted, guarded(target));
    await refused(account, folder, '--allow', code);
    expect((await run('apply', '--yes', '--allow', `${code}=${target}`)).code).toBe(0);
  }),
);

test('a saved plan that was allowed is applied, unless the account now gains more', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(WIDENED, guarded(DB));
    expect(
      (await run('plan', '--out', 'plan.json', '--allow', `WIDENS_GUARDED_ACCESS=${DB}`)).code,
    ).toBe(0);
    await account.enrol('eve', [await idOf(account, 'groups', 'engineers')]);
    const { stderr } = await refused(
      account,
      folder,
      'plan.json',
      '--allow',
      'WIDENS_GUARDED_ACCESS',
    );
    expect(stderr).toContain(`add --allow WIDENS_GUARDED_ACCESS=${DB}`);
  }));

test.each(
  someOf(
    [
      ['narrowed', NARROWED, 'group/bastions', 'NARROWS_GUARDED_ACCESS'],
      ['one port narrowed', NARROWED, 'group/bastions:tcp/443', 'NARROWS_GUARDED_ACCESS'],
      ['widened for future members', TO_COME, DB, 'WIDENS_GUARDED_ACCESS'],
      ['by its address', WIDENED, '10.20.0.0/24', 'WIDENS_GUARDED_ACCESS'],
      ['everything', WIDENED, 'all', 'WIDENS_GUARDED_ACCESS'],
      ['a group that holds it', WIDENED, 'group/databases', 'WIDENS_GUARDED_ACCESS'],
      ['a route around it', AROUND('10.20.0.5/32'), DB, 'WIDENS_GUARDED_ACCESS'],
      ['an exit node', AROUND('0.0.0.0/0'), DB, 'WIDENS_GUARDED_ACCESS'],
      [
        'what the plan makes',
        WIDENED.replace('routers:', 'XX')
          .replace(
            'resources:',
            'resources:\n      - { name: new, address: 10.20.0.6, groups: [databases] }',
          )
          .replace('XX', 'routers:'),
        'network_resource/production/new',
        'WIDENS_GUARDED_ACCESS',
      ],
    ],
    3,
  ),
)('%s', (_, wanted, target, hazard) =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(wanted, guarded(target));
    await refused(account, folder, '--allow', hazard);
    const { code, stderr } = await run('apply', '--yes', '--allow', `${hazard}=${target}`);
    expect(code, stderr).toBe(0);
  }),
);

test.each([
  ['another port', NARROWED, 'group/bastions:tcp/22'],
  ['another target', NARROWED, DB],
  ['an address that nothing offers', NARROWED, '192.0.2.0/24'],
  ['nothing about access', BEFORE.replace('groups:', 'groups:\n  - name: idle'), 'all'],
])('a guard is not concerned by a plan that widens %s', (_, wanted, target) =>
  started(account, async ({ want, run }) => {
    await want(wanted, guarded(target));
    expect((await run('plan')).stdout).toContain('guarded: 1 entry, none is affected');
    expect((await run('apply', '--yes')).code).toBe(0);
  }),
);

test('inviting a person whose machines join a group that reaches a guarded target is refused', () =>
  started(
    account,
    async folder => {
      const person =
        '{ email: new@example.com, name: new, role: user, auto_groups: [contractors] }';
      const files = `${TO_COME}user_invites:\n  - ${person}\n`;
      await folder.want(files, { 'meshform.yaml': `guarded: [${DB}]\n` });
      const { stderr } = await refused(account, folder);
      expect(stderr).toContain(`the plan widens access to ${DB}, which is guarded`);
      const asTest = testsOf({ from: 'user/new@example.com', deny: [DB] });
      await folder.want(files, { 'meshform.yaml': '', 'tests.yaml': asTest });
      expect((await refused(account, folder)).stderr).toContain('1 access test failed');
    },
    TO_COME,
  ));

const GONE = BEFORE.replace(
  '- { name: orders-db, address: 10.20.0.5, groups: [databases] }',
  '- { name: orders-db, address: 10.20.0.5, groups: [databases], lifecycle: { delete: true } }',
);
test('deleting a guarded target is refused without flags, and a renamed target stays guarded', () =>
  started(
    account,
    async folder => {
      const { want, run } = folder;
      await want(GONE, guarded(DB));
      const deletes = ['--allow', 'DELETES_OBJECT'];
      await refused(account, folder, ...deletes);
      const codes = ['NARROWS_GUARDED_ACCESS', 'SHRINKS_GUARDED_TARGET'];
      const allowed = codes.flatMap(code => ['--allow', `${code}=${DB}`]);
      expect((await run('apply', '--yes', ...deletes, ...allowed)).code).toBe(0);
      const renamed = WIDENED.replaceAll('bastions', 'jumps').replace(
        '- name: jumps',
        '- { name: jumps, peers: [gw], lifecycle: { was: bastions } }',
      );
      await want(renamed, guarded('group/bastions'));
      const { stdout } = await run('plan');
      expect(stdout).toContain('--allow WIDENS_GUARDED_ACCESS=group/bastions');
    },
    WIDENED,
  ));

describe('guarded access', () => {
  const way = { from: 'peer/mia', to: 'group/bastions:tcp/443' };

  test('is cut only with a flag that names its target', () =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(NARROWED, guarded(way));
      const { stdout } = await run('plan', '--out', 'plan.json');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'CUTS_GUARDED_ACCESS the plan removes access to group/bastions:tcp/443 from peer/mia, which is guarded: peer/mia → group/bastions (1 pair of a machine and a destination)',
      );
      await refused(account, folder, '--allow', 'CUTS_GUARDED_ACCESS');
      const allow = ['--allow', 'CUTS_GUARDED_ACCESS=group/bastions:tcp/443'];
      expect((await run('apply', 'plan.json', ...allow, '--yes')).code).toBe(0);
    }));

  test('is not concerned by what others lose, by what it gains, or by other ports', () =>
    started(account, async ({ want, run }) => {
      const others = [
        { from: 'peer/gw', to: 'group/bastions' },
        { from: 'peer/mia', to: 'group/bastions:tcp/22' },
        { from: 'group/engineers', to: DB },
      ];
      await want(NARROWED.concat(WIDENED.slice(BEFORE.length)), guarded(...others));
      expect((await run('plan')).stdout).toContain('guarded: 3 entries, none is affected');
      expect((await run('apply', '--yes')).code).toBe(0);
    }));

  test('is not cut by a saved plan that did not cut it when it was made', () =>
    started(account, async folder => {
      const { want, run } = folder;
      await want(NARROWED, guarded({ from: 'peer/gw', to: 'group/bastions' }));
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      const peers = (await listOf(account, 'peers')).filter(({ name }) => name !== 'jump');
      const id = await idOf(account, 'groups', 'engineers');
      const body = { name: 'engineers', peers: peers.map(one => String(one.id)) };
      await account.call('PUT', `/api/groups/${id}`, body);
      const { stderr } = await refused(account, folder, 'plan.json');
      expect(stderr).toContain('CUTS_GUARDED_ACCESS');
    }));
});

test('every guarded target that depends on an unreadable list is reported as concerned', () =>
  started(account, async folder => {
    const { want } = folder;
    await want(NARROWED, guarded(DB, 'peer/gw', { from: 'peer/mia', to: DB }));
    await account.fault({ path: '/api/networks', effect: 'status', status: 403, times: 9 });
    const { stderr } = await refused(account, folder, '--only', 'policy/ssh');
    const found = [...stderr.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, code]) => code);
    expect(found, stderr).toEqual([
      'WIDENS_GUARDED_ACCESS',
      'NARROWS_GUARDED_ACCESS',
      'CUTS_GUARDED_ACCESS',
      'SHRINKS_GUARDED_TARGET',
      'SHRINKS_GUARDED_TARGET',
    ]);
    expect(stderr).toContain('could not be read');
  }));

test('a guard that matches nothing is an error with its place', () =>
  started(account, async ({ want, run }) => {
    await want(NARROWED, { 'meshform.yaml': 'guarded:\n  - group/bastoins\n' });
    const { code, stderr } = await run('plan');
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/meshform.yaml:2:5 error PROJECT_INVALID/),
    ]);
  }));

test('an object that does not exist is one error, wherever guards, tests and flags name it', () =>
  started(account, async ({ want, run }) => {
    const nope = 'network_resource/production/nope';
    const tests = testsOf(
      { from: 'group/engineers', deny: [`${nope}:*`] },
      { from: 'group/engineers', allow: [`${nope}:tcp/5432`] },
    );
    const project = `guarded:\n  - ${nope}\n  - { from: peer/mia, to: "${nope}:tcp/22" }\n`;
    await want(NARROWED, { 'meshform.yaml': project, 'tests.yaml': tests });
    const { code, stderr } = await run('plan', '--allow', `WIDENS_GUARDED_ACCESS=${nope}`);
    expect(code).toBe(3);
    expect(stderr.match(/ error /g)).toHaveLength(1);
    expect(stderr).toMatch(
      /meshform.yaml:2:5 error PROJECT_INVALID\n {2}`network_resource\/production\/nope` under `guarded` matches nothing that can be a destination; also named at meshform.yaml:3:\d+, tests.yaml:2:\d+, tests.yaml:3:\d+\n/,
    );
    await want(NARROWED, { 'meshform.yaml': '', 'tests.yaml': tests });
    const unguarded = await run('plan', '--allow', `WIDENS_GUARDED_ACCESS=${nope}`);
    expect(unguarded.stderr.match(/ error | warning /g)).toHaveLength(1);
    expect(unguarded.stderr).toMatch(/tests.yaml:2:\d+ error ACCESS_TEST_INVALID/);
  }));

test('a flag that allows nothing in a plan is a note, and names the code as it was written', () =>
  started(account, async folder => {
    const { want, run } = folder;
    await want(WIDENED, guarded(DB));
    const unknown = await run('plan', '--allow', 'WIDENS_ACCESS=docs');
    expect(unknown.stderr).toContain('`docs`, which --allow WIDENS_ACCESS names, is not a guarded');
    expect(unknown.stderr).not.toContain('ALLOWS_NOTHING');
    const flags = ['--allow', `NARROWS_GUARDED_ACCESS=${DB}`, '--allow', 'DELETES_OBJECT'];
    const unused = await run('plan', ...flags);
    expect(unused.code).toBe(0);
    expect(unused.stderr.replaceAll(/\s+/g, ' ')).toContain(
      `note ALLOWS_NOTHING \`--allow NARROWS_GUARDED_ACCESS=${DB}\` allows nothing in this plan`,
    );
    expect(unused.stderr.match(/ALLOWS_NOTHING/g)).toHaveLength(1);
    const used = await run('plan', '--allow', `WIDENS_ACCESS=${DB}`);
    expect(used.stderr).not.toContain('ALLOWS_NOTHING');
  }));
