// An undo brings an object back with the end that it had: nothing that was to end stays for good, because somebody took its file
// away and undid that.
import { expect, test } from 'vitest';
import { endsOfRun } from '../../../src/apply/earlierRuns/endsOfRun.ts';
import { baseAfterUndo } from '../../../src/apply/recordedBase/baseAfterUndo.ts';
import { declaredObject } from '../../../src/base/recordedObjects.ts';
import { formerEnds } from '../../../src/engine/endings/formerEnds.ts';
import { removedEnds } from '../../../src/engine/endings/removedEnds.ts';
import { buildPlan, planned } from '../../../src/engine/plan/plan.ts';
import { undo } from '../../../src/export/undo/undo.ts';
import { addressOf } from '../../../src/model/key.ts';
import { remoteId } from '../../../src/model/names.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { formerEndsIn } from '../../../src/pipeline/planning/endsToPlan.ts';
import { group, peer, planInput, policy } from '../../engine/planning.ts';
import { KINDS } from '../../support/files.ts';

const BEFORE = Date.parse('2026-11-30T00:00:00Z');
const GROUPS = 'groups: [{ name: a }, { name: b }]\n';
const GRANT =
  'policies: [{ name: g, lifecycle: { until: 2026-12-01 }, rules: [{ name: all, sources: [a], destinations: [b], protocol: all }] }]\n';
const IDS = { 'policy.g': 'g' };
const there = [group('a', 'a'), group('b', 'b')];

/** The undo of a run that removed the policy, whose file was removed. */
function undone(now: number) {
  const input = planInput(GROUPS, [...there, policy('g', 'g', ['a'], ['b'])], {
    base: GROUPS + GRANT,
    prune: 'removed',
    recordedIds: IDS,
  });
  const made = buildPlan(input);
  const [action] = made.actions;
  if (action?.verb !== 'delete') throw new Error('the run deletes nothing');
  const [live] = input.snapshot.objects.filter(({ kind }) => kind === 'policy');
  const back = undo({
    kinds: KINDS,
    plan: { ...made, formerEnds: formerEnds(input, made, () => undefined) } as Plan,
    entries: [
      {
        type: 'send',
        action: action.id,
        call: { verb: 'DELETE', path: '/api/policies/g' } as never,
        before: { fields: live?.fields as never, left_out: [] },
      },
    ],
    objects: planInput(GROUPS, there).snapshot.objects,
    others: [],
    proven: [],
    isLost: false,
    now,
    file: 'run.jsonl',
  } as never);
  return back;
}

test('the restored object has its expiry, and a sentence says so', () => {
  const { desired, lost } = undone(BEFORE);
  expect(desired.map(({ key, lifecycle }) => [key, lifecycle])).toEqual([
    ['g', { until: '2026-12-02T00:00:00Z' }],
  ]);
  expect(lost).toContainEqual(expect.stringContaining('policy.g has the end 2026-12-02T00:00:00Z'));
});

test('an object that expired before the undo is not restored', () => {
  expect(undone(Date.parse('2026-12-03T00:00:00Z')).desired).toEqual([]);
});

test('the base after the undo has the expiry, and the object is overdue then', () => {
  const { desired } = undone(BEFORE);
  const change = {
    type: 'create',
    kind: 'policy',
    key: 'g',
    address: addressOf('policy' as never, 'g' as never),
    fields: [],
  };
  const after = baseAfterUndo(
    { objects: [] },
    { plan: { changes: [change as never] }, desired },
    { kinds: KINDS, dialect: 'spec', mark: undefined },
  );
  const kind = KINDS.get('policy' as never);
  if (!kind) throw new Error('no policies');
  const base = (after?.objects ?? []).map(one =>
    declaredObject(one, kind, { file: '', line: 1, column: 1 }),
  );
  const input = planInput(GROUPS, [...there, policy('new', 'g', ['a'], ['b'])]);
  const found = removedEnds(
    { ...input, base, recordedIds: new Map([[change.address, remoteId('new')]]) },
    Date.parse('2026-12-03T00:00:00Z'),
  );
  expect(found.desired.map(({ key }) => key)).toEqual(['g']);
});

test('the plan of an undo has the ends of what the run created, without a base too', () => {
  const until = '2026-12-01';
  const plan = {
    actions: [{ verb: 'create', kind: 'policy', key: 'g', address: 'policy.g', until }],
    changes: [],
  };
  const created = [{ kind: 'policy', key: 'g', id: remoteId('g') }] as never;
  const after = { kinds: KINDS, created, live: [] };
  const removal = { actions: [{ verb: 'delete' }] } as never;
  expect(endsOfRun({ plan } as never, removal, after)).toEqual([
    { kind: 'policy', key: 'g', id: 'g', until: '2026-12-02T00:00:00Z' },
  ]);
});

test('the plan of an undo has the ends of the members that the run added, without a base too', async () => {
  const until = 'until: 2026-12-01';
  const files = `groups: [{ name: a, peers: [{ name: eve, ${until} }] }, { name: b }]
policies: [{ name: p, rules: [{ name: all, sources: [b, { name: a, ${until} }], destinations: [b], protocol: all }] }]
`;
  const input = planInput(files, [...there, peer('e', 'eve')]);
  const { plan, idOf } = planned(input);
  const formerEndsOfRun = await formerEndsIn(input, plan, idOf);
  const created = [{ kind: 'policy', key: 'p', id: remoteId('p1') }] as never;
  const after = { kinds: KINDS, created, live: input.snapshot.objects };
  const undoing = { actions: [{ verb: 'update' }] } as never;
  const run = { plan: { ...plan, formerEnds: formerEndsOfRun } };
  const found = endsOfRun(run as never, undoing, after);
  const end = { until: '2026-12-02T00:00:00Z' };
  expect(found).toEqual([
    { kind: 'group', key: 'a', id: 'a', member: 'eve', member_id: 'e', list: ['peers'], ...end },
    {
      kind: 'policy',
      key: 'p',
      id: 'p1',
      member: 'a',
      member_id: 'a',
      list: ['rules', 'all', 'sources'],
      ...end,
    },
  ]);
});
