// What was shown is what is done: what changes in the account while somebody reads the question is judged after the answer.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { someOf } from '../../support/variations.ts';
import { idOf, listOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
});
afterEach(() => account.close());

const POLICIES = `policies:
  - name: Default
    enabled: false
    rules: [{ name: Default, sources: [All], destinations: [All], protocol: all, bidirectional: true }]
`;
const GROUPS = `  - { name: vaults, peers: [web] }
  - { name: contractors, peers: [mia] }
`;
const BEFORE = `groups:\n${GROUPS}${POLICIES}`;
/** Contractors may connect to the vaults, and a drop rule that the files do not have forbids it. */
const OPENED = `${BEFORE}  - name: ssh
    rules: [{ name: ssh, sources: [contractors], destinations: [vaults], protocol: tcp, ports: ["22"] }]
`;
const WITH_GROUP = OPENED.replace('groups:\n', 'groups:\n  - { name: another }\n');

interface Folder {
  /** Writes the files that are wanted, and the project file. */
  readonly want: (network: string, project?: string) => Promise<void>;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** Runs a command that asks. Before somebody answers "yes", `meanwhile` changes the account. */
  readonly ask: (
    meanwhile: () => Promise<unknown>,
    ...words: readonly string[]
  ) => Promise<Ended & { readonly isAsked: boolean }>;
}

async function started(use: (folder: Folder) => Promise<void>): Promise<void> {
  for (const name of ['web', 'mia']) await account.enrol(name);
  await inFolder(async cwd => {
    const env = environmentOf(account);
    const run = (...words: readonly string[]) => meshform(words, { cwd, env });
    const want = async (network: string, project = '') => {
      await writeFile(join(cwd, 'network.yaml'), network);
      await writeFile(join(cwd, 'meshform.yaml'), project);
    };
    await want(BEFORE);
    const first = await run('apply', '--yes');
    expect(first.code, first.stderr).toBe(0);
    await use({
      want,
      run,
      ask: async (meanwhile, ...words) => {
        let isAsked = false;
        const ask = async () => {
          isAsked = true;
          await meanwhile();
          return 'yes';
        };
        return { ...(await meshform(words, { cwd, env, ask })), isAsked };
      },
    });
  });
}

async function forbid(): Promise<void> {
  const contractors = await idOf(account, 'groups', 'contractors');
  const vaults = await idOf(account, 'groups', 'vaults');
  const rule = {
    name: 'no',
    enabled: true,
    action: 'drop',
    bidirectional: false,
    protocol: 'all',
    sources: [contractors],
    destinations: [vaults],
  };
  await account.call('POST', '/api/policies', {
    name: 'no',
    enabled: true,
    rules: [rule],
  } as never);
}

const forbidNoMore = async () =>
  account.call('DELETE', `/api/policies/${await idOf(account, 'policies', 'no')}`);

const joins = async () => account.enrol('eve', [await idOf(account, 'groups', 'contractors')]);

const policies = async () => (await listOf(account, 'policies')).map(({ name }) => name);

const GUARD = 'guarded: [group/vaults]\n';
const FLOW = 'group/contractors → group/vaults  tcp/22';

test.each(
  someOf(
    [
      ['no limit at all', '', [], 5],
      ['a threshold', 'access_thresholds: { gained: 0 }\n', [], 6],
      ['a guarded target', GUARD, [], 6],
      ['--no-new-access', '', ['--no-new-access'], 6],
      ['an access test', 'TEST', [], 6],
    ] as const,
    2,
  ),
)(
  'access that appears while somebody reviews the plan is not given: with %s',
  (_, project, flags, code) =>
    started(async ({ want, run, ask }) => {
      await forbid();
      const isTest = project === 'TEST';
      const tests =
        'access_tests:\n  - { name: it, from: group/contractors, deny: [group/vaults] }\n';
      await want(isTest ? OPENED + tests : OPENED, isTest ? '' : project);
      for (const saved of [false, true]) {
        if (saved) expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
        const asked = saved ? ['apply', 'plan.json'] : ['apply'];
        const { isAsked, ...ended } = await ask(forbidNoMore, ...asked, ...flags);
        expect([isAsked, ended.code], ended.stdout + ended.stderr).toEqual([true, code]);
        expect(ended.stdout).toContain('Access: unchanged');
        if (code === 5) expect(ended.stderr).toContain(FLOW);
        else expect(ended.stderr).toContain('the account changed since the plan was shown');
        expect(ended.stderr).not.toMatch(/remove the changes|change the files/);
        if (isTest) expect(ended.stderr).toMatch(/FAIL {2}it\n.*deny: group.vaults is reached/);
        expect(await policies()).not.toContain('ssh');
        await forbid();
      }
      // Nothing changes while somebody reads.
      const { code: done, stderr } = await ask(async () => undefined, 'apply', ...flags);
      expect([done, stderr]).toEqual([0, expect.any(String)]);
      expect(await policies()).toContain('ssh');
    }),
);

