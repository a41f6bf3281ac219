// An end that takes access is not held because another end would give access between the same groups.
import { expect, test } from 'vitest';
import { findEndings } from '../../src/engine/plan/planEndings.ts';
import { accessOfEnds } from '../../src/pipeline/access/endsOfPlan.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { group, network, peer, planInput, policy, type Read } from '../engine/planning.ts';
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

const DENY = {
  id: 'deny',
  name: 'deny',
  description: '',
  enabled: true,
  action: 'drop',
  bidirectional: false,
  protocol: 'all',
};

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

const RESOURCES = `
networks:
  - name: n
    resources:
      - { name: one, address: 10.9.1.5, groups: [denied], lifecycle: { until: 2026-12-01 } }
`;

const resourceAt = (name: string, address: string, group: string): Read => {
  const groups = [{ id: group, name: group }];
  const body = { id: name, name, description: '', address, enabled: true, type: 'subnet', groups };
  return ['network_resource', body, 'n'];
};

test.each([
  ['10.9.0.0/16', ['network_resource.n/one']],
  ['10.8.0.0/16', []],
])(
  'the expiry of a resource to which a rule denies access gives access where the other resource has %s',
  (address, causes) => {
    const { desired, endings } = endedAt(desiredOf(RESOURCES), KINDS, NOW);
    const input = planInput(
      desired,
      [
        peer('ada', 'ada'),
        peer('srv', 'srv'),
        group('staff', 'staff', { peers: [member('ada')] }),
        group('denied', 'denied'),
        group('servers', 'servers'),
        network('n', 'n'),
        [
          'network_router',
          { id: 'r', peer: 'srv', metric: 10, masquerade: true, enabled: true },
          'n',
        ],
        resourceAt('one', '10.9.1.5/32', 'denied'),
        resourceAt('wide', address, 'servers'),
        allows('wide', 'staff', '22'),
        policy('deny', 'deny', ['staff'], ['denied'], {
          rules: [{ ...DENY, sources: ['staff'], destinations: ['denied'] }],
        }),
      ],
      {},
    );
    const settings = { endings, now: NOW, skew: 0, isOnlyReported: false, isEndsOnly: true };
    const { alone: plan } = findEndings(input, settings);
    expect(plan?.actions).toHaveLength(1);
    if (!plan) return;
    const live = input.snapshot.objects;
    const found = accessOfEnds({ kinds: KINDS, live, unavailable: new Map(), plan });
    expect(found.causes).toEqual(causes);
    expect(found.diagnostics.map(({ message }) => message)).toEqual(
      causes.map(() =>
        expect.stringMatching(
          /network_resource.n\/one would give access: .*staff.*through 10\.9\.0\.0\/16/,
        ),
      ),
    );
  },
);

test('only the expiry of the machine that leaves a denied group is named', () => {
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
