// What a line of an access diff is because of: without these changes of the plan it is another line, and without any other it is
// the same. The slow evaluator judges each plan without them.
import { expect, test } from 'vitest';
import type { AccessChange } from '../../../src/access/diff/accessChange.ts';
import { causesOf } from '../../../src/access/plan/changeEntry.ts';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { comparedAccessIn, planAccess } from '../../../src/access/plan/planAccess.ts';
import { indexesIn } from '../../../src/access/sets/bits.ts';
import type { World } from '../../../src/access/world/world.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { memberName, targetName } from '../names.ts';
import { plannableOfAll } from '../plan/planInputs.ts';
import { accountOf, planBetween, withAction } from '../plan/wayOf.ts';
import type { Account, Policy } from '../slow/account.ts';
import { type Facts, isLacking, slowJudge } from '../slow/changes.ts';
import { withRenewedLogins } from '../slow/everyone.ts';
import { drawnWorlds, fatesIn, pairsOf as pairsOfFates } from '../slow/fates.ts';
import { BOUNDS, boundIn, movedExactly } from '../slow/moved.ts';
import { slowReach } from '../slow/rows.ts';

/** Who reaches what under each bound, and under some fates of everybody. */
function pointsOf(account: Account, compared: readonly Account[]): ReadonlySet<string> {
  const fates = fatesIn(compared);
  const worlds = [...pairsOfFates(fates, 4), ...drawnWorlds(fates, 4)];
  const reachedIn = (one: Account) => [
    ...BOUNDS.map(bound => boundIn(one, bound, compared)),
    ...worlds.map(world => slowReach(one, world, compared)),
  ];
  // As it is, and as if somebody routed everything: the same where somebody does.
  const now = reachedIn(account);
  const reached = [...now, ...(isLacking(account) ? reachedIn(routed(account)) : now)];
  return new Set(
    reached.flatMap((reach, at) =>
      [...reach].flatMap(([name, ports]) => [...ports].map(port => `${at} ${name} ${port}`)),
    ),
  );
}

/** Whether anything differs between two accounts for one of these pairs, under any fates. */
function isOtherExactly(one: Account, other: Account, pairs: ReadonlySet<string>): boolean {
  return [...pairs].some(pair => {
    const [, source = '', target = ''] = /^(.*) > (.*) \w+ $/.exec(pair) ?? [];
    const later = [one, other].some(isLacking)
      ? [movedExactly(routed(one), routed(other), [source, target])]
      : [];
    const all = [movedExactly(one, other, [source, target]), ...later].flatMap(
      ({ opened, closed }) => [...opened.keys(), ...closed.keys()],
    );
    return all.some(name => `${name} `.includes(pair));
  });
}

const routed = (account: Account): Account => ({ ...account, isRouted: true });

/** The pairs and protocols of a change, as lines begin. */
function pairsOf(
  { sources, targets, protocol }: AccessChange,
  worlds: readonly World[],
  ids: (name: string) => string,
): readonly string[] {
  const spoken = protocol === 'all' ? ['tcp', 'udp', 'icmp'] : [protocol];
  return [...indexesIn(sources)].flatMap(source =>
    targets.flatMap(target => {
      const from = ids(memberName(source, worlds));
      const to = ids(targetName(target, worlds));
      return spoken.map(one => `${from} > ${to} ${one} `);
    }),
  );
}

/** What a line would say of a pair and a protocol. */
function saidOf(facts: Facts | undefined, pair: string): string {
  const fact = facts?.get(pair.trim());
  if (fact === undefined) return '';
  const { kind, texts, isOnlyIfPassed, gives, takes } = fact;
  return JSON.stringify([
    kind,
    texts,
    isOnlyIfPassed,
    kind !== 'gained' && gives,
    kind === 'changed' && takes,
  ]);
}

/** The sets of fewer of them than `size`. */
function setsBelow(all: readonly string[], size: number): readonly (readonly string[])[] {
  if (size <= 0) return [];
  const beside = all.flatMap((one, at) =>
    setsBelow(all.slice(at + 1), size - 1).map(set => [one, ...set]),
  );
  return [[], ...beside];
}

const RUNS = { slice: 3, full: 2_000 };

