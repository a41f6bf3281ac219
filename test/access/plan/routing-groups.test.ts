// Groups of routing machines: the last machine that leaves takes the access behind it, and the first one that joins gives it. What
// rules allow before is new access at once, because a machine joins without a plan.
import { describe, expect, test } from 'vitest';
import { hazardsIn, newAccessIn } from '../../../src/model/access/accessFindings.ts';
import { portsText } from '../../../src/report/access/planAccessText.ts';
import type { Read } from '../../engine/planning.ts';
import { type GateSettings, planOf } from '../gates/roadPlans.ts';
import { TEST, written } from '../gates/writtenTest.ts';

const ref = (id: string) => ({ id, name: id });

const peer = (id: string, more: object = {}): Read => [
  'peer',
  { id, name: id, approval_required: false, login_expired: false, version: '0.66.0', ...more },
];

const group = (id: string, ...peers: readonly string[]): Read => [
  'group',
  { id, name: id, issued: 'api', peers: peers.map(ref), resources: [] },
];

const rule = (id: string, to: object, more: object = {}) => ({
  id,
  name: id,
  enabled: true,
  description: '',
  source_posture_checks: [],
  rules: [
    {
      id: `${id} rule`,
      name: id,
      description: '',
      enabled: true,
      action: 'accept',
      bidirectional: false,
      protocol: 'tcp',
      ports: ['5432'],
      sources: [ref('staff')],
      ...to,
      ...more,
    },
  ],
});

const MACHINES = ['mia', 'tom', 'gate', 'spare'];

/** Two machines of staff, and a router and a route that a group of gateways serves. */
const accountWith = (gateways: readonly string[], ...more: readonly Read[]): readonly Read[] => [
  ...MACHINES.map(id => peer(id)),
  group('All', ...MACHINES),
  group('staff', 'mia', 'tom'),
  group('gateways', ...gateways),
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
    { id: 'r', peer_groups: ['gateways'], enabled: true, metric: 9999, masquerade: true },
    'office',
  ],
  ...more,
];

const TO_WIKI = { destinationResource: { id: 'wiki', type: 'host' } };
const WIKI: Read = ['policy', rule('wiki', TO_WIKI)];

const LAB: Read = [
  'route',
  {
    id: 'lab',
    network_id: 'lab',
    network: '10.9.0.0/24',
    description: '',
    enabled: true,
    metric: 9999,
    masquerade: true,
    keep_route: true,
    peer_groups: ['gateways'],
    groups: ['staff'],
    access_control_groups: ['gateways'],
  },
];
const TO_LAB: Read = ['policy', rule('lab', { destinations: [ref('gateways')] })];

const gatewaysAre = (...peers: readonly string[]) => ({
  groups: [{ name: 'gateways', peers, lifecycle: { exact: ['peers'] } }],
});

const POLICY = {
  policies: [
    {
      name: 'wiki',
      rules: [
        {
          name: 'wiki',
          protocol: 'tcp',
          ports: ['5432'],
          sources: ['staff'],
          destinationResource: { network_resource: 'office/wiki' },
        },
      ],
    },
  ],
};

