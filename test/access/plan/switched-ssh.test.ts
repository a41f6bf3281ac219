// SSH that a plan switches on or off at a machine: whoever reaches port 22022 gains or loses port 22 by that, and the headline, the
// lines, the guards and the thresholds agree.
import { describe, expect, test } from 'vitest';
import type { AccessGuards } from '../../../src/model/access/accessGates.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { accessPart } from '../../../src/report/access/planAccessText.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import type { Read } from '../../engine/planning.ts';
import { KINDS } from '../../support/files.ts';
import { planOf } from '../gates/roadPlans.ts';

const ref = (id: string): JsonObject => ({ id, name: id });

const peer = (id: string, ip: string, isSsh = false): Read => [
  'peer',
  {
    id,
    name: id,
    ip,
    dns_label: `${id}.netbird.selfhosted`,
    version: '0.60.0',
    os: 'Ubuntu 24.04',
    ssh_enabled: isSsh,
  },
];

const group = (id: string, ...members: readonly string[]): Read => [
  'group',
  { id, name: id, issued: 'api', peers: members.map(ref), resources: [] },
];

const policy = (id: string, to: string, ports: readonly string[]): Read => [
  'policy',
  {
    id,
    name: id,
    description: '',
    enabled: true,
    source_posture_checks: [],
    rules: [
      {
        id: `${id}-1`,
        name: id,
        description: '',
        enabled: true,
        action: 'accept',
        bidirectional: false,
        protocol: 'tcp',
        ports: [...ports],
        sources: [ref('laptops')],
        destinations: [ref(to)],
      },
    ],
  },
];

const account = (isSsh: boolean, ...more: readonly Read[]): readonly Read[] => [
  peer('mia', '100.64.0.1'),
  peer('vault', '100.64.0.2', isSsh),
  peer('gateway', '100.64.0.3'),
  group('All', 'mia', 'vault', 'gateway'),
  group('laptops', 'mia'),
  group('vaults', 'vault'),
  group('gateways', 'gateway'),
  group('routed'),
  ...more,
];

const SSH = { peers: [{ name: 'vault', ssh_enabled: true }] };
const NO_SSH = { peers: [{ name: 'vault', ssh_enabled: false }] };

const GUARDS: AccessGuards = {
  thresholds: { gained: 0, lost: 0 },
  guarded: [{ to: 'group/vaults:tcp/22' }],
  noNewAccess: true,
};

async function planned(reads: readonly Read[], files: object, guards = GUARDS) {
  const plan = await planOf(
    { reads, files: JSON.stringify(files) },
    { guards, allowances: { byFlag: [], byProject: [] } },
  );
  const limit = { most: Number.POSITIVE_INFINITY };
  const text = accessPart(plan, { kinds: KINDS, style: { ...PLAIN, width: limit.most }, limit });
  const [headline = '', ...lines] = text.split('\n').map(line => line.trim());
  const found = plan.gates?.findings ?? [];
  return {
    headline,
    lines,
    pairs: plan.access?.pairs,
    gains: plan.access?.gains.map(({ from, to, ports }) => ({ from, to, ports })),
    codes: found.map(({ code, what }) => code ?? what).sort(),
    causes: [...new Set(found.flatMap(({ causes }) => causes))],
  };
}