test(
  'a change of access depends on its causes, and on nothing else',
  () => {
    const { count, seed, found: note } = proof('causes of changes of access', RUNS);
    const sums = { lines: 0, partial: 0, jointly: 0 };
    fc.assert(
      fc.property(plannableOfAll, ([read, after]) => {
        const made = planBetween(read, after);
        if (!made?.plan.actions.length) return;
        const before = withRenewedLogins(read);
        const states = comparison(accountOf(made));
        const { changes } = states.changes();
        const { addresses } = states.parts;
        const shown = comparedAccessIn(made.plan, states);
        const compared = [before, after];
        const known = new Map<string, ReadonlySet<string>>();
        const accountWithout = (left: readonly string[]) =>
          withRenewedLogins(
            made.plan.actions
              .filter(({ address }) => !left.includes(address))
              .reduce((now, action) => withAction(now, after, action), read),
          );
        const without = (left: readonly string[]) => {
          const name = [...left].sort().join();
          const points = known.get(name) ?? pointsOf(accountWithout(left), compared);
          known.set(name, points);
          return points;
        };
        const names = new Map(
          [...after.groups, ...after.networks].map(one => [one.name, one.id] as const),
        );
        const ids = (name: string) =>
          name.replace(/\b(group-\d|network-\d|All)\b/, key => names.get(key) ?? key);
        // Whether the line says something else of a pair, or nothing.
        const judges = new Map<string, ReturnType<typeof slowJudge>>();
        const judgeOf = (left: readonly string[]) => {
          const name = [...left].sort().join();
          const judge = judges.get(name) ?? slowJudge(before, accountWithout(left));
          judges.set(name, judge);
          return judge;
        };
        const isGone = (left: readonly string[], pairs: ReadonlySet<string>) => {
          const whole = judgeOf([]);
          const part = judgeOf(left);
          const isOther = (pair: string, exactly: readonly string[]) =>
            saidOf(whole(exactly), pair) !== saidOf(part(exactly), pair);
          const isOtherExactly = (pair: string) => isOther(pair, [pair.replace(/ \w+ $/, '')]);
          // Most differences show under a few fates; each is looked at under all that matter.
          const [likely = [], others = []] = [true, false].map(is =>
            [...pairs].filter(pair => isOther(pair, []) === is),
          );
          return [...likely, ...others].some(isOtherExactly);
        };
        for (const change of changes) {
          if (shown === undefined) throw new Error('what changes is shown');
          const { causes, one_of } = causesOf(change, shown);
          expect(one_of).toBeUndefined();
          const pairs = new Set(pairsOf(change, [states.before.world, states.after.world], ids));
          const isOther = (left: readonly string[]) =>
            [...without(left).symmetricDifference(without([]))].some(line =>
              [...pairs].some(pair => line.includes(` ${pair}`)),
            ) && isGone(left, pairs);
          const isOtherAnyhow = (left: readonly string[]) =>
            isOther(left) ||
            (isOtherExactly(accountWithout(left), accountWithout([]), pairs) &&
              isGone(left, pairs));
          expect(isOtherAnyhow(causes)).toBe(true);
          // Without which it is the same, unless others go as well: no smaller set of them does.
          const shared = causes.filter(one => !isOtherAnyhow([one]));
          const alone = causes.filter(one => !shared.includes(one));
          const rest = addresses.filter(one => !alone.includes(one));
          const first = alone.length > 0 && isOtherAnyhow(alone) ? [] : alone;
          const enough = setsBelow(shared, shared.length + 1)
            .filter(some => some.length > 0 && isOtherAnyhow([...first, ...some]))
            .filter(
              (some, _, all) =>
                !all.some(
                  one => one.length < some.length && one.every(each => some.includes(each)),
                ),
            );
          // Each of them is one of some that make a difference together, and of no fewer.
          expect(shared.filter(one => !enough.some(some => some.includes(one)))).toEqual([]);
          if (first.length > 0 || alone.length === 0)
            for (const fewer of setsBelow(rest, Math.min(...enough.map(some => some.length))))
              expect(isOther([...alone, ...fewer])).toBe(false);
          // What is no cause makes no difference, not even together.
          expect(isOther(addresses.filter(one => !causes.includes(one)))).toBe(false);
          for (const address of addresses)
            if (!causes.includes(address)) expect(isOther([address])).toBe(false);
          sums.lines += 1;
          if (causes.length < addresses.length) sums.partial += 1;
          if (shared.length > 0) sums.jointly += 1;
        }
      }),
      { numRuns: count, seed, endOnFailure: true },
    );
    note(
      `${sums.lines} lines, ${sums.partial} of them because of a part of their plan, ${sums.jointly} of changes of which one alone makes no difference`,
    );
    expect(sums.partial).toBeGreaterThan(count);
  },
  patience(RUNS, 10_000),
);

