// Many writers at once: names that are unique stay so, cascades stay whole, and no order of answers breaks anything.
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/emulator/index.ts';
import { resourceBody, routerBody } from '../bodies.ts';
import { type Emulated, emulated } from '../emulated.ts';
import { below, pick } from '../fuzz/draw.ts';

const names = (list: unknown) => [list].flat().map(one => String(Object(one).name));
const isUnique = (all: readonly string[]) => new Set(all).size === all.length;

/** Sends all at once; how many were done. */
async function atOnce(calls: readonly (() => ReturnType<Emulated['call']>)[]): Promise<number> {
  const answers = await Promise.all(calls.map(call => call()));
  for (const { status } of answers) expect(status).toBeLessThan(500);
  return answers.filter(({ status }) => status === 200).length;
}

/** What only one object of an account can have, and how it is asked for. */
const UNIQUE: readonly [string, (api: Emulated) => Promise<[path: string, body: object]>][] = [
  ['a group of one name', async () => ['/api/groups', { name: 'one' }]],
  [
    'a network resource of one name, in any network',
    async api => [
      `/api/networks/${await api.make('/api/networks', { name: 'n' })}/resources`,
      resourceBody(),
    ],
  ],
  [
    'a posture check of one name',
    async () => [
      '/api/posture-checks',
      { name: 'one', description: '', checks: { nb_version_check: { min_version: '1' } } },
    ],
  ],
  [
    'a person of one email',
    async () => [
      '/api/users',
      { email: 'a@b.c', name: 'A', role: 'user', auto_groups: [], is_service_user: false },
    ],
  ],
  [
    'an invite for one email',
    async () => [
      '/api/users/invites',
      { email: 'a@b.c', name: 'A', role: 'user', auto_groups: [] },
    ],
  ],
  [
    'a tenant of one domain',
    async () => ['/api/integrations/msp/tenants', { name: 't', domain: 'a.example', groups: [] }],
  ],
  [
    'an integration with one provider',
    async () => [
      '/api/integrations/edr/edr-provider-b',
      { client_id: 'c', tenant_id: 't', secret: 's', groups: [], last_synced_interval: 24 },
    ],
  ],
  [
    'an ingress peer on one peer',
    async api => [
      '/api/ingress/peers',
      { peer_id: await api.enrol('gate'), enabled: true, fallback: true },
    ],
  ],
];

describe.each(['memory', 'a file'])('state in %s', kept => {
  const start = () => emulated(kept === 'memory' ? {} : { db: ':memory:' });

  it.each(UNIQUE)(
    '%s is created once, however many requests create it concurrently',
    async (_, ask) => {
      const api = await start();
      const [path, body] = await ask(api);
      const calls = Array.from({ length: 20 }, () => () => api.call('POST', path, body));
      expect(await atOnce(calls)).toBe(1);
    },
  );

  it('addresses and labels of peers stay unique, however many enrol concurrently', async () => {
    const api = await start();
    await Promise.all(Array.from({ length: 40 }, () => api.enrol('laptop')));
    const peers = [await api.get('/api/peers')].flat().map(peer => Object(peer));
    expect(peers).toHaveLength(40);
    expect(isUnique(peers.map(({ ip }) => ip))).toBe(true);
    expect(isUnique(peers.map(({ dns_label }) => dns_label))).toBe(true);
  });

  it('a one-off key enrols one of many machines', async () => {
    const api = await start();
    const { key } = Object(
      await api.post('/api/setup-keys', {
        name: 'k',
        type: 'one-off',
        expires_in: 86_400,
        auto_groups: [],
        usage_limit: 1,
      }),
    );
    const calls = Array.from({ length: 20 }, (_, n) => () => {
      const body = { name: `m${n}`, setup_key: key };
      return api.call('POST', '/emulator/peers', body, `Token ${api.controlsToken}`);
    });
    expect(await atOnce(calls)).toBe(1);
    expect(await api.get('/api/peers')).toHaveLength(1);
  });

  it('a network is deleted with all of its children, whoever adds to it meanwhile', async () => {
    const api = await start();
    const group = await api.make('/api/groups', { name: 'g' });
    for (let round = 0; round < 5; round += 1) {
      const network = await api.make('/api/networks', { name: 'n' });
      const path = `/api/networks/${network}`;
      const groups = [group];
      const add = (n: number) => () =>
        api.call('POST', `${path}/resources`, resourceBody({ name: `${round}-${n}`, groups }));
      const route = () => api.call('POST', `${path}/routers`, routerBody({ peer_groups: groups }));
      const calls = Array.from({ length: 12 }, (_, n) => (n % 4 === 3 ? route : add(n)));
      await atOnce([...calls.slice(0, 6), () => api.call('DELETE', path), ...calls.slice(6)]);
      expect((await api.call('GET', path)).status).toBe(404);
    }
    expect(await api.get(`/api/groups/${group}`)).toMatchObject({ resources: [] });
    await api.remove(`/api/groups/${group}`);
  });

  it('random writers leave no duplicate name and no dangling reference', async () => {
    const api = await start();
    const draw = seededRandom(1);
    const group = await api.make('/api/groups', { name: 'g' });
    const network = async () => {
      const all = [await api.get('/api/networks')].flat();
      return all.length === 0 ? 'none' : String(Object(pick(draw, all)).id);
    };
    const turns: readonly (() => Promise<unknown>)[] = [
      () => api.call('POST', '/api/networks', { name: `n${below(draw, 5)}` }),
      async () => {
        const body = resourceBody({ name: `r${below(draw, 8)}`, groups: [group] });
        await api.call('POST', `/api/networks/${await network()}/resources`, body);
      },
      () => api.call('POST', '/api/groups', { name: `g${below(draw, 6)}` }),
      async () => api.call('DELETE', `/api/networks/${await network()}`),
    ];
    const writer = async () => {
      for (let turn = 0; turn < 40; turn += 1) await pick(draw, turns)();
    };
    await Promise.all(Array.from({ length: 6 }, writer));
    const networks = [await api.get('/api/networks')].flat().map(one => Object(one));
    const resources: unknown[] = [];
    for (const { id } of networks)
      resources.push(...[await api.get(`/api/networks/${id}/resources`)].flat());
    const ids = resources.map(one => String(Object(one).id)).toSorted();
    expect(isUnique(names(resources))).toBe(true);
    expect(isUnique(names(await api.get('/api/groups')))).toBe(true);
    const members = [Object(await api.get(`/api/groups/${group}`)).resources].flat();
    expect(members.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(networks.flatMap(one => one.resources).toSorted()).toEqual(ids);
  });
});
