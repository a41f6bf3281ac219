// Access that waits: what a change takes away because it waits is a hazard, and what the files narrow themselves is none.
import { expect, test, vi } from 'vitest';
import { someOf } from '../../support/variations.ts';
import { HEAD, ok, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

const NETWORK = (group: string) =>
  `networks: [{ name: n, routers: [{ peer_groups: [${group}], metric: 100, masquerade: true }], resources: [{ name: db, address: 10.9.0.5/32, groups: [servers] }] }]\n`;
const ROUTE = (group: string) =>
  `routes: [{ network_id: n1, description: d, network: 10.8.0.0/24, peer_groups: [${group}], groups: [ops], metric: 100, masquerade: true }]\n`;

test.each(
  someOf(
    [
      ['a router', NETWORK],
      ['a route', ROUTE],
    ],
    1,
  ),
)('%s whose only routing machines wait loses access: a hazard', (_, of) =>
  story('netbird', async stage => {
    await stage.write(HEAD + of('servers'));
    ok(await stage.apply());
    await stage.write(HEAD + of('servers, engineers'));
    expect(ok(await stage.plan()).stdout).not.toContain('ACCESS_WAITS');
    await stage.write(HEAD + of('engineers'));
    const planned = ok(await stage.plan());
    expect(planned.stdout).toContain('ACCESS_WAITS');
    expect(planned.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'loses access now, and what the files declare instead waits for group.engineers',
    );
    expect((await stage.apply()).code).toBe(6);
    ok(await stage.apply('--allow', 'ACCESS_WAITS'));
  }),
);

test('access that a policy removes by its own text is not reported as waiting', () =>
  story('netbird', async stage => {
    const policy = (sources: string, ports: string) =>
      `policies: [{ name: p, rules: [{ name: r, sources: [${sources}], destinations: [servers], protocol: tcp, ports: [${ports}] }] }]\n`;
    await stage.write(HEAD + policy('ops', '"22", "443"'));
    ok(await stage.apply());
    await stage.write(HEAD + policy('ops, engineers', '"22"'));
    expect(ok(await stage.plan()).stdout).not.toContain('ACCESS_WAITS');
    await stage.write(HEAD + policy('engineers', '"22"'));
    expect(ok(await stage.plan()).stdout).toContain('ACCESS_WAITS');
  }));

test('a waiting object counts as declared: flags may name it', () =>
  story('netbird', async stage => {
    const service = (more: string) =>
      `reverse_proxy: { services: [{ domain: w.eu.proxy.test, name: W, ${more}targets: [{ target: { peer: machine }, port: 81, protocol: http }] }] }\n`;
    const policy =
      'policies: [{ name: p, rules: [{ name: r, sources: [engineers], destinations: [servers], protocol: all }] }]\n';
    await stage.account.control('POST', '/emulator/proxy-clusters', {
      address: 'eu.proxy.test',
      shared: true,
      private: true,
    });
    await stage.write(HEAD + service('') + policy);
    ok(await stage.apply('--allow', 'SERVICE_PUBLIC'));
    await stage.write(HEAD + service('private: true, access_groups: [engineers], ') + policy);
    const open = await stage.run('plan', '.');
    expect([open.code, open.stderr]).toEqual([3, expect.stringContaining('WAITS_OPEN')]);
    expect(open.stderr.match(/you need not do anything/g)).toHaveLength(1);
    for (const flags of [
      ['--except', 'proxy_service/*'],
      ['--except', 'proxy_service/w.eu.proxy.test'],
      ['--only', 'policy/p'],
      ['--only', 'group/ops', '--except', 'policy/p'],
    ]) {
      const { code, stderr } = await stage.run('plan', '.', ...flags);
      expect([code, stderr], flags.join(' ')).toEqual([
        0,
        expect.not.stringContaining('SELECTION_UNKNOWN'),
      ]);
    }
  }));
