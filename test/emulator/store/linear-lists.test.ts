// What a list costs, and filling an account: with twice the size, twice as much is read, not four times.
import { expect, it } from 'vitest';
import { memoryStore, type Rows, type Store } from '../../../src/emulator/index.ts';
import { policyBody, resourceBody, routerBody, ruleBody } from '../bodies.ts';
import { emulated } from '../emulated.ts';

/** A store that counts the records which are read from it. */
function counting(): { readonly store: Store; readonly count: () => number } {
  const store = memoryStore();
  let read = 0;
  const counted = (rows: Rows): Rows => ({
    ...rows,
    get: (...place) => {
      read += 1;
      return rows.get(...place);
    },
    all: (...table) => {
      const all = rows.all(...table);
      read += all.length;
      return all;
    },
    having: (...index) => {
      const found = rows.having(...index);
      read += found.length;
      return found;
    },
    attempt: work => rows.attempt(work),
  });
  return {
    store: { ...store, transaction: work => store.transaction(rows => work(counted(rows))) },
    count: () => read,
  };
}

const LOAD = 'the load';
const LISTS = ['groups', 'networks', 'networks/resources', 'networks/routers', 'peers'].concat([
  'policies',
  'routes',
  'setup-keys',
  'users',
  'posture-checks',
  'peers/p0/accessible-peers',
]);

/** What filling an account reads, and each list of an account with so many networks, each with resources, routers, peers, groups and policies. */
async function costs(size: number): Promise<ReadonlyMap<string, number>> {
  const { store, count } = counting();
  const api = await emulated({ dialect: 'netbird', store });
  const numbers = Array.from({ length: size }, (_, n) => n);
  const of = (name: string, body: (n: number) => object) =>
    numbers.map(n => ({ id: `${name}${n}`, name: `${name}${n}`, ...body(n) }));
  const groups = of('g', n => ({ peers: [`p${n}`, `p${(n + 1) % size}`] }));
  const load = {
    '/emulator/peers': of('p', () => ({})),
    '/api/groups': groups,
    '/api/networks': of('n', () => ({})),
    ...Object.fromEntries(
      numbers.flatMap(n => [
        [
          `/api/networks/n${n}/resources`,
          [{ ...resourceBody({ groups: [`g${n}`] }), id: `r${n}`, name: `r${n}` }],
        ],
        [`/api/networks/n${n}/routers`, [{ ...routerBody({ peer_groups: [`g${n}`] }) }]],
      ]),
    ),
    '/api/policies': numbers.map(n => ({
      ...policyBody([ruleBody({ sources: [`g${n}`], destinations: [`g${(n + 1) % size}`] })]),
      name: `policy ${n}`,
    })),
  };
  const empty = count();
  await api.control('POST', '/emulator/load', load);
  const found = new Map([[LOAD, count() - empty]]);
  for (const name of LISTS) {
    const before = count();
    await api.get(`/api/${name}`);
    found.set(name, count() - before);
  }
  return found;
}

it('every list and the load take time linear in what they read', async () => {
  const small = await costs(20);
  const large = await costs(40);
  for (const name of [LOAD, ...LISTS])
    expect(large.get(name), name).toBeLessThanOrEqual(2.2 * (small.get(name) ?? 0));
});
