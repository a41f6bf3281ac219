// What became of a run, as a person reads it.
import { expect, test } from 'vitest';
import { type Address, actionId } from '../../src/model/names.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import type { Plan } from '../../src/model/plan.ts';
import { runText } from '../../src/report/run/runText.ts';
import { PLAIN } from '../../src/report/text/style.ts';

const PLAN: Plan = {
  dialect: 'spec',
  folder: '.',
  changes: [],
  actions: [],
  leftAlone: [],
  pins: [],
  diagnostics: [],
  requests: { made: 0, planned: 0 },
  declared: 0,
};

const skipped = (action: string, blockedBy: string): Outcome => ({
  action: actionId(action),
  address: action as Address,
  status: 'skipped',
  blockedBy:
    blockedBy === 'interrupt' || blockedBy === 'deadline' ? blockedBy : actionId(blockedBy),
});

test('skipped actions fit the terminal, with the number of the rest', () => {
  const because = 'create posture_check["countries we work in"]';
  const names = ['create policy["auditors read the ledger"]', 'create policy.b', 'create policy.c'];
  const outcomes = names.map(name => skipped(name, because));
  const text = runText(PLAN, { outcomes, requests: 3, written: 3 }, { ...PLAIN, width: 80 });
  expect(text.split('\n').slice(0, 2)).toEqual([
    'Skipped, because `create posture_check["countries we work in"]` did not succeed:',
    '    3 actions: create policy["auditors read the ledger"] and 2 more',
  ]);
});

test('skipped actions are listed under the failure that caused them, not under the action they waited for', () => {
  const outcomes: Outcome[] = [
    {
      action: actionId('create group.a'),
      address: 'group.a' as Address,
      status: 'failed',
      fault: { code: 'API_CONFLICT', message: 'it is there already' },
    },
    skipped('create network.n', 'interrupt'),
    skipped('create policy.p', 'create network_resource.n/r'),
    skipped('create network_resource.n/r', 'create group.a'),
    skipped('create route.r', 'create network.n'),
    skipped('create network.o', 'deadline'),
  ];
  expect(runText(PLAN, { outcomes, requests: 3, written: 3 }, PLAIN)).toBe(`\
Error: create group.a: it is there already
  hint: see what changed with \`meshform drift\`, and create a new plan with \`meshform plan\`
Skipped, because the run was interrupted: 2 actions: create network.n, create route.r
Skipped, because \`create group.a\` did not succeed: 2 actions: create policy.p and 1 more
Skipped, because the run reached its --deadline: 1 action: create network.o

3 requests made.
Apply incomplete: 0 done, 1 failed, 5 skipped, 0 unknown.
`);
});
