// A network resource that moves from one network to another is the same destination, if nothing else changes about it.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { frameOf, worldsOf } from '../../../src/access/world/world.ts';
import { stateOf } from '../names.ts';
import type { Account, Network } from '../slow/account.ts';

const machine = (id: string) => ({
  id,
  name: id,
  ip: '100.64.0.1',
  approval_required: false,
  login_expired: false,
});

const PEERS = ['mia', 'gw', 'gw2'].map(machine);

const db = (id: string, address = '10.20.0.5') => ({
  id,
  name: 'orders-db',
  address,
  enabled: true,
  groups: [{ id: 'databases' }],
});

/** Two networks with their own routing machines, one of which has the database. */
const account = (...resources: readonly (readonly ReturnType<typeof db>[])[]): Account => ({
  peers: PEERS,
  groups: [
    { id: 'gAll', name: 'All', peers: PEERS.map(({ id }) => ({ id })) },
    { id: 'dev', name: 'dev', peers: [{ id: 'mia' }] },
    { id: 'databases', name: 'databases', peers: [] },
  ],
  policies: [
    {
      id: 'pg',
      name: 'pg',
      enabled: true,
      source_posture_checks: [],
      rules: [
        {
          id: 'pg rule',
          name: 'pg',
          enabled: true,
          action: 'accept',
          protocol: 'tcp',
          bidirectional: false,
          ports: ['5432'],
          sources: [{ id: 'dev' }],
          destinations: [{ id: 'databases' }],
        },
      ],
    },
  ],
  posture_checks: [],
  routes: [],
  networks: ['production', 'vault'].map(
    (id, at): Network => ({
      id,
      name: id,
      resources: resources[at] ?? [],
      routers: [
        { id: `${id} router`, enabled: true, peer: ['gw', 'gw2'][at] ?? '', peer_groups: [] },
      ],
    }),
  ),
});

function changesBetween(before: AccessState, after: AccessState) {
  const pool = rowPool();
  const frame = frameOf(before, after);
  const ways = [worldsOf([before, after]), [frame.first, frame.last]];
  const [found, same] = ways.map(([one, other]) => {
    if (!one || !other) throw new Error('two states have two worlds');
    const { changes } = accessChanges(reachesOf(one, pool), reachesOf(other, pool));
    return changes.map(({ kind, targets: [target] }) => `${kind} ${JSON.stringify(target)}`);
  });
  expect(found).toEqual(same);
  return found?.map(text => text.split(' ')[0]);
}

const withoutId = (state: AccessState): AccessState => ({
  ...state,
  networks: state.networks.map(network => ({
    ...network,
    resources: network.resources.map(({ id: _, ...resource }) => resource),
  })),
});

const HERE = stateOf(account([db('r1')], []));
const THERE = stateOf(account([], [db('r1')]));

test('moving a resource changes nobody’s access', () => {
  expect(changesBetween(HERE, THERE)).toEqual([]);
  // One that is created in the other network, and then deleted in the first, has no id in the plan.
  expect(changesBetween(HERE, withoutId(THERE))).toEqual([]);
});

test('a resource with a new address, or added beside the first, is a separate destination', () => {
  const moved = stateOf(account([], [db('r1', '10.20.0.6')]));
  expect(changesBetween(HERE, moved)).toEqual(['lost', 'gained']);
  const both = stateOf(account([db('r1')], [db('r2')]));
  expect(changesBetween(HERE, both)).toEqual(['gained']);
  expect(changesBetween(both, HERE)).toEqual(['lost']);
  const other = stateOf(account([], [db('r2')]));
  expect(changesBetween(HERE, other)).toEqual(['lost', 'gained']);
});
