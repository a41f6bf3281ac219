// A saved plan is applied only with the access that it showed: somebody may have taken away since what allowed the same.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { BEFORE, CLOSED, GROUPS, listOf, started, WIDENED } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

const rule = (name: string, port: number) =>
  `  - name: ${name}\n    rules: [{ name: r, sources: [engineers], destinations: [bastions], protocol: tcp, ports: ["${port}"] }]\n`;
const OPEN = `${GROUPS}policies:\n${rule('ssh', 22)}`;
const MORE = `${OPEN}${rule('extra', 3389)}`;

async function disable(name: string): Promise<void> {
  const found = (await listOf(account, 'policies')).find(one => one.name === name);
  const rules = (found?.rules ?? []) as readonly {
    readonly sources: readonly { readonly id: string }[];
    readonly destinations: readonly { readonly id: string }[];
  }[];
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
  await account.call('PUT', `/api/policies/${found?.id}`, {
    name,
    enabled: false,
    rules: rules.map(one => ({
      ...one,
      sources: ids(one.sources),
      destinations: ids(one.destinations),
    })),
  } as never);
}

test('a plan that would now give access that it did not show is stale, and writes nothing', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(MORE);
      const planned = await run('plan', '--out', 'plan.json');
      expect([planned.code, planned.stdout]).toEqual([
        0,
        expect.stringContaining('Access: unchanged'),
      ]);
      expect((await run('plan', 'check', 'plan.json')).code).toBe(0);
      await disable('Default');
      const says = 'group/engineers → group/bastions  tcp/3389';
      for (const words of [
        ['plan', 'check', 'plan.json'],
        ['apply', 'plan.json', '--yes'],
      ]) {
        const { code, stderr } = await run(...words);
        expect([code, stderr]).toEqual([5, expect.stringContaining(says)]);
        expect(stderr).toContain('PLAN_STALE');
      }
      expect((await listOf(account, 'policies')).map(({ name }) => name)).not.toContain('extra');
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
    },
    OPEN,
  ));

test('a plan that gives exactly the access that it showed is applied, even if the account has more machines', () =>
  started(account, async ({ want, run }) => {
    await want(WIDENED);
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    const engineers = (await listOf(account, 'groups')).find(({ name }) => name === 'engineers');
    await account.enrol('new', [String(engineers?.id)]);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  }));

test('a plan that gives no access is applied, although somebody removed access meanwhile', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(`${BEFORE.replace('"22", "443"', '"22"')}${rule('extra', 3389)}`);
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      await disable('extra');
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    `${BEFORE}${rule('extra', 3389)}`,
  ));

const ONE = `  - name: one
    rules: [{ name: r, sources: [engineers], destinationResource: { peer: jump }, protocol: tcp, ports: ["22"] }]
`;

test('a machine that joins a destination has what was shown of the future members of the group', () =>
  started(
    account,
    async ({ want, run }) => {
      await want(GROUPS + CLOSED + ONE);
      const first = await run('apply', '--yes');
      expect(first.code, first.stderr).toBe(0);
      await want(GROUPS + CLOSED + ONE + rule('all', 22));
      const { stdout } = await run('plan', '--out', 'plan.json');
      // The machines of today are reached already.
      expect(stdout).toContain('→ machines that enrol with group/bastions  tcp/22');
      const bastions = (await listOf(account, 'groups')).find(({ name }) => name === 'bastions');
      await account.enrol('new', [String(bastions?.id)]);
      const { code, stderr } = await run('apply', 'plan.json', '--yes');
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('PLAN_STALE')]);
    },
    GROUPS + CLOSED,
  ));
