// An end that takes access is not held because another end would give access between the same groups.
import { expect, test } from 'vitest';
import { findEndings } from '../../src/engine/plan/planEndings.ts';
import { accessOfEnds } from '../../src/pipeline/access/endsOfPlan.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { group, peer, planInput, policy } from '../engine/planning.ts';
import { desiredOf, KINDS } from '../support/files.ts';

const NOW = Date.parse('2026-12-03T00:00:00Z');
const FILES = `
groups:
  - { name: staff }
  - { name: contractors, peers: [{ name: ada, until: 2026-12-01 }] }
  - { name: servers }
policies:
  - name: g
    lifecycle: { until: 2026-12-01 }
    rules: [{ name: g, sources: [staff], destinations: [servers], protocol: tcp, ports: ["22"] }]
`;

const member = (name: string) => ({ id: name, name });

const allows = (name: string, source: string, port: string, action = 'accept') =>
  policy(name, name, [], [], {
    rules: [
      {
        id: name,
        name,
        description: '',
        enabled: true,
        action,
        bidirectional: false,
        protocol: 'tcp',
        ports: [port],
        sources: [source],
        destinations: ['servers'],
      },
    ],
  });

test('only the end of the machine that leaves a denied group is named', () => {
  const { desired, endings } = endedAt(desiredOf(FILES), KINDS, NOW);
  const input = planInput(
    desired,
    [
      peer('ada', 'ada'),
      peer('eve', 'eve'),
      peer('srv', 'srv'),
      group('staff', 'staff', { peers: [member('ada'), member('eve')] }),
      group('contractors', 'contractors', { peers: [member('ada')] }),
      group('servers', 'servers', { peers: [member('srv')] }),
      allows('g', 'staff', '22'),
      allows('web', 'staff', '25'),
      allows('deny', 'contractors', '25', 'drop'),
    ],
    {},
  );
  const settings = { endings, now: NOW, skew: 0, isOnlyReported: false, isEndsOnly: true };
  const { alone: plan } = findEndings(input, settings);
  expect(plan?.actions.map(({ address }) => address).sort()).toEqual([
    'group.contractors',
    'policy.g',
  ]);
  if (!plan) return;
  const live = input.snapshot.objects;
  const found = accessOfEnds({ kinds: KINDS, live, unavailable: new Map(), plan });
  expect([...new Set(found.causes)]).toEqual(['group.contractors']);
  expect(found.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringContaining('the end of group.contractors would give access'),
  ]);
});
