// Many groups whose access to the same machines changes in one plan: each has its own line, and what is gained beside them keeps its
// ports.
import { expect, test } from 'vitest';
import { accessChanges } from '../../../src/access/diff/accessChanges.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import { trafficWords } from '../../../src/access/sets/trafficText.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { worldsOf } from '../../../src/access/world/world.ts';

const policy = (source: string, port: number) => ({
  id: `${source} ${port}`,
  name: `${source} ${port}`,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${source} ${port} rule`,
      name: 'rule',
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports: [String(port)],
      sources: [{ id: source }],
      destinations: [{ id: 'db' }],
    },
  ],
});

/** The changes if the rules of so many groups go, and another group gets one; `limits`: how many are listed. */
function changesOf(many: number, limits?: Parameters<typeof accessChanges>[3]) {
  const names = Array.from({ length: many }, (_, at) => `g${at}`);
  const peer = (id: string) => ({ id, name: id, approval_required: false, login_expired: false });
  const stateWith = (policies: readonly object[]) => {
    const answered = stateOfAnswers({
      peers: [peer('laptop'), peer('server')],
      groups: [
        { id: 'gAll', name: 'All', peers: [{ id: 'laptop' }, { id: 'server' }] },
        { id: 'staff', name: 'staff', peers: [{ id: 'laptop' }] },
        { id: 'db', name: 'db', peers: [{ id: 'server' }] },
        ...names.map(id => ({ id, name: id, peers: [] })),
      ],
      policies: JSON.parse(JSON.stringify(policies)),
      posture_checks: [],
      routes: [],
      networks: [],
    });
    if ('faults' in answered) throw new Error(answered.faults.join());
    return answered.state;
  };
  const pool = rowPool();
  const [before, after] = worldsOf([
    stateWith(names.map((name, at) => policy(name, 1_000 + at))),
    stateWith([policy('staff', 3_389)]),
  ]).map(world => reachesOf(world, pool));
  if (!before || !after) throw new Error('two states have two worlds');
  const { changes } = accessChanges(before, after, undefined, limits);
  return changes.map(({ kind, usable, moved }) => {
    const listed = kind === 'lost' ? usable?.before : usable?.after;
    const summed = kind === 'lost' ? moved?.lost : moved?.gained;
    return `${kind} ${trafficWords(listed ?? summed ?? []).join()}${moved ? ', some of them' : ''}`;
  });
}

test('130 groups that lose access are listed as 130 losses, even if another group gains a port', () => {
  const changes = changesOf(130);
  expect(changes).toHaveLength(131);
  expect(changes).toContain('lost tcp/1129');
  expect(changes.filter(one => one.startsWith('gained'))).toEqual(['gained tcp/3389']);
});

test('too many losses are summed up with their ports, and gains keep their own ports', () => {
  const changes = changesOf(30, { alike: 20, all: 100, members: 1_000 });
  expect(changes.toSorted()).toEqual(['gained tcp/3389', 'lost tcp/1000-1029, some of them']);
});

test('a plan with too many changes sums up gains and losses with their ports', () => {
  const changes = changesOf(30, { alike: 20, all: 1, members: 1_000 });
  expect(changes.toSorted()).toEqual([
    'gained tcp/3389, some of them',
    'lost tcp/1000-1029, some of them',
  ]);
});
