// Routes and routers have no names: the base knows them by their ids, so that they are followed when somebody changes what identifies them.
import { expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../src/model/value.ts';
import { expectCode, type Teams, teams } from '../bases/teams.ts';

// Whole stories, of several applies each.
vi.setConfig({ testTimeout: 60_000 });

const GROUPS = 'groups: [{ name: gateways }, { name: spare }, { name: staff }]\n';
const ROUTES = `routes:
  - { network_id: lab, network: 10.7.0.0/24, peer_groups: [gateways], groups: [staff], metric: 9999, masquerade: true }
networks:
  - name: office
    routers: [{ peer_groups: [gateways], metric: 9999, masquerade: true }]
`;
const FREELY = ['--allow', 'CONFLICT', '--allow', 'LOSES_MEMBERS', '--resolve', 'desired'];

interface Story extends Teams {
  /** The only route, or the only router of the network. */
  readonly one: (what: 'route' | 'network_router') => Promise<JsonObject | undefined>;
  /** Changes what identifies it, by hand. */
  readonly change: (what: 'route' | 'network_router') => Promise<void>;
}

const recorded = (tell: (story: Story) => Promise<void>) =>
  teams(async all => {
    const { account, commit, id } = all;
    await commit({
      'net/meshform.yaml': `account: ${id}\n`,
      'net/a.yaml': GROUPS,
      'net/b.yaml': ROUTES,
    });
    expectCode(await all.apply('net'), 0);
    const list = (path: string) => account.call('GET', path) as Promise<JsonObject[]>;
    const [network] = await list('/api/networks');
    const paths = {
      route: '/api/routes',
      network_router: `/api/networks/${network?.id}/routers`,
    } as const;
    const groups = await list('/api/groups');
    const spare = groups.find(({ name }) => name === 'spare')?.id ?? '';
    const one = async (what: keyof typeof paths) => (await list(paths[what]).catch(() => []))[0];
    const change = async (what: keyof typeof paths) => {
      const found = await one(what);
      const { peer: _, ...rest } = found ?? {};
      const edited = what === 'route' ? { network_id: 'lab2' } : { peer_groups: [spare] };
      await account.call('PUT', `${paths[what]}/${found?.id}`, { ...rest, ...edited });
    };
    await tell({ ...all, one, change });
  }, 'netbird');

const KINDS = [['route'], ['network_router']] as const;

test.each(KINDS)('a %s is recognised even if somebody changes its identity', what =>
  recorded(async ({ change, one, apply, run }) => {
    const before = await one(what);
    await change(what);
    const drifted = await run(['drift', 'net', '--base', 'auto']);
    expectCode(drifted, 2);
    expect(drifted.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
    const applied = await apply('net', FREELY);
    expectCode(applied, 0);
    expect(applied.stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    expect(await one(what)).toEqual(before);
  }),
);

test.each(KINDS)(
  'a %s that the files no longer declare is removed, whatever somebody changed',
  what =>
    recorded(async ({ change, one, apply, commit }) => {
      await change(what);
      const without =
        what === 'route'
          ? ROUTES.slice(ROUTES.indexOf('networks:'))
          : ROUTES.replace(/^ {4}routers:.*\n/m, '');
      await commit({ 'net/b.yaml': without });
      expectCode(await apply('net', FREELY), 0);
      expect(await one(what)).toBeUndefined();
    }),
);

test.each(KINDS)(
  'a %s that both the files and somebody in the account change is recognised',
  what =>
    recorded(async ({ change, one, apply, commit }) => {
      const before = await one(what);
      await change(what);
      const changed =
        what === 'route'
          ? ROUTES.replace('network_id: lab', 'network_id: lab3')
          : ROUTES.replace(
              'routers: [{ peer_groups: [gateways]',
              'routers: [{ peer_groups: [staff]',
            );
      await commit({ 'net/b.yaml': changed });
      expectCode(await apply('net', FREELY), 0);
      expect((await one(what))?.id).toBe(before?.id);
    }),
);

test('a route of a group that somebody renamed is recognised', () =>
  recorded(async ({ account, apply, run, one }) => {
    const before = await one('route');
    const groups = (await account.call('GET', '/api/groups')) as JsonObject[];
    const gateways = groups.find(({ name }) => name === 'gateways');
    await account.call('PUT', `/api/groups/${gateways?.id}`, {
      name: 'gw',
      peers: [],
      resources: [],
    });
    const drifted = await run(['drift', 'net', '--base', 'auto']);
    expect(drifted.stdout).toContain('Drift: 1 changed, 0 missing, 0 not removed.');
    expectCode(await apply('net'), 0);
    expect(await one('route')).toEqual(before);
  }));
