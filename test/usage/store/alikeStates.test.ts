// Of states that are the same for a flow, it is put to the first: machines that join elsewhere do not multiply flows.
import { expect, test } from 'vitest';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import type { Endpoint } from '../../../src/usage/observed.ts';
import { equalStates } from '../../../src/usage/store/equalStates.ts';
import { sharing } from '../../../src/usage/store/sharing.ts';

interface Account {
  readonly machines?: readonly string[];
  readonly staff?: readonly string[];
  readonly gateways?: readonly string[];
  readonly ports?: readonly string[];
  readonly version?: string;
  /** The ports of a policy that is about contractors alone. */
  readonly guests?: readonly string[];
  readonly contractors?: readonly string[];
  readonly least?: string;
}

const answers = ({
  machines = ['m1', 'm2'],
  staff = ['m1'],
  gateways = ['m2'],
  ports = ['443'],
  version = '1',
  guests = ['80'],
  contractors = ['m3'],
  least = '1',
}: Account): JsonObject => ({
  peers: machines.map(id => ({ id, version: id === 'm1' ? version : '1' })),
  groups: [
    { id: 'staff', name: 'staff', peers: staff },
    { id: 'gateways', name: 'gateways', peers: gateways },
    { id: 'contractors', name: 'contractors', peers: contractors },
  ],
  policies: [
    {
      id: 'p1',
      name: 'web',
      rules: [{ id: 'r', protocol: 'tcp', ports, sources: ['staff'], destinations: ['gateways'] }],
    },
    {
      id: 'p2',
      name: 'guests',
      source_posture_checks: ['c1'],
      rules: [
        {
          id: 'r2',
          protocol: 'tcp',
          ports: guests,
          sources: ['contractors'],
          destinations: ['contractors'],
        },
      ],
    },
  ],
  posture_checks: [{ id: 'c1', name: 'c1', checks: { nb_version_check: { min_version: least } } }],
  networks: [
    {
      id: 'n1',
      name: 'office',
      resources: [{ id: 'db', name: 'db', address: '10.0.0.1/32', groups: [] }],
      routers: [{ id: 'ro', peer_groups: ['gateways'] }],
    },
  ],
});

/** The first states alike for each state, of a flow between machines and of one to a resource. */
function firsts(accounts: readonly Account[]) {
  const share = sharing();
  const states = accounts.map(account => {
    const answered = stateOfAnswers(answers(account));
    if ('faults' in answered) throw new Error(answered.faults[0]);
    return share(answered.state) as AccessState;
  });
  const first = equalStates(states);
  const machine = (id: string): Endpoint => ({ type: 'machine', id });
  const of = (source: Endpoint, destination: Endpoint) =>
    states.map((_, place) => first(source, destination, place));
  return {
    machines: of(machine('m1'), machine('m2')),
    resource: of(machine('m1'), { type: 'resource', id: 'db' }),
    other: of(machine('m3'), machine('m2')),
  };
}

const joined = { machines: ['m1', 'm2', 'm3'] };

test.each<[string, readonly Account[], ReturnType<typeof firsts>]>([
  ['another machine joins', [{}, joined], { machines: [0, 0], resource: [0, 0], other: [0, 1] }],
  [
    'another machine joins a group',
    [joined, { ...joined, staff: ['m1', 'm3'] }],
    { machines: [0, 0], resource: [0, 0], other: [0, 1] },
  ],
  [
    'the source leaves a group',
    [{}, { staff: [] }],
    { machines: [0, 1], resource: [0, 1], other: [0, 0] },
  ],
  [
    'a fact about the source changes',
    [{}, { version: '2' }],
    { machines: [0, 1], resource: [0, 1], other: [0, 0] },
  ],
  [
    'a routing machine joins',
    [joined, { ...joined, gateways: ['m2', 'm3'] }],
    { machines: [0, 0], resource: [0, 1], other: [0, 1] },
  ],
  [
    'a rule changes, and changes back',
    [{}, { ports: ['22'] }, {}],
    { machines: [0, 1, 2], resource: [0, 1, 2], other: [0, 1, 2] },
  ],
  [
    'a rule changes, then a machine joins',
    [{}, { ports: ['22'] }, { ...joined, ports: ['22'] }],
    { machines: [0, 1, 1], resource: [0, 1, 1], other: [0, 1, 2] },
  ],
  [
    'a rule about others changes',
    [joined, { ...joined, guests: ['81'] }],
    { machines: [0, 0], resource: [0, 0], other: [0, 0] },
  ],
  [
    'a rule changes that is about the source, and not about the destination',
    [
      { ...joined, contractors: ['m1'] },
      { ...joined, contractors: ['m1'], guests: ['81'] },
    ],
    { machines: [0, 0], resource: [0, 1], other: [0, 0] },
  ],
  [
    'a posture check of a policy about others changes',
    [joined, { ...joined, least: '2' }],
    { machines: [0, 0], resource: [0, 0], other: [0, 0] },
  ],
  [
    'a rule about a routing machine changes',
    [
      { ...joined, contractors: ['m2'] },
      { ...joined, contractors: ['m2'], guests: ['81'] },
    ],
    { machines: [0, 1], resource: [0, 1], other: [0, 1] },
  ],
])('%s', (_, accounts, expected) => {
  expect(firsts(accounts)).toEqual(expected);
});
