// Access inside a group: machines that join it later can reach each other, and nothing that judges access passes over that.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { CLOSED, GROUPS, started, testsOf } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const BARE = GROUPS + CLOSED;
const inside = (group: string) => `${BARE}  - name: inside
    rules:
      - { name: r, sources: [${group}], destinations: [${group}], protocol: all, bidirectional: true }
`;

describe.each([
  ['without a machine', 'group/contractors', '(future members)'],
  ['with one machine', 'group/bastions', '(1 and future members)'],
])('a group %s', (_, group, who) => {
  const widened = inside(group.replace('group/', ''));

  test('gains access within itself by a plan, and --no-new-access refuses that', () =>
    started(
      account,
      async ({ want, run }) => {
        await want(widened);
        const plain = await run('plan');
        expect(plain.stdout).toMatch(/^Access: \+1 −0 ~0 /m);
        expect(plain.stdout).toContain(`${group} ${who} → ${group}`);
        const { code, stderr } = await run('plan', '--no-new-access');
        expect(code).toBe(6);
        expect(stderr).toMatch(new RegExp(`  \\+ ${group}.* → ${group}`));
      },
      BARE,
    ));

  test('is a target that is guarded against its own members', () =>
    started(
      account,
      async ({ want, run }) => {
        await want(widened, { 'meshform.yaml': `guarded: [${group}]\n` });
        const { code, stdout, stderr } = await run('apply', '--yes');
        expect([code, stdout + stderr]).toEqual([
          6,
          expect.stringContaining('WIDENS_GUARDED_ACCESS'),
        ]);
      },
      BARE,
    ));

  test('reaches itself in every answer, and can lose that access by a plan', () =>
    started(
      account,
      async ({ want, run }) => {
        for (const words of [['from'], ['to'], ['from', group, 'to']])
          expect((await run('access', ...words, group, '--live')).stdout).toMatch(
            new RegExp(`^${group} .*→ ${group}`, 'm'),
          );
        await want(widened.replace('name: inside', 'name: inside\n    enabled: false'));
        const { stdout } = await run('plan');
        expect(stdout).toMatch(/^Access: \+0 −1 ~0 /m);
      },
      widened,
    ));

  test('breaks a test that denies it, offline and planned', () =>
    started(
      account,
      async ({ want, run }) => {
        const deny = testsOf({ from: group, deny: [`${group}:*`] });
        const allow = testsOf({ from: group, allow: [`${group}:*`] });
        await want(widened, { 'tests.yaml': deny });
        const failed = await run('test');
        expect([failed.code, failed.stdout]).toEqual([6, expect.stringContaining(group)]);
        expect((await run('plan')).code).toBe(6);
        await want(widened, { 'tests.yaml': allow });
        expect((await run('test')).code).toBe(0);
        expect((await run('plan')).code).toBe(0);
        await want(BARE, { 'tests.yaml': deny });
        expect((await run('test')).code).toBe(0);
        await want(BARE, { 'tests.yaml': allow });
        const missing = await run('test');
        expect([missing.code, missing.stdout]).toEqual([6, expect.stringContaining('DISABLED')]);
      },
      BARE,
    ));
});

test('a single machine is not a destination for itself', () =>
  started(
    account,
    async ({ run }) => {
      const { stdout } = await run('access', 'from', 'peer/jump', 'to', 'peer/jump', '--live');
      expect(stdout).toContain('No access');
      expect(
        (await run('access', 'from', 'peer/jump', 'to', 'group/bastions', '--live')).stdout,
      ).toContain('peer/jump → group/bastions');
    },
    inside('bastions'),
  ));

describe('a test line that can match no flow fails:', () => {
  const network = `${BARE}networks: [{ name: bare }]\n`;

  test.each([
    ['allow', { from: 'group/bastions', allow: ['network/bare'] }],
    ['deny', { from: 'group/bastions', deny: ['network/bare:*'] }],
    ['deny', { from: 'peer/jump', deny: ['peer/jump:*'] }],
    ['only_from', { to: 'network/bare', only_from: ['group/bastions'] }],
  ])('%s', (_, fields) =>
    started(
      account,
      async ({ want, run }) => {
        await want(network, { 'tests.yaml': testsOf(fields) });
        const { code, stdout } = await run('plan', '--format', 'json');
        expect([code, stdout]).toEqual([6, expect.stringContaining('no destination to judge')]);
      },
      network,
    ),
  );
});
