// A server that knows fields which the schemas do not have: what a PUT of the whole object does to them.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Dialect } from '../../src/kinds/traits.ts';
import type { Plan } from '../../src/model/plan.ts';
import { isList, isObject } from '../../src/model/value.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { plan, reconcile } from '../support/reconcile.ts';
import { newerServer } from '../support/servers/newerServer.ts';

const FILES = (name: string, ports: string) => `
groups: [{ name: devs }, { name: servers }]
networks: [{ name: office, description: "${name}" }]
policies:
  - name: devs reach servers
    description: "${name}"
    rules:
      - { name: ssh, sources: [devs], destinations: [servers], protocol: tcp, ports: ["${ports}"] }
`;

/** An account with these files, and more fields of its policy and its network. */
async function newer(dialect: Dialect) {
  const behind = await startAccount({ dialect });
  const server = await newerServer(behind);
  onTestFinished(async () => {
    await server.close();
    await behind.close();
  });
  const { account, more } = server;
  const idOf = async (path: string, name: string) => {
    const items = await account.call('GET', path);
    const found = isList(items)
      ? items.filter(isObject).find(item => item.name === name)
      : undefined;
    return String(found?.id);
  };
  await reconcile(account, desiredOf(FILES('old', '22')), { dialect });
  const policy = await idOf('/api/policies', 'devs reach servers');
  const network = await idOf('/api/networks', 'office');
  more.set(policy, {
    approval: 'manual',
    tags: ['a', 'b'],
    schedule: { from: '08:00' },
    quota: null,
    rules: { ssh: { log: true, limits: { mbit: 5 } } },
  });
  more.set(network, { region: 'eu' });
  return { ...server, policy, network };
}

const resets = ({ diagnostics }: Plan) =>
  diagnostics.flatMap(({ code, severity, message }) =>
    code === 'FIELD_MAY_BE_RESET' ? [`${severity}: ${message}`] : [],
  );

describe('a field that the schemas do not have', () => {
  test('is sent back as read if servers ignore unknown fields; objects are not', async () => {
    const { account, more, policy, network, puts } = await newer('netbird');
    const after = desiredOf(FILES('new', '2222'));
    const { plan: made } = await reconcile(account, after, { dialect: 'netbird' });
    expect(more.get(network)).toEqual({ region: 'eu' });
    expect(more.get(policy)).toEqual({
      approval: 'manual',
      tags: ['a', 'b'],
      rules: { ssh: { log: true } },
    });
    expect(puts.get(policy)).not.toHaveProperty('quota');
    expect(resets(made)).toEqual([
      'note: an update of policy["devs reach servers"] sends the whole object, and may reset `rules.ssh.limits`, `schedule`, which meshform does not know',
    ]);
    expect((await plan(account, after, { dialect: 'netbird' })).changes).toEqual([]);
  });

  test('is sent back in a renamed item', async () => {
    const { account, policy, puts } = await newer('netbird');
    const renamed = FILES('old', '22').replace('name: ssh', 'name: shell');
    await reconcile(account, desiredOf(renamed), { dialect: 'netbird' });
    expect(puts.get(policy)?.rules).toMatchObject([{ name: 'shell', log: true }]);
  });

  test('is never sent if servers refuse unknown fields, and the plan names it', async () => {
    const { account, more, policy, network, puts } = await newer('spec');
    const after = desiredOf(FILES('new', '2222'));
    const { plan: made } = await reconcile(account, after, { dialect: 'spec' });
    expect(made.diagnostics.map(({ code }) => code)).toContain('FIELD_MAY_BE_RESET');
    expect(resets(made)).toEqual([
      'note: an update of network.office sends the whole object, and may reset `region`, which meshform does not know',
      'note: an update of policy["devs reach servers"] sends the whole object, and may reset `approval`, `rules.ssh.limits`, `rules.ssh.log`, `schedule`, `tags`, which meshform does not know',
    ]);
    expect(made.changes.find(({ id }) => id === network)?.notes).toEqual([
      'may reset `region`, which meshform does not know',
    ]);
    expect(more.get(network)).toEqual({});
    expect(Object.keys(puts.get(network) ?? {}).sort()).toEqual(['description', 'name']);
    expect(JSON.stringify(puts.get(policy))).not.toMatch(/approval|tags|schedule|log|limits/);
  });

  test('is not a difference, and is not reported for an object that is not written', async () => {
    for (const dialect of ['spec', 'netbird'] as const) {
      const { account } = await newer(dialect);
      const made = await plan(account, desiredOf(FILES('old', '22')), { dialect });
      expect([made.changes, resets(made)]).toEqual([[], []]);
    }
  });
});
