// Many groups whose access to the same machines changes in one plan: each has its own line, and what is gained beside them keeps its
// ports.
import { expect, test } from 'vitest';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import { accessLine } from '../../../src/report/access/planAccessText.ts';
import { accountOf, planBetween } from '../plan/wayOf.ts';
import type { Account, Policy } from '../slow/account.ts';

const peer = (id: string) => ({ id, name: id, approval_required: false, login_expired: false });

const policy = (source: string, port: string): Policy => ({
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
      ports: [port],
      sources: [{ id: source }],
      destinations: [{ id: 'db' }],
    },
  ],
});

function planned(many: number) {
  const names = Array.from({ length: many }, (_, at) => `g${at}`);
  const before: Account = {
    peers: [peer('laptop'), peer('server')],
    groups: [
      { id: 'gAll', name: 'All', peers: [{ id: 'laptop' }, { id: 'server' }] },
      { id: 'staff', name: 'staff', peers: [{ id: 'laptop' }] },
      { id: 'db', name: 'db', peers: [{ id: 'server' }] },
      ...names.map(id => ({ id, name: id, peers: [] })),
    ],
    policies: names.map((name, at) => policy(name, String(1_000 + at))),
    posture_checks: [],
    routes: [],
    networks: [],
  };
  const made = planBetween(before, { ...before, policies: [policy('staff', '3389')] });
  if (made === undefined) throw new Error('a plan was expected');
  return planAccess(made.plan, comparison({ ...accountOf(made) }));
}

const gains = [
  { from: 'group/staff', to: 'group/db', ports: [{ start: 3389, end: 3389 }], condition: 'none' },
];

test('130 groups that lose access are 130 losses, beside the port that another group gains', () => {
  const access = planned(130);
  expect(accessLine(access)).toMatch(/^Access: \+1 −130 ~0 /);
  expect(access.gains).toMatchObject(gains);
  const shown = access.changes.map(one => `${one.change} ${one.from} ${one.ports_before}`);
  expect(shown).toContain('lost group/g129 1129');
  expect(access.changes[0]).toMatchObject({ ports_before: [], ports_after: ['3389'] });
});
