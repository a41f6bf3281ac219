// Machines that await approval, and agents that are not sent port ranges yet: what a plan lets them reach, and who may reach them, counts
// as gained now, because whoever approves or updates a machine reads no rules.
import { describe, expect, test } from 'vitest';
import { hazardsIn, newAccessIn } from '../../../src/model/access/accessFindings.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import type { Read } from '../../engine/planning.ts';
import { planOf } from './roadPlans.ts';
import { TEST, written } from './writtenTest.ts';

const ref = (id: string) => ({ id, name: id });

const GUARDED = ['peer/server', 'network_resource/office/wiki'];

const peer = (id: string, more: object = {}): Read => [
  'peer',
  { id, name: id, approval_required: false, login_expired: false, version: '0.66.0', ...more },
];

const group = (id: string, ...peers: readonly string[]): Read => [
  'group',
  { id, name: id, issued: 'api', peers: peers.map(ref), resources: [] },
];

const accountWith = (server: object, newcomer: object): readonly Read[] => [
  peer('laptop'),
  peer('gateway'),
  peer('server', server),
  peer('newcomer', newcomer),
  group('All', 'laptop', 'gateway', 'server', 'newcomer'),
  group('contractors', 'laptop'),
  ['network', { id: 'office', name: 'office', description: '' }],
  [
    'network_resource',
    {
      id: 'wiki',
      name: 'wiki',
      description: '',
      address: '10.0.0.5/32',
      enabled: true,
      groups: [],
    },
    'office',
  ],
  [
    'network_router',
    { id: 'router', peer: 'gateway', enabled: true, metric: 9999, masquerade: true },
    'office',
  ],
  ['proxy_cluster', { id: 'eu.example.net', address: 'eu.example.net' }],
];

const ALL_PORTS = { protocol: 'tcp', port_ranges: [{ start: 1, end: 65535 }] };
const WAITING = { approval_required: true };

const withRule = (rule: object) => ({
  policies: [{ name: 'x', rules: [{ name: 'x', protocol: 'all', ...rule }] }],
});

const TO_SERVER = { sources: ['contractors'], destinationResource: { peer: 'server' } };

async function refusals(reads: readonly Read[], files: object): Promise<object> {
  const { gates } = await planOf(
    { reads, files: JSON.stringify(files) },
    { guards: { guarded: GUARDED.map(to => ({ to })), noNewAccess: true } },
  );
  const findings = gates?.findings ?? [];
  return {
    guarded: hazardsIn(findings).map(({ message }) => message),
    refused: newAccessIn(findings),
    causes: [...new Set(findings.flatMap(({ causes }) => causes))],
  };
}

describe('a rule with a machine that awaits approval is refused as if it were approved', () => {
  test('only machines that take part are named', async () => {
    const reads = accountWith({ version: '0.40.0' }, WAITING).map(
      (read): Read =>
        read[0] === 'peer' && read[1].id === 'gateway' ? peer('gateway', WAITING) : read,
    );
    const rule = withRule({
      ...ALL_PORTS,
      sources: ['contractors'],
      destinationResource: { network_resource: 'office/wiki' },
    });
    const { refused } = (await refusals(reads, rule)) as { readonly refused: readonly string[] };
    expect(refused).toEqual([
      'group/contractors → network_resource/office/wiki  tcp/1-65535, as peer/gateway may be approved',
    ]);
  });

  test('the machine is its source, and a network resource the destination', async () => {
    const rule = withRule({
      sourceResource: { peer: 'newcomer' },
      destinationResource: { network_resource: 'office/wiki' },
    });
    expect(await refusals(accountWith({}, WAITING), rule)).toEqual({
      guarded: [
        'the plan widens access to network_resource/office/wiki, which is guarded: peer/newcomer → network_resource/office/wiki (1 pair of a machine and a destination), because peer/newcomer may be approved',
      ],
      refused: [
        'peer/newcomer → network_resource/office/wiki  *, as peer/newcomer may be approved',
      ],
      causes: ['policy.x'],
    });
  });

  test('the machine is its destination', async () => {
    expect(await refusals(accountWith(WAITING, {}), withRule(TO_SERVER))).toMatchObject({
      guarded: [expect.stringContaining('because peer/server may be approved')],
      refused: [expect.stringMatching(/^group\/contractors → peer\/server .*may be approved$/)],
    });
  });

  test('the machine is the target of a service', async () => {
    const files = {
      reverse_proxy: {
        services: [
          {
            name: 'a',
            domain: 'a.eu.example.net',
            targets: [{ target: { peer: 'server' }, path: '/', port: 22, protocol: 'http' }],
          },
        ],
      },
    };
    expect(await refusals(accountWith(WAITING, {}), files)).toMatchObject({
      guarded: [expect.stringContaining('because peer/server may be approved')],
    });
  });

  test('the machine is the only router of the network', async () => {
    const reads = accountWith({}, {}).map(
      (one): Read => (one[1].id === 'gateway' ? peer('gateway', WAITING) : one),
    );
    const rule = withRule({
      sources: ['contractors'],
      destinationResource: { network_resource: 'office/wiki' },
    });
    // Machines that are not there yet route nothing, but an approval is all that it takes.
    expect(await refusals(reads, rule)).toMatchObject({
      guarded: [expect.stringContaining('because peer/gateway may be approved')],
    });
  });

  test('a rule that has nothing to do with it is refused once, without a condition', async () => {
    expect(await refusals(accountWith({}, WAITING), withRule(TO_SERVER))).toMatchObject({
      guarded: [expect.not.stringContaining('approved')],
      refused: [expect.not.stringContaining('approved')],
    });
  });

  test('a rule between other machines triggers no guard', async () => {
    const rule = { sources: ['contractors'], destinationResource: { peer: 'newcomer' } };
    const { guarded } = (await refusals(accountWith(WAITING, WAITING), withRule(rule))) as {
      guarded: unknown;
    };
    expect(guarded).toEqual([]);
  });
});