const allow = async (ports: readonly string[]) => {
  const contractors = await idOf(account, 'groups', 'contractors');
  const vaults = await idOf(account, 'groups', 'vaults');
  const rule = { name: 'same', enabled: true, action: 'accept', bidirectional: false };
  const ends = { protocol: 'tcp', ports, sources: [contractors], destinations: [vaults] };
  await account.call('POST', '/api/policies', {
    name: 'same',
    enabled: true,
    rules: [{ ...rule, ...ends }],
  } as never);
};

const allowNoMore = async () =>
  account.call('DELETE', `/api/policies/${await idOf(account, 'policies', 'same')}`);

const DISABLED = OPENED.replace('name: ssh\n', 'name: ssh\n    enabled: false\n');
const LOSS = `− ${FLOW}`;

test.each([false, true])(
  'access that a plan would take only because of changes during its review stays (saved: %s)',
  saved =>
    started(async ({ want, run, ask }) => {
      await want(OPENED);
      expect((await run('apply', '--yes')).code).toBe(0);
      await allow(['22']);
      await want(DISABLED);
      if (saved) expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      const words = saved ? ['apply', 'plan.json'] : ['apply'];
      const { isAsked, ...ended } = await ask(allowNoMore, ...words);
      expect([isAsked, ended.code], ended.stdout + ended.stderr).toEqual([true, 5]);
      expect(ended.stdout).toContain('Access: unchanged');
      expect(ended.stderr).toContain(
        'the account changed since the plan was shown, and the plan takes access that it did not show',
      );
      expect(ended.stderr).toContain('hint: run it again');
      expect(ended.stderr).not.toContain('plan --out');
      expect(ended.stderr).toContain(LOSS);
      if (saved)
        for (const again of [
          ['plan', 'check', 'plan.json'],
          ['apply', 'plan.json', '--yes'],
        ]) {
          const { code, stderr } = await run(...again);
          expect([code, stderr]).toEqual([5, expect.stringContaining(LOSS)]);
        }
      const now = await run('apply', '--yes');
      expect([now.code, now.stdout]).toEqual([0, expect.stringContaining('Access: +0 −1')]);
    }),
);

test('access that was shown as lost is taken, also from whoever joined, and from fewer machines', () =>
  started(async ({ want, run, ask }) => {
    await want(OPENED);
    expect((await run('apply', '--yes')).code).toBe(0);
    await want(DISABLED);
    const { isAsked, ...ended } = await ask(joins, 'apply');
    expect([isAsked, ended.code], ended.stderr).toEqual([true, 0]);
    await want(OPENED);
    expect((await run('apply', '--yes')).code).toBe(0);
    await want(DISABLED);
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'eve')}`);
    const later = await run('apply', 'plan.json', '--yes');
    expect(later.code, later.stderr).toBe(0);
  }));

const RECENT = `posture_checks:
  - name: recent
    checks: { nb_version_check: { min_version: 0.60.0 } }
`;
const RULE = `  - name: ssh
    source_posture_checks: [recent]
    rules: [{ name: ssh, sources: [old, contractors], destinations: [vaults], protocol: tcp, ports: ["22"] }]
`;
const OLD = BEFORE.replace('groups:\n', 'groups:\n  - { name: old, peers: [legacy] }\n');
/** Old machines may connect if they pass a check, and the only one of them fails it. */
const WITH_OLD = `${RECENT}${OLD}${RULE}`;
const joinsOld = async (version: string) =>
  account.enrol('late', [await idOf(account, 'groups', 'old')], { version });

test.each(someOf(['0.70.0', '0.50.0'], 1))(
  'a machine of version %s that joins a group takes part in what was shown of its future members',
  version =>
    started(async ({ want, run, ask }) => {
      await account.enrol('legacy', [], { version: '0.50.0' });
      await want(WITH_OLD);
      const first = await run('apply', '--yes');
      expect(first.code, first.stderr).toBe(0);
      await want(WITH_OLD.replace('[old, contractors]', '[contractors]'));
      const saved = await run('plan', '--out', 'plan.json');
      expect(saved.stdout).toContain('− machines that enrol with group/old (future members)');
      const { isAsked, ...ended } = await ask(() => joinsOld(version), 'apply', 'plan.json');
      expect([isAsked, ended.code], ended.stderr).toEqual([true, 0]);
      // The other way: the machine of the group reaches the vaults already.
      const own = RULE.replace('ssh\n', 'own\n').replace(
        'sources: [old, contractors]',
        'sourceResource: { peer: legacy }',
      );
      await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'late')}`);
      const without = `${RECENT}${OLD}${own.replace('    source_posture_checks: [recent]\n', '')}`;
      const planned = async () => {
        await want(without);
        const second = await run('apply', '--yes');
        expect(second.code, second.stderr).toBe(0);
        await want(without + RULE);
        const again = await run('plan', '--out', 'again.json');
        expect(again.stdout).toContain('+ machines that enrol with group/old');
      };
      await planned();
      // A machine that was in the group gains nothing that the plan showed of the future members.
      const ownGoes = async () =>
        account.call('DELETE', `/api/policies/${await idOf(account, 'policies', 'own')}`);
      const refused = await ask(ownGoes, 'apply', 'again.json');
      expect([refused.isAsked, refused.code], refused.stderr).toEqual([true, 5]);
      expect(refused.stderr).toContain('+ group/old → group/vaults  tcp/22');
      await planned();
      const given = await ask(() => joinsOld(version), 'apply', 'again.json');
      expect([given.isAsked, given.code], given.stderr).toEqual([true, 0]);
    }),
);