const rule = (id: string, ports: readonly string[]): Policy => ({
  id,
  name: id,
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: `${id} rule`,
      name: id,
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports,
      sources: [{ id: 'dev' }],
      destinations: [{ id: 'db' }],
    },
  ],
});

const account = (...policies: readonly Policy[]): Account => ({
  peers: [],
  groups: ['All', 'dev', 'db'].map(id => ({ id, name: id, peers: [] })),
  policies,
  posture_checks: [],
  routes: [],
  networks: [],
});

function causesBetween(before: Account, after: Account): readonly string[] {
  const made = planBetween(before, after);
  if (made === undefined) throw new Error('a plan was expected');
  const { changes } = planAccess(made.plan, comparison(accountOf(made)));
  return changes.map(
    ({ from, to, ports_after, causes }) => `${from} → ${to} ${ports_after}: ${causes}`,
  );
}

test('a policy that does not affect a line is not its cause, even if it connects the same groups', () => {
  const before = account(rule('pa', ['22']), rule('pb', ['22']));
  expect(causesBetween(before, account(rule('pa', ['22']), rule('pb', ['22', '443'])))).toEqual([
    'group/dev → group/db 22,443: policy.pb',
  ]);
  expect(causesBetween(before, account(rule('pa', ['443']), rule('pb', ['22', '443'])))).toEqual([
    'group/dev → group/db 22,443: policy.pa,policy.pb',
  ]);
});

test('changes that cancel each other are causes beside those that open a port, and do not hide them', () => {
  const before = account(rule('pa', ['443']), rule('pb', ['80']));
  const swapped = [rule('pa', ['80']), rule('pb', ['443'])];
  expect(
    causesBetween(before, account(...swapped, rule('pc', ['22']), rule('pd', ['22']))),
  ).toEqual(['group/dev → group/db 22,80,443: policy.pa,policy.pb,policy.pc,policy.pd']);
  expect(causesBetween(before, account(...swapped, rule('pc', ['22'])))).toEqual([
    'group/dev → group/db 22,80,443: policy.pa,policy.pb,policy.pc',
  ]);
});

test('both policies that allow a port are its causes, also beside the cause of another port', () => {
  const before = account();
  const both = [rule('pa', ['22']), rule('pb', ['22'])];
  expect(causesBetween(before, account(...both, rule('pc', ['443'])))).toEqual([
    'group/dev → group/db 22,443: policy.pa,policy.pb,policy.pc',
  ]);
  const more = [rule('pd', ['80']), rule('pe', ['80'])];
  expect(causesBetween(before, account(...both, ...more, rule('pc', ['443'])))).toEqual([
    'group/dev → group/db 22,80,443: policy.pa,policy.pb,policy.pc,policy.pd,policy.pe',
  ]);
  expect(causesBetween(account(rule('pa', ['22'])), account(...both, rule('pc', ['443'])))).toEqual(
    ['group/dev → group/db 22,443: policy.pc'],
  );
});

test('a port that two policies stop allowing has both as causes, and none if a third still allows it', () => {
  const before = account(rule('pa', ['22', '80']), rule('pb', ['22']));
  expect(causesBetween(before, account(rule('pa', ['22']), rule('pb', ['443'])))).toEqual([
    'group/dev → group/db 22,443: policy.pa,policy.pb',
  ]);
});

const version = (least: string): Account['posture_checks'] => [
  { id: 'recent', name: 'recent', checks: { nb_version_check: { min_version: least } } },
];

test('a posture check that only becomes stricter is not a cause of a gain', () => {
  const checked = (...sources: readonly string[]): Policy => {
    const { rules, ...policy } = rule('pa', ['22']);
    const among = sources.map(id => ({ id }));
    return {
      ...policy,
      source_posture_checks: ['recent'],
      rules: rules.map(one => ({ ...one, sources: among })),
    };
  };
  const all = ['All', 'dev', 'ops', 'db'].map(id => ({ id, name: id, peers: [] }));
  const before = { ...account(checked('dev')), groups: all, posture_checks: version('0.60.0') };
  const after = {
    ...account(checked('dev', 'ops')),
    groups: all,
    posture_checks: version('0.65.0'),
  };
  expect(causesBetween(before, after)).toEqual([
    'group/ops → group/db 22: policy.pa',
    'group/dev → group/db : posture_check.recent',
  ]);
});

