// Which changes have a part in access: a name has none, wherever it is written.
import { expect, test } from 'vitest';
import { effectiveChanges } from '../../../src/access/plan/causes.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import type { ShownChange } from '../../../src/model/change.ts';
import { type Address, type Key, kindName, remoteId } from '../../../src/model/names.ts';
import { stateWith } from '../gates/roads.ts';

const change = (kind: string, key: string, id: string, was?: string): ShownChange => ({
  address: `${kind}.${key}` as Address,
  kind: kindName(kind),
  key: key as Key,
  id: remoteId(id),
  type: 'update',
  ...(was !== undefined && { was: was as Key }),
  fields: [],
  notes: [],
});

/** The state with other names, in the objects that refer to them as well. */
const renamed = (state: AccessState, names: Readonly<Record<string, string>>): AccessState =>
  JSON.parse(JSON.stringify({ ...state, unread: [] }), (_, value) =>
    typeof value === 'string' ? (names[value] ?? value) : value,
  );

const effectiveIn = (before: AccessState, after: AccessState, ...changes: ShownChange[]) => [
  ...new Set([...effectiveChanges(before, after, { changes, moved: [] }).values()].flat()),
];

const BEFORE = stateWith({ routes: [] });
const RENAMED: Readonly<Record<string, string>> = {
  laptops: 'portables',
  databases: 'stores',
  gateways: 'routers',
  production: 'prod',
  'production/orders-db': 'prod/orders-db',
  'policy q1': 'pg',
  gateway: 'gw',
};

test('renaming an object, or an object that it refers to, does not affect access', () => {
  const all = [
    change('group', 'portables', 'g1', 'laptops'),
    change('group', 'stores', 'g4', 'databases'),
    change('group', 'routers', 'g2', 'gateways'),
    change('network', 'prod', 'n1', 'production'),
    change('network_resource', 'prod/orders-db', 'r1', 'production/orders-db'),
    change('policy', 'pg', 'q1', 'policy q1'),
    change('policy', 'policy q3', 'q3'),
    change('peer', 'gw', 'p2', 'gateway'),
  ];
  expect(effectiveIn(BEFORE, renamed(BEFORE, RENAMED), ...all)).toEqual([]);
});

test('swapping the names of two objects does not affect access', () => {
  const swap = { laptops: 'admins', admins: 'laptops' };
  const all = [
    change('group', 'admins', 'g1', 'laptops'),
    change('group', 'laptops', 'g3', 'admins'),
    change('policy', 'policy q1', 'q1'),
  ];
  expect(effectiveIn(BEFORE, renamed(BEFORE, swap), ...all)).toEqual([]);
});

test('renaming and changing an object affects access', () => {
  const moved = renamed(BEFORE, RENAMED);
  const groups = moved.groups.map(one =>
    one.id === 'g1' ? { ...one, machines: [...one.machines, 'admin'] } : one,
  );
  const all = [
    change('group', 'portables', 'g1', 'laptops'),
    change('group', 'stores', 'g4', 'databases'),
  ];
  expect(effectiveIn(BEFORE, { ...moved, groups }, ...all)).toEqual(['group.portables']);
});