test('the undo of a run does not take access that appears while somebody reviews the plan either', () =>
  started(async ({ want, run, ask }) => {
    await allow(['22', '80']);
    await want(OPENED);
    expect((await run('apply', '--yes')).code).toBe(0);
    const { isAsked, ...ended } = await ask(
      allowNoMore,
      'apply',
      '--undo',
      '--allow',
      'DELETES_OBJECT',
    );
    expect([isAsked, ended.code], ended.stdout + ended.stderr).toEqual([true, 5]);
    expect(ended.stderr).toContain(LOSS);
    expect(await policies()).toContain('ssh');
  }));

test.each([
  ['a threshold', 'access_thresholds: { gained: 0 }\n', 'WIDENS_ACCESS'],
  ['a guarded target', GUARD, 'WIDENS_GUARDED_ACCESS=group/vaults'],
])(
  'an allowed hazard does not cover a member that joins while somebody reviews the plan: with %s',
  (_, project, hazard) =>
    started(async ({ want, run, ask }) => {
      await want(OPENED, project);
      const allow = ['--allow', hazard];
      const early = await ask(joins, 'apply', ...allow);
      expect([early.isAsked, early.code], early.stderr).toEqual([true, 6]);
      expect(early.stderr).toContain('peer/eve has joined since the plan');
      expect(await policies()).not.toContain('ssh');
      await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'eve')}`);
      const saved = await run('plan', '--out', 'plan.json', ...allow);
      expect(saved.code, saved.stderr).toBe(0);
      for (const more of [[], allow]) {
        const late = await ask(joins, 'apply', 'plan.json', ...more);
        expect([late.isAsked, late.code], late.stderr).toEqual([true, 6]);
        await account.call('DELETE', `/api/peers/${await idOf(account, 'peers', 'eve')}`);
      }
      const now = await ask(async () => undefined, 'apply', 'plan.json');
      expect(now.code, now.stderr).toBe(0);
    }),
);

test.each([
  ['no limit at all', '', 5],
  ['a guarded target', GUARD, 6],
])(
  'a resumed run gives no access that appears while somebody reviews the plan: with %s',
  (_, project, code) =>
    started(async ({ want, run, ask }) => {
      await forbid();
      await want(WITH_GROUP, project);
      await account.control('POST', '/emulator/faults', {
        method: 'POST',
        path: '/api/policies*',
        nth: 1,
        times: 99,
        effect: 'status',
        status: 400,
      });
      expect((await run('apply', '--yes')).code).toBe(4);
      await account.control('DELETE', '/emulator/faults');
      const { isAsked, ...ended } = await ask(forbidNoMore, 'apply', '--resume');
      expect([isAsked, ended.code], ended.stderr).toEqual([true, code]);
      expect(await policies()).not.toContain('ssh');
      await forbid();
      const now = await ask(async () => undefined, 'apply', '--resume');
      expect(now.code, now.stderr).toBe(0);
    }),
);

test.each(
  someOf(
    [
      ['no limit at all', '', 5],
      ['a guarded target', GUARD, 6],
    ],
    1,
  ),
)(
  'the undo of a run gives no access that appears while somebody reviews the plan: with %s',
  (_, project, code) =>
    started(async ({ want, run, ask }) => {
      await forbid();
      await want(OPENED, project);
      expect((await run('apply', '--yes')).code).toBe(0);
      await want(
        OPENED.replace('name: ssh\n', 'name: ssh\n    lifecycle: { delete: true }\n'),
        project,
      );
      const gone = await run('apply', '--yes', '--allow', 'DELETES_OBJECT');
      expect(gone.code, gone.stderr).toBe(0);
      const { isAsked, ...ended } = await ask(forbidNoMore, 'apply', '--undo');
      expect([isAsked, ended.code], ended.stderr).toEqual([true, code]);
      expect(await policies()).not.toContain('ssh');
      await forbid();
      const now = await ask(async () => undefined, 'apply', '--undo');
      expect(now.code, now.stderr).toBe(0);
    }),
);
