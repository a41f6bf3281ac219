// The law of exports after edits by hand: what people rename, exchange, copy, delete and enrol again in a dashboard is in the files after
// `export --out`, and the next plan is empty: nobody's access changes by the apply after it. Or the export says what remains and ends with
// 2: then the next plan changes only what it would have changed without the export.
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../src/model/errors.ts';
import { expectCode, type Teams, teams } from '../cli/bases/teams.ts';
import { ByHand, nameField } from '../cli/export/byHand.ts';
import { git } from '../support/git.ts';
import { type RandomSource, randomSources } from './generators/randomSource.ts';
import { law, PATIENCE } from './runs.ts';

vi.setConfig({ testTimeout: PATIENCE });

const MACHINES = ['m0', 'm1', 'm2', 'm3'];
const GROUPS = ['g0', 'g1', 'g2', 'g3'];

const LISTS = {
  machines: '/api/peers',
  groups: '/api/groups',
  policies: '/api/policies',
  networks: '/api/networks',
  checks: '/api/posture-checks',
  keys: '/api/setup-keys',
  routes: '/api/routes',
  nameservers: '/api/dns/nameservers',
} as const;

const listsOf = (dialect: string): readonly string[] =>
  Object.values(LISTS).filter(path => dialect === 'netbird' || path !== LISTS.nameservers);

const nameserversOf = (group: () => string): string => `dns:
  nameserver_groups:
    - { name: d0, nameservers: [{ ip: 10.1.1.1 }], groups: [${group()}], domains: [a.example.com] }
    - { name: d1, nameservers: [{ ip: 10.1.1.2 }], groups: [${group()}], domains: [b.example.com] }
`;

/** Files with references to groups in all places, and policies of one, two and three rules. */
function filesOf(random: RandomSource, dialect: string): string {
  const group = () => random.pick(['g0', 'g1', 'g2', 'g3']);
  const rule = (name: string) =>
    `{ name: ${name}, sources: [${group()}], destinations: [${group()}], protocol: tcp, ports: ["${1 + random.below(9)}"] }`;
  const policy = (i: number) => {
    const rules = ['a', 'b', 'c'].slice(0, 1 + random.below(3)).map(rule);
    return `  - { name: p${i}, source_posture_checks: [c${random.below(2)}], rules: [${rules.join(', ')}] }`;
  };
  return `groups:
${GROUPS.map(name => `  - { name: ${name}, peers: [${random.some(MACHINES, random.below(3)).join(', ')}] }`).join('\n')}
posture_checks:
  - { name: c0, checks: { nb_version_check: { min_version: "0.60.0" } } }
  - { name: c1, checks: { nb_version_check: { min_version: "0.50.0" } } }
setup_keys:
  - { name: k0, type: reusable, expires_in: 2592000, auto_groups: [${group()}] }
networks:
  - name: n0
    resources: [{ name: r0, address: 192.168.10.20/32, groups: [${group()}] }]
    routers: [{ peer_groups: [${group()}], metric: 100, masquerade: true }]
  - name: n1
    resources: [{ name: r1, address: 192.168.10.21/32, groups: [${group()}] }]
${dialect === 'netbird' ? nameserversOf(group) : ''}routes:
  - { network_id: t0, network: 10.50.0.0/24, peer: ${random.pick(['m0', 'm1', 'm2'])}, masquerade: true, groups: [${group()}] }
  - { network_id: t1, network: 10.60.0.0/24, peer_groups: [${group()}], masquerade: true, groups: [${group()}] }
policies:
${[0, 1, 2].map(policy).join('\n')}
`;
}