describe('a rule with port ranges to an old agent is refused as if it were updated', () => {
  const OLD = { version: '0.40.0' };

  test('the old agent admits the ports', async () => {
    expect(
      await refusals(accountWith(OLD, {}), withRule({ ...TO_SERVER, ...ALL_PORTS })),
    ).toMatchObject({
      guarded: [expect.stringContaining('because the agent of peer/server may be updated')],
      refused: [
        expect.stringMatching(/ tcp\/1-65535, as the agent of peer\/server may be updated$/),
      ],
      causes: ['policy.x'],
    });
  });

  test('an old agent that only sends to another machine is not a condition', async () => {
    const rule = { sourceResource: { peer: 'newcomer' }, destinationResource: { peer: 'server' } };
    expect(await refusals(accountWith({}, OLD), withRule({ ...rule, ...ALL_PORTS }))).toMatchObject(
      {
        guarded: [expect.not.stringContaining('updated')],
        refused: [expect.not.stringContaining('updated')],
      },
    );
  });
});

describe('thresholds and access tests count what the guards and a run without new access count', () => {
  const judged = async (reads: readonly Read[], files: object, tests: readonly AccessTest[]) => {
    const { gates } = await planOf(
      { reads, files: JSON.stringify(files) },
      { tests, guards: { thresholds: { gained: 0 }, guarded: [], noNewAccess: true } },
    );
    const findings = gates?.findings ?? [];
    return {
      thresholds: hazardsIn(findings).map(({ message }) => message),
      refused: newAccessIn(findings).length > 0,
      failed: (gates?.tests?.verdicts ?? []).map(({ failures }) =>
        failures.map(({ line, message }) => `${line}: ${message ?? ''}`),
      ),
    };
  };
  const OVER = (flow: string, because: string) =>
    `the plan gains access for 1 pair of a machine and a destination, such as ${flow}${because}; \`access_thresholds\` allows 0`;
  const FROM_NEWCOMER = withRule({
    sourceResource: { peer: 'newcomer' },
    destinationResource: { peer: 'server' },
  });
  const ONCE_READY = 'once machines that await approval are approved, and old agents are updated';

  test.each<[string, object, object, object, string, string]>([
    [
      'a source that may be approved',
      {},
      WAITING,
      withRule({
        sourceResource: { peer: 'newcomer' },
        destinationResource: { network_resource: 'office/wiki' },
      }),
      'peer/newcomer → network_resource/office/wiki',
      ', because peer/newcomer may be approved',
    ],
    [
      'a destination that may be approved',
      WAITING,
      {},
      FROM_NEWCOMER,
      'peer/newcomer → peer/server',
      ', because peer/server may be approved',
    ],
    [
      'a destination whose agent may be updated',
      { version: '0.40.0' },
      {},
      withRule({
        sourceResource: { peer: 'newcomer' },
        destinationResource: { peer: 'server' },
        ...ALL_PORTS,
      }),
      'peer/newcomer → peer/server',
      ', because the agent of peer/server may be updated',
    ],
  ])('%s', async (_, server, newcomer, files, flow, because) => {
    const [, to = ''] = flow.split(' → ');
    const tests = [
      { ...TEST, name: 'a', from: written('peer/newcomer'), deny: [written(to)] },
      { ...TEST, name: 'b', to: written(to), onlyFrom: [written('peer/laptop')] },
      { ...TEST, name: 'c', from: written('peer/laptop'), deny: [written(to)] },
    ];
    expect(await judged(accountWith(server, newcomer), files, tests)).toEqual({
      thresholds: [OVER(flow, because)],
      refused: true,
      failed: [[`deny: ${ONCE_READY}`], [`only_from: ${ONCE_READY}`], []],
    });
  });

  test('a machine that fails the check of a new rule today', async () => {
    const reads: readonly Read[] = [
      ...accountWith({}, { version: '0.50.0' }).map(
        (one): Read => (one[1].id === 'contractors' ? group('contractors', 'newcomer') : one),
      ),
      [
        'posture_check',
        {
          id: 'recent',
          name: 'recent',
          description: '',
          checks: { nb_version_check: { min_version: '0.60.0' } },
        },
      ],
    ];
    const files = {
      policies: [
        {
          name: 'x',
          source_posture_checks: ['recent'],
          rules: [{ name: 'x', protocol: 'all', ...TO_SERVER }],
        },
      ],
    };
    const tests = [{ ...TEST, from: written('peer/newcomer'), deny: [written('peer/server')] }];
    expect(await judged(reads, files, tests)).toEqual({
      thresholds: [OVER('group/contractors → peer/server', '')],
      refused: true,
      failed: [['deny: ']],
    });
  });
});
