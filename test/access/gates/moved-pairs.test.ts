// A hazard of a guarded target was allowed for the ports that each pair gained. The lines of the plan do not say them where they are
// summed, or where a machine must be approved first.
import { expect, test } from 'vitest';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { evaluatedPlan } from '../../../src/access/gates/evaluation.ts';
import { hazardFindings } from '../../../src/access/gates/hazards.ts';
import { joinedSince } from '../../../src/access/gates/joinedSince.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { movedPairs } from '../../../src/access/gates/movedPairs.ts';
import { pairsSince } from '../../../src/access/gates/pairsSince.ts';
import { asShown } from '../../../src/access/gates/renamedSince.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { StateObject } from '../../../src/access/state/stateObject.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { AccessFinding } from '../../../src/model/access/accessGates.ts';
import type { PlanAccess } from '../../../src/model/access/planAccess.ts';
import type { Fields } from '../../../src/model/value.ts';
import { live, type Read } from '../../engine/planning.ts';
import { KINDS } from '../../support/files.ts';
import { planOf } from './roadPlans.ts';

const object = (kind: string, key: string, fields: Fields = {}): StateObject => ({
  kind,
  key,
  id: `${kind}-${key}`,
  fields,
});

const group = (name: string, ...peers: readonly string[]) => object('group', name, { name, peers });

const rule = (name: string, from: string, ports: readonly string[], more: Fields = {}) =>
  object('policy', name, {
    enabled: true,
    rules: [
      {
        name: 'r',
        enabled: true,
        action: 'accept',
        protocol: 'tcp',
        sources: [from],
        destinations: ['db'],
        ports,
      },
    ],
    ...more,
  });

const MACHINES = ['mia', 'tom', 'server'].map(name => object('peer', name));
const GROUPS = [group('All', 'mia', 'tom', 'server'), group('db', 'server'), group('one', 'mia')];
const TWO = group('two', 'tom');

/** The finding about everything that a change gains or loses at the guarded group `db`, and who is in which group. */
function foundIn(
  side: 'gained' | 'lost',
  [was, is]: readonly [readonly StateObject[], readonly StateObject[]],
  listed?: number,
) {
  const states = [was, is].map(list => stateOf([...MACHINES, ...GROUPS, ...list], new Map()));
  const pool = rowPool();
  const [before, after] = worldsOf(states).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  const found = movedAccess({ before, after }, side, { to: checkedSelector('group/db') });
  const findings = found.map(
    (moved): AccessFinding => ({
      gate: 'guarded',
      what: side,
      who: moved.who,
      where: moved.where,
      causes: [],
      ...movedPairs({ before, after }, side, moved, listed),
    }),
  );
  return { findings, worlds: { before, after } };
}

type Change = Parameters<typeof foundIn>[1];

function since(side: 'gained' | 'lost', shown: Change, now: Change, listed?: number) {
  const then = foundIn(side, shown, listed);
  const { findings, worlds } = foundIn(side, now, listed);
  const joined = joinedSince({ 'group/two': ['peer-tom'] }, worlds);
  const known = { joined, shownName: asShown };
  return pairsSince({ findings: then.findings, changes: [] }, findings, side, known);
}

const ONE = rule('of one', 'one', ['22', '80']);
const BOTH = [rule('of both', 'two', ['22']), ONE];
const SSH = rule('earlier', 'one', ['22']);
const HTTP = rule('earlier', 'one', ['80']);

