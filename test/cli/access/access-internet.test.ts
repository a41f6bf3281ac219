// Ports that are open to the internet: in the live account, while a plan is carried out, and in a saved plan.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { BEFORE, meshformOf, refused, started } from './gatedFolder.ts';

// Whole scenarios, of several commands each.
vi.setConfig({ testTimeout: 60_000 });

let account: TestAccount;
beforeEach(async () => {
  account = await startAccount();
});
afterEach(() => account.close());

interface Ports {
  readonly isServing: boolean;
  /** By machine, whether its port 22 is open. */
  readonly ports: Readonly<Record<string, boolean>>;
}

const filesOf = ({ isServing, ports }: Ports): string => `${BEFORE}ingress_peers:
  - { peer_id: gw, enabled: ${isServing} }
peers:
${Object.entries(ports)
  .map(
    ([name, isOpen]) => `  - name: ${name}
    ingress_ports: [{ name: ssh, enabled: ${isOpen}, port_ranges: [{ start: 22, end: 22, protocol: tcp }] }]
`,
  )
  .join('')}`;

const OPEN: Ports = { isServing: true, ports: { jump: true } };

/** An account with these ports, and a folder with other files. */
const between = (first: Ports, then: Ports, use: Parameters<typeof started>[1]): Promise<void> =>
  started(account, async folder => {
    const { want, run } = folder;
    // No port is allocated unless an ingress peer serves.
    for (const ports of [{ ...first, isServing: true }, first]) {
      await want(filesOf(ports));
      const { code, stderr } = await run('apply', '--yes');
      expect(code, stderr).toBe(0);
    }
    await want(filesOf(then));
    await use(folder);
  });

describe('during an apply', () => {
  test('a port is closed before the ingress peer that would open it is enabled', () =>
    between(
      { isServing: false, ports: { jump: true } },
      { isServing: true, ports: { jump: false } },
      async ({ run }) => {
        const plan = meshformOf(await run('plan', '--format', 'json'));
        const { actions, access, access_steps } = plan;
        expect(plan.access_changes).toEqual([]);
        expect(actions.map(({ id }: { readonly id: string }) => id)).toEqual([
          'update ingress_port_allocation.jump/ssh',
          'update ingress_peer.gw',
        ]);
        expect([access.order?.status, access_steps]).toEqual(['in_bounds', []]);
      },
    ));

  test('a port that another allocation opens stays open', () =>
    between(OPEN, OPEN, async ({ want, run }) => {
      await want(filesOf(OPEN).replace('name: ssh, enabled', 'name: shell, enabled'));
      const plan = meshformOf(await run('plan', '--prune', 'unmanaged', '--format', 'json'));
      expect(plan.actions.map(({ id }: { readonly id: string }) => id)).toEqual([
        'create ingress_port_allocation.jump/shell',
        'delete ingress_port_allocation.jump/ssh',
      ]);
      expect([plan.access.order?.status, plan.access_steps]).toEqual(['in_bounds', []]);
    }));
});

describe('a saved plan', () => {
  test('is evaluated again with the ports that it opens', () =>
    between({ isServing: true, ports: { jump: false } }, OPEN, async folder => {
      expect((await folder.run('plan', '--out', 'plan.json')).code).toBe(0);
      const { stderr } = await refused(account, folder, 'plan.json', '--no-new-access');
      expect(stderr).toContain('  + internet → peer/jump  tcp/22');
    }));

  test('is evaluated again with the ports that its ingress peer opens, also those of other machines', () =>
    between({ isServing: false, ports: { jump: true } }, OPEN, async folder => {
      expect((await folder.run('plan', '--out', 'plan.json')).code).toBe(0);
      const { stderr } = await refused(account, folder, 'plan.json', '--no-new-access');
      expect(stderr).toContain('  + internet → peer/jump  tcp/22');
    }));
});

test('enabling an ingress peer opens the ports of machines that the files do not mention', () =>
  between({ isServing: false, ports: { jump: true } }, OPEN, async folder => {
    await folder.want(filesOf({ isServing: true, ports: {} }).replace(/peers:\n$/, ''));
    const { stderr } = await refused(account, folder, '--no-new-access');
    expect(stderr).toContain('  + internet → peer/jump  tcp/22');
  }));

describe('the live account', () => {
  const asked = async (cwd: string) => {
    const before = account.requests.length;
    const ended = await meshform(['access', 'to', 'peer/jump', '--live'], {
      cwd,
      env: environmentOf(account),
    });
    const paths = account.requests.slice(before).map(({ path }) => path);
    return { ...ended, ingress: paths.filter(path => path.includes('/ingress/')) };
  };

  test('is asked for the ports of each machine if an ingress peer is enabled', () =>
    between(OPEN, OPEN, async ({ cwd }) => {
      const { code, stdout, ingress } = await asked(cwd);
      expect(code).toBe(0);
      expect(stdout).toContain('internet → peer/jump  tcp/22');
      expect(ingress.length).toBe(1 + 4);
    }));

  test('has no open ports without one, and its machines are not asked for any', () =>
    between({ ...OPEN, isServing: false }, OPEN, async ({ cwd }) => {
      const { code, stdout, ingress } = await asked(cwd);
      expect(code).toBe(0);
      expect(stdout).not.toContain('internet');
      expect(ingress.length).toBe(1);
    }));

  test('the command says if the token may not list the ingress ports of the live account', () =>
    between(OPEN, OPEN, async ({ cwd }) => {
      await account.fault({ path: '/api/ingress/peers', effect: 'status', status: 403 });
      const { stdout, stderr } = await asked(cwd);
      expect(stdout + stderr).toContain('ingress ports');
    }));

  test('the live account of a self-hosted server has no ingress ports', async () => {
    const own = await startAccount({ edition: 'self-hosted' });
    await own.enrol('jump');
    await inFolder(async cwd => {
      await writeFile(join(cwd, 'network.yaml'), 'groups: [{ name: a }]\n');
      const { code, stdout, stderr } = await meshform(['access', 'to', 'peer/jump', '--live'], {
        cwd,
        env: environmentOf(own),
      });
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('ingress')]);
    });
    await own.close();
  });
});