/** One edit in the dashboard; the server refuses some. */
async function edit(hand: ByHand, random: RandomSource): Promise<void> {
  const path = random.pick([LISTS.groups, ...listsOf(hand.dialect)]);
  const all = (await hand.list(path)).filter(one => one.name !== 'All');
  const objects = random.some(
    all.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1)),
    3,
  );
  const [first] = objects;
  if (first === undefined) return;
  const act = random.pick(['rotate', 'exchange', 'rename', 'copy', 'remove', 'again']);
  try {
    if (act === 'rotate') await hand.rotateObjects(path, objects);
    if (act === 'exchange') await hand.rotateObjects(path, objects.slice(0, 2));
    if (act === 'rename')
      await hand.change(path, first, { [nameField(path)]: `new-${random.below(99)}` });
    if (act === 'copy' && path !== LISTS.machines) await hand.copyOf(path, first);
    if (act === 'remove') await hand.removeObject(path, first);
    if (act === 'again' && path === LISTS.machines)
      await hand.enrolAgain(String(first.name), random.chance(0.5));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** All that the account has, whatever the order of its answers. */
async function held(hand: ByHand): Promise<string> {
  const lists = await Promise.all(listsOf(hand.dialect).map(path => hand.list(path)));
  return lists
    .flat()
    .map(one => sorted(one))
    .sort()
    .join('\n');
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (key, item) => {
    if (CHANGING.has(key)) return undefined;
    return Array.isArray(item) ? item.map(one => sorted(one)).sort() : item;
  });
}

/** What changes without a write of the files. */
const CHANGING: ReadonlySet<string> = new Set([
  'last_used',
  'last_seen',
  'last_login',
  'updated_at',
]);

/** The kinds that an export may be limited to. */
const KINDS = ['groups', 'policies', 'networks', 'peers', 'routes'] as const;

const SECRETS = ['--secrets-to', 'file:secrets.jsonl'];

async function adopted({ account, apply, commit, id, run }: Teams, random: RandomSource) {
  for (const name of MACHINES) await account.enrol(name);
  await commit({
    'net/meshform.yaml': `account: ${id}\n`,
    'net/main.yaml': filesOf(random, account.server.dialect),
  });
  expectCode(await apply('net', SECRETS), 0);
  if (random.chance(0.3)) return;
  // All that the account has is declared.
  expectCode(await run(['export', '--out', 'net']), 0);
  await commit({});
  expectCode(await apply('net', SECRETS), 0);
}

/** What the next plan would do, a line for each object. */
async function planOf({ run }: Teams): Promise<ReadonlySet<string>> {
  const flags = ['--base', 'auto', '--prune', 'removed'];
  const { stdout, stderr, code } = await run(['plan', 'net', ...flags, '--detailed-exitcode']);
  const lines = stdout.match(/^ {2}# .*$/gm) ?? [];
  return new Set([
    ...lines,
    ...(lines.length === 0 && code !== 0 ? [`exit ${code}: ${stderr}`] : []),
  ]);
}

test.each([['netbird'], ['spec']] as const)(
  'an export after edits by hand, on a server of %s, leaves an empty plan, or adds nothing to it',
  dialect =>
    law(randomSources, 12, random =>
      teams(async story => {
        const { account, apply, commit, cwd, run } = story;
        await adopted(story, random);
        const hand = new ByHand(account);
        for (let edits = 1 + random.below(4); edits > 0; edits -= 1) await edit(hand, random);
        const before = await held(hand);
        const limits = random.chance(0.3) ? ['--kinds', random.pick(KINDS)] : [];
        const exported = await run(['export', '--out', 'net', ...limits]);
        const isWritten = git(cwd, 'status', '--porcelain') !== '';
        if (isWritten) await commit({});
        const left = await planOf(story);
        // What a limited export leaves alone stays as it was.
        const isWhole = exported.code === 0 && limits.length === 0;
        if (!isWhole) {
          expectCode(exported, exported.code === 0 ? 0 : 2);
          if (exported.code !== 0)
            expect(exported.stderr).toMatch(/warning OBJECT_(STUCK|NOT_THERE|AMBIGUOUS|HELD)/);
          // An export that wrote nothing leaves the same plan, and an empty plan adds nothing.
          if (!isWritten || left.size === 0) return;
          git(cwd, 'reset', '--quiet', '--hard', 'HEAD~1');
          const changes = await planOf(story);
          expect([...left].filter(one => !changes.has(one))).toEqual([]);
          return;
        }
        expect([...left]).toEqual([]);
        expectCode(await apply('net', SECRETS), 0);
        expect(await held(hand)).toBe(before);
        expectCode(await run(['drift', 'net', '--base', 'auto']), 0);
        expectCode(await run(['export', '--check', 'net']), 0);
      }, dialect),
    ),
);
