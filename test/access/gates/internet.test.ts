// The internet as a source: whoever reaches a port that an ingress peer opens. It is no machine and no user of the account.
import { expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { namedGrants } from '../../../src/access/ask/answerNames.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesIn, reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { pictureOf } from '../../../src/access/picture/picture.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { flowText } from '../../../src/model/access/accessFindings.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import { stateWith } from './roads.ts';
import { TEST, written } from './writtenTest.ts';

const CLOSED = stateWith({});
const OPENED: AccessState = {
  ...CLOSED,
  internetPorts: [
    {
      key: 'admin/ssh',
      machine: 'admin',
      to: { name: 'internet', are: 'anybody' },
      by: [
        { kind: 'ingress_port_allocation', key: 'admin/ssh' },
        { kind: 'ingress_peer', key: 'gateway' },
      ],
      openings: [{ protocol: 'tcp', range: { start: 22, end: 25 } }],
    },
  ],
};

function failedLines(state: AccessState, one: Partial<AccessTest>): readonly string[] {
  const { verdicts, diagnostics } = judgeTests(reachesIn(state), [{ ...TEST, ...one }]);
  expect(diagnostics).toEqual([]);
  return verdicts.flatMap(({ failures }) => failures.map(({ line }) => line));
}

function flowsOf(state: AccessState, from: string | undefined, to: string): readonly string[] {
  const sides = { ...(from && { from: checkedSelector(from) }), to: checkedSelector(to) };
  const answer = answerQuestion(state, { ...sides, why: false });
  if (!('flows' in answer)) throw new Error('nothing is known of it');
  return answer.flows.map(
    ({ from: source, ports, via }) =>
      `${source.name} ${ports.join()} ${via.map(one => one.ingress_port ?? one.policy).join()}`,
  );
}

test('the internet reaches only the ports that are open to it', () => {
  expect(flowsOf(OPENED, 'internet', 'peer/admin')).toEqual(['internet tcp/22-25 admin/ssh']);
  expect(flowsOf(OPENED, undefined, 'peer/admin')).toEqual(['internet tcp/22-25 admin/ssh']);
  expect(flowsOf(OPENED, 'internet', 'peer/gateway')).toEqual([]);
  expect(flowsOf(CLOSED, 'internet', 'peer/admin')).toEqual([]);
});

test('a port has the name that it has in the account, also for the callers of a service', () => {
  const called = {
    key: 'svc.example.com/1',
    machine: 'admin',
    service: 'svc.example.com',
    to: { name: 'service callers', are: 'machines' },
    by: [{ kind: 'proxy_service', key: 'svc.example.com' }],
    openings: [{ protocol: 'tcp', range: { start: 22, end: 22 } }],
  } as const;
  const before = { ...CLOSED, internetPorts: [called] };
  const after = { ...OPENED, internetPorts: [...OPENED.internetPorts, called] };
  const worlds = worldsOf([before, after]);
  const world = worlds[1];
  if (world === undefined) throw new Error('two worlds');
  const rules = world.internetRules.flatMap(one => one.rules);
  const grants = rules.map(compiled => ({ compiled, isReverse: false, routers: [] }));
  expect(rules.length).toBeGreaterThan(2);
  expect(namedGrants(reachesOf(world, rowPool()), grants)).toEqual([
    { ingress_port: 'admin/ssh' },
    { service: 'svc.example.com' },
  ]);
});

test('`all` does not include the internet as a source; `only_from` and `deny` for all do', () => {
  expect(flowsOf(OPENED, 'all', 'peer/admin')).toEqual([]);
  const to = written('peer/admin:tcp/22');
  expect(failedLines(OPENED, { to, onlyFrom: [written('all')] })).toEqual(['only_from']);
  expect(failedLines(CLOSED, { to, onlyFrom: [written('all')] })).toEqual([]);
  expect(failedLines(OPENED, { to, onlyFrom: [written('internet')] })).toEqual([]);
  expect(failedLines(OPENED, { from: written('all'), deny: [to] })).toEqual(['deny']);
  expect(failedLines(CLOSED, { from: written('all'), deny: [to] })).toEqual([]);
});

test('the internet counts as one machine at a guarded target', () => {
  const pool = rowPool();
  const [before, after] = worldsOf([CLOSED, OPENED]).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  const to = checkedSelector('peer/admin');
  const pairs = (['gained', 'lost'] as const).map(side => {
    const states = side === 'gained' ? { before, after } : { before: after, after: before };
    return movedAccess(states, side, { to }).map(one => one.pairs);
  });
  expect(pairs).toEqual([[1], [1]]);
});

test('a test can deny and allow access from the internet', () => {
  const from = written('internet');
  expect(failedLines(OPENED, { from, deny: [written('peer/admin:tcp/22')] })).toEqual(['deny']);
  expect(failedLines(OPENED, { from, deny: [written('peer/admin:tcp/80')] })).toEqual([]);
  expect(failedLines(CLOSED, { from, deny: [written('peer/admin:tcp/22')] })).toEqual([]);
  expect(failedLines(CLOSED, { from, allow: [written('peer/admin:tcp/22')] })).toEqual(['allow']);
  expect(failedLines(OPENED, { from, allow: [written('peer/admin:tcp/22')] })).toEqual([]);
  expect(failedLines(OPENED, { from, allow: [written('peer/admin:tcp/80')] })).toEqual(['allow']);
});

test('opening a guarded machine to the internet opens the guarded target', () => {
  const pool = rowPool();
  const [before, after] = worldsOf([CLOSED, OPENED]).map(world => reachesOf(world, pool));
  if (before === undefined || after === undefined) throw new Error('two worlds');
  const gained = (to: string) =>
    movedAccess({ before, after }, 'gained', { to: checkedSelector(to) }).map(flowText);
  expect(gained('peer/admin')).toEqual(['internet → peer/admin']);
  expect(gained('group/admins:tcp/22')).toEqual(['internet → peer/admin']);
  expect(gained('peer/admin:tcp/80')).toEqual([]);
});

test('the internet has its own row on a page', () => {
  const picture = pictureOf(OPENED, { to: checkedSelector('peer/admin') });
  const rows = 'matrix' in picture ? picture.matrix.rows.map(({ name }) => name) : [];
  expect(rows).toContain('internet');
});