test.each<[string, 'gained' | 'lost', Change, Change, readonly string[]]>([
  ['the same', 'gained', [[TWO], [TWO, ...BOTH]], [[TWO], [TWO, ...BOTH]], []],
  [
    'a port that another pair gained when it was shown',
    'gained',
    [
      [TWO, SSH],
      [TWO, SSH, ...BOTH],
    ],
    [[TWO], [TWO, ...BOTH]],
    ['group/one → peer/server  tcp/22', 'group/one → machines that enrol with group/db  tcp/22'],
  ],
  [
    'fewer ports',
    'gained',
    [[TWO], [TWO, ...BOTH]],
    [
      [TWO, SSH],
      [TWO, SSH, ...BOTH],
    ],
    [],
  ],
  [
    'a port that was shown as another one',
    'gained',
    [
      [TWO, SSH],
      [TWO, SSH, ONE],
    ],
    [
      [TWO, HTTP],
      [TWO, HTTP, ONE],
    ],
    ['group/one → peer/server  tcp/22', 'group/one → machines that enrol with group/db  tcp/22'],
  ],
  [
    'a port that another pair lost when it was shown',
    'lost',
    [
      [TWO, ...BOTH, SSH],
      [TWO, SSH],
    ],
    [[TWO, ...BOTH], [TWO]],
    ['group/one → peer/server  tcp/22', 'group/one → machines that enrol with group/db  tcp/22'],
  ],
  [
    'what was shown of the future members of a group, by a machine that joined it',
    'gained',
    [[group('one')], [group('one'), ONE]],
    [[TWO], [TWO, ONE]],
    [],
  ],
])('%s', (_, side, shown, now, expected) => {
  expect(since(side, shown, now)).toEqual(expected.toSorted());
  // A digest notices each of these differences, and some more.
  if (expected.length > 0) expect(since(side, shown, now, 0)).not.toEqual([]);
});

test('a list that would be too long has a digest, which is the same for the same pairs', () => {
  const change: Change = [[TWO], [TWO, ...BOTH]];
  const { findings } = foundIn('gained', change, 1);
  expect(findings.map(one => [one.moved, typeof one.moved_digest])).toContainEqual([
    undefined,
    'string',
  ]);
  expect(since('gained', change, change, 1)).toEqual([]);
});

const ref = (id: string) => ({ id, name: id });
const read = (id: string, ...peers: readonly string[]): Read => [
  'group',
  { id, name: id, issued: 'api', peers: peers.map(ref), resources: [] },
];
const peer = (id: string, approval_required = false): Read => [
  'peer',
  { id, name: id, approval_required, login_expired: false, version: '0.66.0' },
];
const GUARDS = { guards: { guarded: [{ to: 'group/db' }], noNewAccess: false } };

test('a finding says the ports of each pair where the lines of the plan are summed, and only there', async () => {
  const names = ['one', 'two'];
  const reads = [peer('server'), read('All', 'server'), read('db', 'server')].concat(
    names.map(name => read(name)),
  );
  const rules = names.map((name, at) => ({
    name,
    sources: [name],
    destinations: ['db'],
    protocol: 'tcp',
    ports: [String(1_000 + at)],
  }));
  const plan = await planOf(
    { reads, files: JSON.stringify({ policies: [{ name: 'x', rules }] }) },
    GUARDS,
  );
  const account = { kinds: KINDS, live: live(reads), unavailable: new Map(), plan };
  const evaluation = evaluatedPlan(account, GUARDS.guards);
  const portsIn = (access: PlanAccess) =>
    hazardFindings({ ...evaluation, access }, GUARDS.guards).flatMap(({ moved = [] }) =>
      moved.map(({ from, ports }) => [from, ports[0]?.start]),
    );
  expect(portsIn(evaluation.access)).toEqual([]);
  const summed = { gained: [{ start: 1_000, end: 1_001 }], lost: [] };
  const changes = evaluation.access.changes.map(one => ({ ...one, summed }));
  const found = portsIn({ ...evaluation.access, changes });
  expect(found).toContainEqual(['group/one', 1_000]);
  expect(found).not.toContainEqual(['group/one', 1_001]);
});

test('a plan says the ports at a machine that awaits approval, which no line has', async () => {
  const reads = [peer('server', true), peer('mia'), read('All', 'server', 'mia')].concat([
    read('db', 'server'),
    read('one', 'mia'),
  ]);
  const to = { destinationResource: { peer: 'server' }, protocol: 'tcp', ports: ['22'] };
  const rules = [{ name: 'r', sourceResource: { peer: 'mia' }, ...to }];
  const { access, gates } = await planOf(
    { reads, files: JSON.stringify({ policies: [{ name: 'x', rules }] }) },
    GUARDS,
  );
  expect(access?.changes).toEqual([]);
  expect((gates?.findings ?? []).flatMap(one => one.moved ?? [])).toEqual([
    {
      from: 'peer/mia',
      to: 'peer/server',
      machines: ['mia'],
      members_to_come: [],
      to_machines: ['server'],
      protocol: 'tcp',
      ports: [{ start: 22, end: 22 }],
      condition: 'none',
    },
  ]);
});
