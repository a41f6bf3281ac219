// Access that waits: what a change takes away because it waits is a hazard, and what the files narrow themselves is none.
import { expect, test, vi } from 'vitest';
import { HEAD, ok, story } from './providerStory.ts';

vi.setConfig({ testTimeout: 60_000 });

const NETWORK = (group: string) =>
  `networks: [{ name: n, routers: [{ peer_groups: [${group}], metric: 100, masquerade: true }], resources: [{ name: db, address: 10.9.0.5/32, groups: [servers] }] }]\n`;
const ROUTE = (group: string) =>
  `routes: [{ network_id: n1, description: d, network: 10.8.0.0/24, peer_groups: [${group}], groups: [ops], metric: 100, masquerade: true }]\n`;

test.each([
  ['a router', NETWORK],
  ['a route', ROUTE],
])('%s whose only routing machines wait loses access: a hazard', (_, of) =>
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

test('what a policy narrows by its own text is no access that waits', () =>
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
