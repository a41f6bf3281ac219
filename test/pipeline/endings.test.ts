// What has ended is removed from the account: in every mode of pruning, without a base, and without a flag.
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingAllowances } from '../../src/engine/checks/hazards.ts';
import type { Desired } from '../../src/model/object.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { startAccount, type TestAccount } from '../support/account.ts';
import { desiredOf, KINDS } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';
import { SERVERS } from '../support/servers/servers.ts';

const BEFORE = '2026-11-30T12:00:00Z';
const AFTER = '2026-12-02T12:00:00Z';

const at = (text: string, time: string): readonly Desired[] =>
  endedAt(desiredOf(text), KINDS, Date.parse(time)).desired;

const rule = (name: string, sources: string, port: number) =>
  `{ name: ${name}, sources: ${sources}, destinations: [servers], protocol: tcp, ports: ["${port}"] }`;

const groups = (more = '') =>
  `groups:\n  - { name: staff }\n  - { name: contractors }\n  - { name: servers${more} }\n`;

const ENDS = '[{ name: contractors, until: 2026-12-01 }]';

async function begun(server: (typeof SERVERS)[number], text: string): Promise<TestAccount> {
  const account = await startAccount(server);
  onTestFinished(() => account.close());
  for (const name of ['ada', 'bob', 'cay']) await account.enrol(name);
  const { result } = await reconcile(account, at(text, BEFORE));
  expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
  return account;
}

const named = async (account: TestAccount, path: string) =>
  (await account.call('GET', path)) as readonly {
    readonly name: string;
    readonly peers?: readonly { readonly name: string }[];
  }[];

const CASES = [
  [
    'a policy',
    `${groups()}policies:\n  - { name: p, lifecycle: { until: 2026-12-01 }, rules: [${rule('a', '[staff]', 1)}, ${rule('b', '[staff]', 2)}] }\n`,
    { policies: [] },
  ],
  [
    'one of two sources',
    `${groups()}policies:\n  - { name: p, rules: [${rule('a', '[staff, { name: contractors, until: 2026-12-01 }]', 1)}] }\n`,
    { policies: ['staff'] },
  ],
  [
    'the only source of one of three rules',
    `${groups()}policies:\n  - { name: p, rules: [${rule('a', ENDS, 1)}, ${rule('b', '[staff]', 2)}, ${rule('c', '[staff]', 3)}] }\n`,
    { policies: ['staff', 'staff'] },
  ],
  [
    'the only source of one of two rules',
    `${groups()}policies:\n  - { name: p, rules: [${rule('a', ENDS, 1)}, ${rule('b', '[staff]', 2)}] }\n`,
    { policies: ['staff'] },
  ],
  [
    'the only source of the only rule',
    `${groups()}policies:\n  - { name: p, rules: [${rule('a', ENDS, 1)}] }\n`,
    { policies: [] },
  ],
  [
    'a membership',
    groups(', peers: [ada, { name: bob, until: 2026-12-01 }]'),
    { servers: ['ada'] },
  ],
  ['the only membership', groups(', peers: [{ name: bob, until: 2026-12-01 }]'), { servers: [] }],
  [
    'a group',
    `${groups()}  - { name: guests, lifecycle: { until: 2026-12-01 } }\n`,
    { gone: 'guests' },
  ],
] as const;

async function content(account: TestAccount, wanted: object) {
  const live = await named(account, '/api/groups');
  const policies = (await account.call('GET', '/api/policies')) as readonly {
    readonly name: string;
    readonly rules: readonly { readonly sources: readonly { readonly name: string }[] }[];
  }[];
  if ('policies' in wanted)
    return {
      policies: policies
        .filter(({ name }) => name.startsWith('p'))
        .flatMap(({ rules }) => rules.map(({ sources }) => sources.map(one => one.name).join())),
    };
  if ('gone' in wanted)
    return { gone: live.some(({ name }) => name === 'guests') ? undefined : 'guests' };
  const servers = live.find(({ name }) => name === 'servers')?.peers ?? [];
  return { servers: servers.map(({ name }) => name) };
}

describe.each(SERVERS)('$dialect, $edition', server => {
  describe.each(CASES)('%s', (_, text, wanted) => {
    test.each(['none', 'removed', 'unmanaged'] as const)('expires with --prune %s', async prune => {
      const account = await begun(server, text);
      const before = await plan(account, at(text, BEFORE), { prune: 'none' });
      expect(before.changes).toEqual([]);
      const ended = at(text, AFTER);
      const options = prune === 'removed' ? { prune, base: at(text, BEFORE) } : { prune };
      const { plan: made, result } = await reconcile(account, ended, options);
      expect(made.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(result.outcomes.filter(({ status }) => status !== 'done')).toEqual([]);
      expect(await content(account, wanted)).toEqual(wanted);
      expect((await plan(account, ended, options)).changes).toEqual([]);
    });

    test('needs no flag', async () => {
      const account = await begun(server, text);
      const made = await plan(account, at(text, AFTER));
      expect(missingAllowances(made.actions).map(({ code }) => code)).toEqual([]);
    });
  });

  test('plans nothing for an object that expired before it was ever applied', async () => {
    const account = await begun(server, groups());
    const text = `${groups()}policies:\n  - { name: p, lifecycle: { until: 2026-12-01 }, rules: [${rule('a', '[staff]', 1)}] }\n`;
    expect((await plan(account, at(text, AFTER))).changes).toEqual([]);
  });

  test('counts no expiry against a threshold', async () => {
    const text = `${groups()}policies:\n${[1, 2, 3].map(n => `  - { name: p${n}, lifecycle: { until: 2026-12-01 }, rules: [${rule('a', '[staff]', n)}] }\n`).join('')}`;
    const account = await begun(server, text);
    const thresholds = { default: { deletes: 0 } };
    const made = await plan(account, at(text, AFTER), { thresholds });
    expect(made.changes.map(({ type }) => type)).toEqual(['delete', 'delete', 'delete']);
    expect(missingAllowances(made.actions)).toEqual([]);
  });

  test('a group that somebody uses stays, and everything else expires', async () => {
    const text = `${groups()}  - { name: guests, lifecycle: { until: 2026-12-01 } }\npolicies:\n  - { name: p, lifecycle: { until: 2026-12-01 }, rules: [${rule('a', '[guests]', 1)}] }\n`;
    const account = await begun(server, text);
    const guests = (await account.call('GET', '/api/groups')) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    const { id = '' } = guests.find(({ name }) => name === 'guests') ?? {};
    await account.call('POST', '/api/policies', {
      name: 'by hand',
      enabled: true,
      rules: [
        {
          name: 'by hand',
          enabled: true,
          action: 'accept',
          bidirectional: false,
          protocol: 'all',
          sources: [id],
          destinations: [id],
        },
      ],
    });
    const { plan: made } = await reconcile(account, at(text, AFTER));
    expect(made.diagnostics.map(({ code, severity }) => [code, severity])).toContainEqual([
      'END_HELD',
      'warning',
    ]);
    expect(made.changes.map(({ address }) => address)).toEqual(['policy.p']);
  });

  test('a threshold counts objects that are deleted for another reason', async () => {
    const text = `${groups()}  - { name: guests, lifecycle: { delete: true } }\n`;
    const account = await begun(server, text.replace(', lifecycle: { delete: true }', ''));
    const made = await plan(account, at(text, AFTER), { thresholds: { default: { deletes: 0 } } });
    expect(missingAllowances(made.actions).map(({ code }) => code)).toEqual([
      'DELETES_OBJECT',
      'OVER_THRESHOLD',
    ]);
  });
});