async function planned(reads: readonly Read[], files: object, gates: Partial<GateSettings> = {}) {
  const plan = await planOf({ reads, files: JSON.stringify(files) }, gates);
  const { changes = [], pairs, gains = [] } = plan.access ?? {};
  const routed = changes.filter(({ to }) => /^(network_resource|route)\//.test(to));
  const findings = plan.gates?.findings ?? [];
  return {
    lines: routed.map(one => `${one.change} ${one.from} → ${one.to} ${portsText(one)}`),
    causes: routed.map(one => one.causes.join()),
    pairs,
    gains: gains
      .filter(({ to }) => /^(network_resource|route)\//.test(to))
      .map(({ from, to, condition }) => `${from} → ${to} ${condition}`),
    hazards: hazardsIn(findings).map(({ message }) => message),
    refused: newAccessIn(findings),
    tests: plan.gates?.tests?.verdicts,
  };
}

describe('the last machine that leaves a group of routing machines', () => {
  test('takes the access to the network resources of the router', async () => {
    const made = await planned(accountWith(['gate'], WIKI), gatewaysAre());
    expect(made).toMatchObject({
      lines: ['lost group/staff → network_resource/office/wiki tcp/5432'],
      causes: ['group.gateways'],
      pairs: { gained: 0, lost: 2 },
      gains: [],
    });
  });

  test('takes the access to the route', async () => {
    const made = await planned(accountWith(['gate'], LAB, TO_LAB), gatewaysAre());
    expect(made.lines).toEqual(['lost group/staff → route/lab tcp/5432']);
    expect(made.causes).toEqual(['group.gateways']);
  });

  test('takes no access if another machine stays, or another router serves', async () => {
    const made = await planned(accountWith(['gate', 'spare'], WIKI), gatewaysAre('spare'));
    expect(made.lines).toEqual([]);
    const other: Read = [
      'network_router',
      { id: 'r2', peer: 'spare', enabled: true, metric: 9999, masquerade: true },
      'office',
    ];
    expect((await planned(accountWith(['gate'], WIKI, other), gatewaysAre())).lines).toEqual([]);
  });

  test('exceeds a threshold, and cuts access that is guarded', async () => {
    const from = 'group/staff';
    const to = 'network_resource/office/wiki';
    const made = await planned(accountWith(['gate'], WIKI), gatewaysAre(), {
      guards: { thresholds: { lost: 1 }, guarded: [{ from, to }], noNewAccess: false },
      allowances: { byFlag: [], byProject: [] },
    });
    expect(made.hazards).toEqual([
      expect.stringContaining('2 pairs'),
      expect.stringContaining(`${from} → ${to}`),
    ]);
  });
});

describe('the first machine that joins a group of routing machines', () => {
  const guards = {
    thresholds: { gained: 1 },
    guarded: [{ to: 'network_resource/office/wiki' }],
    noNewAccess: true,
  };

  test('gives the access that rules allowed before', async () => {
    const made = await planned(accountWith([], WIKI), gatewaysAre('gate'));
    expect(made).toMatchObject({
      lines: ['gained group/staff → network_resource/office/wiki tcp/5432'],
      causes: ['group.gateways'],
      pairs: { gained: 2, lost: 0 },
      gains: ['group/staff → network_resource/office/wiki none'],
    });
    const lab = await planned(accountWith([], LAB, TO_LAB), gatewaysAre('gate'));
    expect(lab.lines).toEqual(['gained group/staff → route/lab tcp/5432']);
  });

  test('is refused by thresholds, guards and a run without new access', async () => {
    const made = await planned(accountWith([], WIKI), gatewaysAre('gate'), {
      guards,
      allowances: { byFlag: [], byProject: [] },
    });
    expect(made.hazards).toHaveLength(2);
    expect(made.refused).toContain('group/staff → network_resource/office/wiki  tcp/5432');
  });

  test('gives nothing while it awaits approval, and is refused as if it were approved', async () => {
    const waiting = accountWith([], WIKI).map(
      (one): Read => (one[1].id === 'gate' ? peer('gate', { approval_required: true }) : one),
    );
    const made = await planned(waiting, gatewaysAre('gate'), { guards });
    expect(made.lines).toEqual([]);
    expect(made.hazards).toContainEqual(expect.stringContaining('peer/gate may be approved'));
  });

  test('is refused before it joins: rules to a network without a machine are new access', async () => {
    const made = await planned(accountWith([]), POLICY, {
      guards,
      allowances: { byFlag: [], byProject: [] },
    });
    expect(made).toMatchObject({
      lines: ['gained group/staff → network_resource/office/wiki tcp/5432 (no machine routes yet)'],
      pairs: { gained: 2, lost: 0 },
      gains: ['group/staff → network_resource/office/wiki none'],
      refused: ['group/staff → network_resource/office/wiki  tcp/5432'],
    });
    expect(made.hazards).toHaveLength(2);
  });
});

test('ports that a rule allows to a network without a routing machine were not reachable', async () => {
  const [policy] = POLICY.policies;
  const more = policy?.rules.map(one => ({ ...one, ports: ['22', '5432'] }));
  const made = await planned(accountWith([], WIKI), { policies: [{ ...policy, rules: more }] });
  expect(made.lines).toEqual([
    'gained group/staff → network_resource/office/wiki tcp/22, 5432 (allowed before: 5432) (no machine routes yet)',
  ]);
  const routed = accountWith(['gate'], WIKI);
  expect((await planned(routed, { policies: [{ ...policy, rules: more }] })).lines).toEqual([
    'gained group/staff → network_resource/office/wiki tcp/22, 5432 (was 5432)',
  ]);
});

test.each([
  ['22', 'tcp/22 (allowed before: 22, 5432) (new if a machine routes: 443)', '22, 5432'],
  ['', 'tcp/22, 5432 (no machine routes yet) (new if a machine routes: 443)', '22, 5432'],
])(
  'ports that a rule to a network without a machine loses were not reached, beside ports under a check (left: %s)',
  async (left, says, former) => {
    const checked = { checks: { nb_version_check: { min_version: '0.70.0' } }, name: 'recent' };
    const [policy] = POLICY.policies;
    const rules = (ports: string) =>
      (policy?.rules ?? []).map(one => ({ ...one, ports: ports.split(', ') }));
    const both: Read = ['policy', rule('wiki', TO_WIKI, { ports: ['22', '5432'] })];
    const files = {
      posture_checks: [checked],
      policies: [
        { name: 'wiki', enabled: left !== '', rules: rules(left || former) },
        { name: 'web', source_posture_checks: ['recent'], rules: rules('443') },
      ],
    };
    const lost = `lost group/staff → network_resource/office/wiki ${says}`;
    expect((await planned(accountWith([], both), files)).lines).toEqual([lost]);
    const reached = await planned(accountWith(['gate'], both), files);
    expect(reached.lines.join()).not.toMatch(/allowed before|no machine routes/);
    // The last machine leaves: somebody reached the ports.
    const leaving = await planned(accountWith(['gate'], both), { ...files, ...gatewaysAre() });
    expect(leaving.lines.join()).not.toMatch(/allowed before|no machine routes/);
  },
);

describe('a routing group whose only machine belongs to a blocked user', () => {
  const owner: Read = [
    'user',
    {
      id: 'eve',
      email: 'eve@example.com',
      name: 'eve',
      role: 'user',
      status: 'active',
      auto_groups: [],
      is_service_user: false,
      is_blocked: true,
    },
  ];
  const blocked = (...more: readonly Read[]) => [
    owner,
    ...accountWith(['gate'], ...more).map(
      (one): Read => (one[1].id === 'gate' ? peer('gate', { user_id: 'eve' }) : one),
    ),
  ];
  const ssh = {
    policies: [
      {
        name: 'lab',
        rules: [
          {
            name: 'lab',
            protocol: 'tcp',
            ports: ['22'],
            sources: ['staff'],
            destinations: ['gateways'],
          },
        ],
      },
    ],
  };

  test('serves no route: a rule to the route is access of whoever joins the group', async () => {
    const made = await planned(blocked(LAB), ssh, {
      guards: { thresholds: {}, guarded: [{ to: 'route/lab' }], noNewAccess: true },
    });
    expect(made.lines).toEqual(['gained group/staff → route/lab tcp/22 (no machine routes yet)']);
    expect(made.refused).toContain('group/staff → route/lab  tcp/22');
  });

  test('serves a network, whose resources the server distributes without a login', async () => {
    const made = await planned(blocked(), POLICY);
    expect(made.lines).toEqual(['gained group/staff → network_resource/office/wiki tcp/5432']);
  });
});

test('disabling a rule to a network without a routing machine takes what its sources would get', async () => {
  const narrowed = POLICY.policies.map(one => ({ ...one, enabled: false }));
  const made = await planned(accountWith([], WIKI), { policies: narrowed });
  expect(made.lines).toEqual([
    'lost group/staff → network_resource/office/wiki tcp/5432 (no machine routes yet)',
  ]);
});

test('loosening the check of a rule to a network that loses its last routing machine is new access', async () => {
  const agent = (version: string) => ({
    name: 'agent',
    checks: { nb_version_check: { min_version: version } },
  });
  const read: Read = ['posture_check', { id: 'agent', description: '', ...agent('0.70.0') }];
  const checked = { ...rule('wiki', TO_WIKI), source_posture_checks: ['agent'] };
  const made = await planned(
    accountWith(['gate'], read, ['policy', checked]),
    { ...gatewaysAre(), posture_checks: [agent('0.60.0')] },
    { guards: { thresholds: {}, guarded: [], noNewAccess: true } },
  );
  expect(made.refused).toEqual([
    'group/staff → network_resource/office/wiki  tcp/5432, as a machine may join group/gateways',
  ]);
});

describe('access tests of a network whose group of routing machines has no machine', () => {
  const to = 'network_resource/office/wiki';
  const wanted = [written(`${to}:tcp/5432`)];
  const from = written('group/staff');

  test('allow passes with a note that names the group', async () => {
    const tests = [{ ...TEST, from, allow: wanted }];
    const { tests: verdicts } = await planned(accountWith([]), POLICY, { tests });
    expect(verdicts).toMatchObject([
      {
        failures: [],
        assumedRouters: ['group/gateways'],
      },
    ]);
  });

  test('deny and only_from fail as if the group had a machine', async () => {
    const tests = [
      { ...TEST, from, deny: wanted },
      { ...TEST, to: written(to), onlyFrom: [written('peer/mia')] },
    ];
    const { tests: verdicts } = await planned(accountWith([]), POLICY, { tests });
    expect(verdicts?.map(({ failures }) => failures.length)).toEqual([1, 1]);
  });

  test('a network that a machine routes gets no note', async () => {
    const tests = [{ ...TEST, from, allow: wanted }];
    const { tests: verdicts } = await planned(accountWith(['gate']), POLICY, { tests });
    expect(verdicts?.map(({ failures, assumedRouters }) => [failures, assumedRouters])).toEqual([
      [[], undefined],
    ]);
  });
});