test('replacing a posture check is not a cause of a gain that the former check also allowed', () => {
  const process = [
    {
      id: 'recent',
      name: 'recent',
      checks: { process_check: { processes: [{ linux_path: '/usr/bin/edr' }] } },
    },
  ];
  const checked = { ...rule('pa', ['22']), source_posture_checks: ['recent'] };
  const before = { ...account(), posture_checks: version('0.60.0') };
  const after = { ...account(checked), posture_checks: process };
  expect(causesBetween(before, after)).toEqual(['group/dev → group/db 22: policy.pa']);
});

const machines = (...ids: readonly string[]): Account['peers'] =>
  ids.map(id => ({ id, name: id, approval_required: false, login_expired: false }));

const group = (id: string, ...members: readonly string[]) => ({
  id,
  name: id,
  peers: members.map(one => ({ id: one })),
});

test('two policies that each connect the machines to the routing machine of a new route are causes beside it', () => {
  const before: Account = {
    ...account(),
    peers: machines('laptop', 'gateway'),
    groups: [group('All', 'laptop', 'gateway'), group('dev', 'laptop'), group('db', 'gateway')],
  };
  const route = {
    id: 'office 172.16.0.0/24 db',
    network_id: 'office',
    network: '172.16.0.0/24',
    enabled: true,
    groups: ['dev'],
    peer_groups: ['db'],
    access_control_groups: [],
  };
  const after: Account = {
    ...before,
    routes: [route],
    policies: [rule('pa', ['22']), rule('pb', ['80'])],
  };
  expect(causesBetween(before, after).filter(line => line.includes('route'))).toEqual([
    'group/dev → route/office *: policy.pa,policy.pb,route["office 172.16.0.0/24 db"]',
  ]);
});

/** A plan that replaces the router of a network by a group, and puts a machine that uses the network into this group. */
function routerReplaced(): readonly [before: Account, after: Account] {
  const peers = machines('laptop', 'gateway');
  const network = {
    id: 'office',
    name: 'office',
    resources: [
      {
        id: 'wiki',
        name: 'wiki',
        address: '10.0.0.5/32',
        enabled: true,
        groups: [{ id: 'db', name: 'db' }],
      },
    ],
  };
  const before: Account = {
    ...account(rule('pa', ['443'])),
    peers,
    groups: [
      group('All', 'laptop', 'gateway'),
      group('dev', 'laptop'),
      group('db'),
      group('routers', 'gateway'),
    ],
    networks: [{ ...network, routers: [{ id: 'old', enabled: true, peer: 'gateway' }] }],
  };
  return [
    before,
    {
      ...before,
      groups: before.groups.map(one => (one.id === 'routers' ? group('routers', 'laptop') : one)),
      networks: [{ ...network, routers: [{ id: 'new', enabled: true, peer_groups: ['routers'] }] }],
    },
  ];
}

test('a router that is replaced by a group is a cause beside the machine that joins this group', () => {
  expect(causesBetween(...routerReplaced())).toEqual([
    'peer/laptop → network_resource/office/wiki : group.routers,network_router.office/routers,network_router["office/peer=gateway"]',
  ]);
});

test('a deleted router is listed among the causes if causes are not distinguished', () => {
  const made = planBetween(...routerReplaced());
  if (made === undefined) throw new Error('a plan was expected');
  const states = comparison(accountOf(made));
  const parts = { ...states.parts, areToldApart: false };
  const { changes } = planAccess(made.plan, { ...states, parts });
  expect(changes).toEqual([
    expect.objectContaining({
      to: 'network_resource/office/wiki',
      causes: [
        'group.routers',
        'network_router.office/routers',
        'network_router["office/peer=gateway"]',
      ],
      one_of: true,
    }),
  ]);
});

test('a machine that fails the check today also gains access by the group that it joins', () => {
  const old = { id: 'old', name: 'old', version: '0.40.0', approval_required: false };
  const checked = (members: readonly string[], ...more: readonly Policy[]): Account => ({
    ...account({ ...rule('ssh', ['22']), source_posture_checks: ['recent'] }, ...more),
    peers: [{ ...old, login_expired: false }],
    groups: [
      { id: 'All', name: 'All', peers: [{ id: 'old' }] },
      { id: 'dev', name: 'dev', peers: members.map(id => ({ id })) },
      { id: 'db', name: 'db', peers: [] },
    ],
    posture_checks: [
      { id: 'recent', name: 'recent', checks: { nb_version_check: { min_version: '0.60.0' } } },
    ],
  });
  const drop = rule('closed', ['22']);
  const closed = { ...drop, rules: drop.rules.map(one => ({ ...one, action: 'drop' })) };
  expect(causesBetween(checked([], closed), checked(['old']))).toEqual([
    'group/dev → group/db 22: group.dev,policy.closed',
  ]);
});
