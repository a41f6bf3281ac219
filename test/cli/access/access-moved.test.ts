// A guarded network resource that moves to a network with other routing machines, on a server that moves it in place.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { someOf } from '../../support/variations.ts';
import { DB, listOf, meshformOf, refused, started, WIDENED } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount({ dialect: 'netbird' });
});
afterEach(() => account.close());

const withLab = (lab: string) => WIDENED.replace('policies:', `  - name: lab\n${lab}policies:`);
const ROUTERS = '    routers: [{ peer: jump, metric: 1, masquerade: true }]\n';
const NAMED = (text: string) => text.replace('10.20.0.5', 'db.example.com');

/** The network resource, under this name, belongs to another network, whose routing machine is another one. */
const elsewhere = (name: string) =>
  withLab(
    `    resources: [{ name: ${name}, address: 10.20.0.5, groups: [databases], lifecycle: { was: production/orders-db } }]\n${ROUTERS}`,
  ).replace(/ {4}resources:\n.*\n/, '');

const FORWARDS = 'peer/jump forwards traffic to';

test.each<[string, string, string, string, ...string[]]>(
  someOf(
    [
      ['to a new network', WIDENED, elsewhere('orders-db'), DB, '10.20.0.5/32'],
      [
        'to a new network, and the guard follows',
        WIDENED,
        elsewhere('db'),
        'network_resource/lab/db',
      ],
      ['to a new network, by its group', WIDENED, elsewhere('orders-db'), 'group/databases'],
      ['to a network that exists', withLab(ROUTERS), elsewhere('orders-db'), DB, '10.20.0.5/32'],
      [
        'to a new network, with a domain',
        NAMED(WIDENED),
        NAMED(elsewhere('orders-db')),
        DB,
        'db.example.com',
      ],
    ],
    2,
  ),
)(
  'moving a guarded network resource %s is reported as a right',
  (_, first, wanted, target, ...left) =>
    started(account, async folder => {
      const { cwd, want, run } = folder;
      // Routers of a machine need the machine.
      await want(first);
      expect((await run('apply', '--yes')).code).toBe(0);
      await cp(join(cwd, 'network.yaml'), join(cwd, '.base', 'network.yaml'));
      await want(wanted, { 'meshform.yaml': `guarded: [${JSON.stringify(target)}]\n` });
      for (const base of [[], ['--base', '.base']]) {
        const planned = await run('plan', '--format', 'json', ...base);
        const rights: readonly { message: string }[] = meshformOf(planned).access.rights ?? [];
        expect(rights.map(({ message }) => message)).toEqual([expect.stringContaining(FORWARDS)]);
        const { stderr } = await refused(account, folder, '--no-new-access', ...base);
        expect(stderr).toContain(FORWARDS);
        for (const one of left) {
          const shrunk = await refused(account, folder, ...base);
          expect(shrunk.stderr.replaceAll(/\s+/g, ' ')).toContain(
            `SHRINKS_GUARDED_TARGET the plan takes ${one} out of ${target}, which is guarded`,
          );
        }
      }
      const allowed = left.length > 0 ? ['--allow', `SHRINKS_GUARDED_TARGET=${target}`] : [];
      const applied = await run('apply', '--yes', ...allowed);
      expect(applied.code, applied.stderr).toBe(0);
      const networks = await listOf(account, 'networks');
      expect(networks.find(({ name }) => name === 'lab')?.resources).toHaveLength(1);
    }),
);