describe('SSH that is switched on', () => {
  test('is a gain of whoever reaches port 22022', async () => {
    const made = await planned(account(false, policy('q', 'vaults', ['22022'])), SSH);
    expect(made.headline).toMatch(/^Access: \+1 −0 ~0, rights \+1 \(1 machine; [^;]*\)$/);
    expect(made.lines).toEqual([
      '+ group/laptops (1 and future members) → peer/vault  tcp/22, 22022 (was 22022)',
      'policy "q", rule "q"',
      'because of peer.vault',
      '+ peer.vault: SSH to the machine',
    ]);
    expect(made.pairs).toEqual({ gained: 1, lost: 0 });
    expect(made.gains).toEqual([
      { from: 'group/laptops', to: 'peer/vault', ports: [{ start: 22, end: 22 }] },
    ]);
    expect(made.codes).toEqual(['WIDENS_ACCESS', 'WIDENS_GUARDED_ACCESS', 'gained', 'right']);
    expect(made.causes).toEqual(['peer.vault']);
  });

  test('is a gain by a network resource at the address of the machine', async () => {
    const routed: readonly Read[] = [
      ['network', { id: 'n1', name: 'overlay', description: '' }],
      [
        'network_resource',
        {
          id: 'r1',
          name: 'vault',
          description: '',
          address: '100.64.0.2/32',
          enabled: true,
          groups: [ref('routed')],
        },
        'n1',
      ],
      [
        'network_router',
        {
          id: 't1',
          peer: '',
          peer_groups: ['gateways'],
          metric: 100,
          masquerade: true,
          enabled: true,
        },
        'n1',
      ],
    ];
    const made = await planned(account(false, ...routed, policy('q', 'routed', ['22022'])), SSH);
    expect(made.lines[0]).toContain(
      '→ network_resource/overlay/vault 100.64.0.2/32  tcp/22, 22022 (was 22022)',
    );
    expect(made.codes).toEqual(['WIDENS_ACCESS', 'WIDENS_GUARDED_ACCESS', 'gained', 'right']);
  });

  test('together with a new rule is one gain, caused by both', async () => {
    const rule = {
      name: 'q',
      protocol: 'tcp',
      ports: ['22022'],
      sources: ['laptops'],
      destinations: ['vaults'],
    };
    const made = await planned(account(false), {
      ...SSH,
      policies: [{ name: 'q', rules: [rule] }],
    });
    // The machines that enrol later are others, and their SSH is off.
    expect(made.lines.filter(line => line.startsWith('+ group'))).toEqual([
      '+ group/laptops (1 and future members) → machines that enrol with group/vaults  tcp/22022',
      '+ group/laptops (1 and future members) → peer/vault  tcp/22, 22022',
    ]);
    expect(made.lines).toContain('because of peer.vault, policy.q');
  });

  test.each([
    ['port 22', ['22']],
    ['both', ['22', '22022']],
    ['other ports', ['443']],
  ])(
    'gives whoever reaches %s only a right, and the right counts as an effect',
    async (_, ports) => {
      const made = await planned(account(false, policy('q', 'vaults', ports)), SSH);
      expect(made.headline).toMatch(/^Access: \+0 −0 ~0, rights \+1 \(0 machines; [^;]*\)$/);
      expect(made.lines).toEqual(['+ peer.vault: SSH to the machine']);
      expect(made.codes).toEqual(['right']);
    },
  );
});

describe('a guard of port 22022', () => {
  const guards: AccessGuards = { ...GUARDS, guarded: [{ to: 'group/vaults:tcp/22022' }] };

  test('covers a rule for port 22, with which the server may open it', async () => {
    const rule = {
      name: 'q',
      protocol: 'tcp',
      ports: ['22'],
      sources: ['laptops'],
      destinations: ['vaults'],
    };
    const files = { policies: [{ name: 'q', rules: [rule] }] };
    const made = await planned(account(true), files, guards);
    expect(made.codes).toContain('WIDENS_GUARDED_ACCESS');
    expect(made.causes).toEqual(['policy.q']);
  });

  test('covers SSH that is switched on for whoever reaches port 22', async () => {
    const made = await planned(account(false, policy('q', 'vaults', ['22'])), SSH, guards);
    expect(made.codes).toEqual(['WIDENS_GUARDED_ACCESS', 'right']);
    expect(made.causes).toEqual(['peer.vault']);
  });
});

test('SSH that is switched off is a loss of whoever reaches only port 22022', async () => {
  const lost = await planned(account(true, policy('q', 'vaults', ['22022'])), NO_SSH);
  expect(lost.headline).toMatch(/^Access: \+0 −1 ~0 \(1 machine; [^;]*\)$/);
  expect(lost.lines).toEqual([
    '− group/laptops (1 and future members) → peer/vault  tcp/22022 (was 22, 22022)',
    'policy "q", rule "q"',
    'because of peer.vault',
  ]);
  expect(lost.codes).toEqual(['NARROWS_ACCESS', 'NARROWS_GUARDED_ACCESS']);
  const kept = await planned(account(true, policy('q', 'vaults', ['22', '22022'])), NO_SSH);
  expect(kept.codes).toEqual([]);
});
