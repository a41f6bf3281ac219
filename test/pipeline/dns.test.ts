// Names: what machines ask for them. Only servers of one dialect have these kinds.
import { describe, expect, onTestFinished, test } from 'vitest';
import { dialectFindings } from '../../src/engine/checks/dialectFindings.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf, KINDS, loadFiles } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';

const NAMESERVERS = (servers: string) => `
groups: [{ name: engineers }]
dns:
  nameserver_groups:
    - name: office
      nameservers: [${servers}]
      groups: [engineers]
      domains: [Office.example.com]
`;

async function accountOf(dialect: Dialect) {
  const account = await startAccount({ dialect });
  onTestFinished(() => account.close());
  return account;
}

describe('nameserver groups', () => {
  test('the order of the nameservers is a value: another order is a change, and is made', async () => {
    const account = await accountOf('netbird');
    const before = desiredOf(NAMESERVERS('{ ip: 10.0.0.1 }, { ip: 10.0.0.2 }'));
    await reconcile(account, before);
    expect((await plan(account, before)).changes).toEqual([]);
    const after = desiredOf(NAMESERVERS('{ ip: 10.0.0.2 }, { ip: 10.0.0.1 }'));
    const { plan: made, result } = await reconcile(account, after);
    expect(made.changes.map(({ type, address }) => [type, address])).toEqual([
      ['update', 'nameserver_group.office'],
    ]);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
    expect((await plan(account, after)).changes).toEqual([]);
    const [live] = (await account.call('GET', '/api/dns/nameservers')) as {
      nameservers: { ip: string }[];
    }[];
    expect(live?.nameservers.map(({ ip }) => ip)).toEqual(['10.0.0.2', '10.0.0.1']);
  });
});

describe('DNS settings', () => {
  const settings = (groups: string) => `
groups: [{ name: engineers }, { name: servers }]
dns: { settings: { disabled_management_groups: [${groups}] } }
`;

  test('are there already: they are changed, never created, and a group is taken out before it is deleted', async () => {
    const account = await accountOf('netbird');
    const both = desiredOf(settings('engineers, servers'));
    const { plan: made, result } = await reconcile(account, both);
    expect(made.changes.map(({ type, address }) => `${type} ${address}`)).toEqual([
      'create group.engineers',
      'create group.servers',
      'update dns_settings.account',
    ]);
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect((await plan(account, both)).changes).toEqual([]);
    const fewer = desiredOf(settings('engineers').replace(', { name: servers }', ''));
    const next = await reconcile(account, fewer, { base: both, prune: 'removed' });
    expect(next.plan.actions.map(({ id }) => id)).toEqual([
      'update dns_settings.account',
      'delete group.servers',
    ]);
    expect(next.result.outcomes.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  test('that are no longer declared stay as they are, however the run prunes', async () => {
    const account = await accountOf('netbird');
    const both = desiredOf(settings('engineers'));
    await reconcile(account, both);
    const groups = both.filter(({ kind }) => kind === 'group');
    for (const prune of ['none', 'removed', 'unmanaged'] as const) {
      const made = await plan(account, groups, { base: both, prune });
      expect(made.changes.filter(({ kind }) => kind === 'dns_settings')).toEqual([]);
    }
  });

  test('cannot be deleted: a file that says so is at fault', () => {
    const text = settings('engineers').replace('] } }', '], lifecycle: { delete: true } } }');
    expect(loadFiles({ 'a.yaml': text }).diagnostics).toMatchObject([
      {
        severity: 'error',
        message: 'every account has its DNS settings, which cannot be deleted',
      },
    ]);
  });
});

describe('a server of a dialect that does not have a kind', () => {
  const desired = desiredOf(NAMESERVERS('{ ip: 10.0.0.1 }'));

  test('is not asked for it, and its declarations are faults of the plan', async () => {
    const account = await accountOf('spec');
    const made = await plan(account, desired);
    expect(made.actions).toEqual([]);
    expect(made.diagnostics).toMatchObject([
      {
        code: 'KIND_UNAVAILABLE',
        severity: 'error',
        message:
          'the server does not return its nameserver groups: a server of dialect `spec` does not have them',
        except: ['nameserver_group/*'],
      },
    ]);
    expect(account.requests.filter(({ path }) => path.includes('/dns/'))).toEqual([]);
  });

  test('with the dialect detected, too', async () => {
    const account = await accountOf('spec');
    const made = await plan(account, desired, { dialect: 'auto' });
    expect(made.diagnostics.map(({ code }) => code)).toEqual(['KIND_UNAVAILABLE']);
    expect(account.requests.filter(({ path }) => path.includes('/dns/'))).toEqual([]);
  });

  test('what else is declared is pruned as if the kind did not exist', async () => {
    const account = await accountOf('spec');
    const groups = desiredOf('groups: [{ name: engineers }]');
    await reconcile(account, groups);
    const { result } = await reconcile(account, [], { base: groups, prune: 'removed' });
    expect(result.outcomes.map(({ status }) => status)).toEqual(['done']);
  });

  test('the files alone say it once, if that dialect is chosen', () => {
    const twice = desiredOf(
      `${NAMESERVERS('{ ip: 10.0.0.1 }')}    - { name: all, nameservers: [{ ip: 10.0.0.1 }], groups: [engineers], primary: true }\n`,
    );
    const found = (dialect: Dialect | 'auto') =>
      dialectFindings(KINDS, twice, { dialect, strict: true }).map(
        ({ code, severity, message, at }) => `${at?.line} ${severity} ${code}: ${message}`,
      );
    expect(found('spec')).toEqual([
      '5 error DIALECT_UNSUPPORTED: a server of dialect `spec` has no nameserver groups',
    ]);
    expect(found('netbird')).toEqual([]);
    expect(found('auto')).toEqual([]);
  });
});
