// The headline and the lines of an access diff, as they are printed for plans, against the slow evaluator: who gains, who loses, on
// which ports, under which conditions.
import { expect, test } from 'vitest';
import { comparison } from '../../../src/access/plan/comparison.ts';
import { planAccess } from '../../../src/access/plan/planAccess.ts';
import type { AccessChangeEntry, AccessFlow } from '../../../src/model/access/planAccess.ts';
import { accessPart } from '../../../src/report/access/planAccessText.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { KINDS } from '../../support/files.ts';
import { patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import type { Account, Policy, Zone } from '../slow/account.ts';
import { aboutOf, type Fact, type Facts, slowChanges } from '../slow/changes.ts';
import { INTERNET } from '../slow/everyone.ts';
import { slowFlows } from '../slow/flows.ts';
import { withoutPart } from '../slow/moved.ts';
import { plannableNarrowed, plannableOfAll } from './planInputs.ts';
import { readerOf } from './readLines.ts';
import { accountOf, planBetween, wayOf } from './wayOf.ts';

type Entry = AccessChangeEntry;

const PROTOCOLS = ['tcp', 'udp', 'icmp'] as const;

const protocolsOf = ({ protocol }: Entry) => (protocol === 'all' ? PROTOCOLS : [protocol]);

/** Ports as a line of JSON has them. */
function portsIn(text = ''): readonly string[] {
  if (text === '' || text === 'false') return [];
  return text === 'true' || text === '0-65535' ? ['*'] : text.split(',');
}

/** Whether a line says this of a source and a destination. */
function says(entry: Entry, fact: Fact | undefined): boolean {
  if (fact === undefined || entry.change !== fact.kind) return false;
  const [, , , , before, after] = fact.texts;
  const isOther = fact.kind === 'changed';
  const isLoss = fact.kind === 'lost';
  return (
    entry.ports_before.join() === portsIn(before).join() &&
    entry.ports_after.join() === portsIn(after).join() &&
    (entry.only_if_passed ?? false) === fact.isOnlyIfPassed &&
    (entry.no_router ?? false) === fact.isUnrouted &&
    (entry.ports_if_passed ?? []).join() === (isLoss ? portsIn(fact.ifPassed) : []).join() &&
    (entry.gains ?? false) === ((isOther || isLoss) && fact.gives) &&
    (entry.loses ?? false) === (isOther && fact.takes)
  );
}

/** What is wrong with some lines: each with the pairs of a source and a destination that it is about. */
interface Fault {
  readonly pairs: readonly string[];
  readonly fault: string;
}

// A line does not say that a name leads to a place for a part of the machines only.
const asSaid = (facts: Facts): Facts =>
  new Map([...facts].map(([name, fact]) => [withoutPart(name), fact]));

type Reader = ReturnType<typeof readerOf>;

/** Lines that say of somebody what is not so, and whatever no line says. */
function faultsIn(entries: readonly Entry[], facts: Facts, reader: Reader): readonly Fault[] {
  const lines = entries.map(entry => ({
    entry,
    sources: reader.sources(entry),
    targets: reader.targets(entry),
  }));
  const wrong = lines.flatMap(({ entry, sources, targets }): Fault[] => {
    const isSaidOf = (source: string, target: string) =>
      (source === target && source.startsWith('machine ')) ||
      protocolsOf(entry).every(one => says(entry, facts.get(`${source} > ${target} ${one}`)));
    const faults = targets.sure.flatMap(target =>
      sources
        .filter(source => !isSaidOf(source, target))
        .map(source => ({ pairs: [`${source} > ${target}`], fault: `not so: ${textOf(entry)}` })),
    );
    const today = [...targets.possible].filter(one => one.startsWith('machine '));
    const fitting = today.filter(target => sources.every(source => isSaidOf(source, target)));
    if (fitting.length >= (targets.count ?? 0)) return faults;
    const pairs = today.flatMap(target => sources.map(source => `${source} > ${target}`));
    return [...faults, { pairs, fault: `not so many: ${textOf(entry)}` }];
  });
  const missing = [...facts].flatMap(([name, fact]): Fault[] => {
    const [, source = '', target = '', protocol = ''] = /^(.*) > (.*) (\w+)$/.exec(name) ?? [];
    const isSaid = lines.some(
      ({ entry, sources, targets }) =>
        sources.includes(source) &&
        targets.possible.has(target) &&
        protocolsOf(entry).some(one => one === protocol) &&
        says(entry, fact),
    );
    return isSaid
      ? []
      : [
          {
            pairs: [`${source} > ${target}`],
            fault: `not said: ${name} ${fact.kind} ${fact.texts.join('|')}`,
          },
        ];
  });
  return [...wrong, ...missing];
}

type Posture = NonNullable<AccessFlow['posture']>;

type PortsOf = (fact: Fact) => ReadonlySet<number>;

/** By source, whether it passes, in one of the accounts; only of those for whom posture decides anything about the traffic of a line. */
function postureAt(
  entry: Entry,
  sources: readonly string[],
  target: string,
  facts: Facts,
  at: 0 | 1,
  portsOf: PortsOf = aboutOf,
): ReadonlyMap<string, keyof Posture> {
  const found = new Map<string, keyof Posture>();
  for (const source of sources) {
    if (source === target && source.startsWith('machine ')) continue;
    const all = protocolsOf(entry).map(one => facts.get(`${source} > ${target} ${one}`));
    const [unconditional, certain, possible, granted] = ([0, 1, 2, 3] as const).map(reading =>
      all
        .map(fact =>
          (fact ? [...portsOf(fact).intersection(fact.readings[at][reading])].sort() : []).join(),
        )
        .join(';'),
    );
    if (/^;*$/.test(granted ?? '')) continue;
    const verdict = certain === granted ? 'pass' : possible === granted ? 'unknown' : 'fail';
    // Who fails the check of one rule keeps what other rules grant.
    const isPartial = verdict === 'fail' && !/^;*$/.test(possible ?? '');
    if (unconditional === (isPartial ? possible : granted)) continue;
    found.set(source, isPartial ? (certain === possible ? 'pass' : 'unknown') : verdict);
  }
  return found;
}

// What posture checks decide about after a plan.
const heldBack = ({ readings: [, [unconditional, , , granted]] }: Fact): ReadonlySet<number> =>
  granted.difference(unconditional);

type Judgement = readonly [name: string, verdict: keyof Posture];

/** What posture decides, as a line has it: a destination may pass the check of one rule, and not that of another one. */
function postureIn(posture: Posture | undefined, reader: Reader): readonly Judgement[] {
  const verdicts = ['pass', 'fail', 'unknown'] as const;
  return verdicts.flatMap(verdict =>
    (posture?.[verdict] ?? []).map(name => [reader.member(name), verdict] as const),
  );
}

const sorted = (posture: Iterable<Judgement>) => [...posture].map(one => one.join(' ')).sort();

/** Whether a rule with checks also lets its destinations reach its sources: then its checks are about the destination of a flow. */
const hasReverse = ({ policies }: Account): boolean =>
  policies.some(
    ({ source_posture_checks: checks, rules }) =>
      checks.length > 0 && rules.some(({ bidirectional }) => bidirectional),
  );

/** Whether a line names the target for some of the sources, with what posture decides for them. */
function isSaidOfTarget(
  shown: readonly Judgement[],
  found: ReadonlyMap<string, keyof Posture>,
  target: string,
): boolean {
  const verdicts = new Set(found.values());
  const said = shown.every(([name, verdict]) =>
    name === target ? verdicts.has(verdict) : found.get(name) === verdict,
  );
  const names = shown.map(([name]) => name);
  return (
    said &&
    names.includes(target) &&
    verdicts.isSubsetOf(new Set(shown.map(([, verdict]) => verdict)))
  );
}

function postureFaults(
  entries: readonly Entry[],
  facts: Facts,
  { reader, both }: { readonly reader: Reader; readonly both: readonly [Account, Account] },
): readonly Fault[] {
  return entries.flatMap((entry): Fault[] => {
    const sources = reader.sources(entry);
    const { possible } = reader.targets(entry);
    const isLoss = entry.change === 'lost';
    const shown = sorted(postureIn(entry.posture, reader)).join();
    const other = isLoss ? entry.posture_after : entry.posture_before;
    const otherShown = sorted(postureIn(other, reader)).join();
    // Where destinations differ in that, a line has it for one of them.
    const targets = [...possible];
    const text = (target: string, at: 0 | 1) =>
      sorted(postureAt(entry, sources, target, facts, at)).join();
    const [own, beside] = isLoss ? ([0, 1] as const) : ([1, 0] as const);
    const isSaid = (
      said: Posture | undefined,
      target: string,
      at: 0 | 1,
      portsOf: PortsOf = aboutOf,
    ) => {
      const found = postureAt(entry, sources, target, facts, at, portsOf);
      const texts = postureIn(said, reader);
      if (sorted(found).join() === sorted(texts).join()) return true;
      return found.size > 0 && hasReverse(both[at]) && isSaidOfTarget(texts, found, target);
    };
    // Passing would no longer give some ports, and the rest stays behind the same checks.
    const isKept = (target: string) => {
      if (!entry.only_if_passed || other !== undefined) return false;
      const was = 0;
      const after = 1;
      return isSaid(entry.posture, target, was) && isSaid(entry.posture, target, after, heldBack);
    };
    const isSo = targets.some(target => {
      if (isKept(target)) return true;
      const isOther =
        isSaid(other, target, beside) ||
        (other === undefined && isSaid(entry.posture, target, beside));
      return isSaid(entry.posture, target, own) && isOther;
    });
    if (isSo) return [];
    const expected = targets.map(
      target => `${target}: ${text(target, isLoss ? 0 : 1)} beside ${text(target, isLoss ? 1 : 0)}`,
    );
    return [
      {
        pairs: targets.flatMap(target => sources.map(source => `${source} > ${target}`)),
        fault: `posture of ${textOf(entry)}: ${shown} beside ${otherShown}, where it is ${expected.join(' or ')}`,
      },
    ];
  });
}

const SIGNS = { gained: '+', lost: '−', changed: '~' };

/** A line as it is printed. */
function textOf(entry: Entry): string {
  const { change, from, to, address, protocol, machines, members_to_come: joining } = entry;
  const count = [
    ...(machines.length > 0 ? [machines.length] : []),
    ...(joining.length > 0 ? ['future members'] : []),
  ].join(' and ');
  const source = count === '' ? from : `${from} (${count})`;
  const parties = `${SIGNS[change]} ${source} → ${address === undefined ? to : `${to} ${address}`}`;
  return `${parties}  ${portsText(protocol, entry)}`;
}

const WHOLE = { most: Number.POSITIVE_INFINITY };

const TYPES: Readonly<Record<string, string>> = {
  groups: 'group',
  peers: 'peer',
  'network resources': 'network_resource',
  routes: 'route',
};

/** A line for each destination: what a sentence says of several is named in the line below it. */
function spelledOut(text: readonly string[]): readonly string[] {
  return text.flatMap((line, at) => {
    if (!/^ {2}[+−~] /.test(line)) return [];
    const [, start = '', plural = '', parent, end = ''] =
      /^(.* → )\d+ ([a-z ]+?)(?: in (\S+))?( {2}\S.*)$/.exec(line.trim()) ?? [];
    const type = TYPES[plural];
    if (type === undefined) return [line.trim()];
    const place = parent === undefined ? type : `${type}/${parent}`;
    const names = (text[at + 1] ?? '').trim().split(', ');
    return names.map(name => `${start}${place}/${name}${end}`);
  });
}

function portsText(protocol: Entry['protocol'], entry: Entry): string {
  const { change, ports_before, ports_after, only_if_passed, ports_if_passed } = entry;
  const { no_router, no_router_before } = entry;
  const condition = no_router ? 'a machine routes' : 'posture checks pass';
  const hasPorts = protocol === 'tcp' || protocol === 'udp';
  const name = protocol === 'all' ? 'everything' : protocol;
  const list = (ports: readonly string[]) =>
    ports.length === 0 ? 'nothing' : hasPorts ? ports.join(', ') : name;
  const whole = (ports: readonly string[]) =>
    ports.length > 0 && hasPorts ? `${name}/${list(ports)}` : list(ports);
  if (only_if_passed)
    return `if ${condition}: ${whole(ports_after)} (before: ${list(ports_before)})`;
  const unrouted = no_router ? ' (no machine routes yet)' : '';
  const later = ports_if_passed ? ` (new if ${condition}: ${list(ports_if_passed)})` : unrouted;
  const more = `${later}${entry.not_resolved ? ' (no routing machine gets the zone yet)' : ''}`;
  const gone = change === 'lost' && ports_after.length === 0;
  const never = no_router_before ? ' (no machine routes yet)' : '';
  if (gone) return `${whole(ports_before)}${never}${more}`;
  const isNew = ports_before.length === 0 || ports_before.join() === ports_after.join();
  // Nobody reached what a rule allowed before.
  const isUnreached = no_router_before || (no_router && !ports_if_passed);
  const word = isUnreached ? 'allowed before:' : 'was';
  const was = isNew ? '' : ` (${word} ${list(ports_before)})`;
  return `${whole(ports_after)}${was}${more}`;
}

/** Pairs of a machine and a destination, as `docs/access.md` counts them. */
function pairsIn(facts: Facts, isCounted: (fact: Fact) => boolean): number {
  const pairs = [...facts]
    .filter(([, fact]) => isCounted(fact))
    .map(([name]) => name.replace(/ \w+$/, '').split(' > ') as [string, string]);
  const isToday = (one: string) => one.startsWith('machine ');
  const isJoining = (one: string) => /^(group|user) /.test(one);
  const toSome = Map.groupBy(
    pairs.filter(([, to]) => !isJoining(to)),
    ([, to]) => to,
  );
  const counted = [...toSome.values()].map(some => {
    const sources = some.map(([from]) => from);
    const today = new Set(sources.filter(isToday));
    const isJoined = sources.some(one => !isToday(one) && one !== INTERNET);
    const machines = today.size === 0 && isJoined ? 1 : today.size;
    // The internet counts as one machine, beside whoever joins.
    return { today, count: machines + Number(sources.includes(INTERNET)) };
  });
  const elsewhere = counted.reduce((all, { today }) => all.union(today), new Set<string>());
  const toJoining = new Set(
    pairs.filter(([from, to]) => isToday(from) && isJoining(to)).map(([from]) => from),
  );
  const sum =
    counted.reduce((all, { count }) => all + count, 0) + toJoining.difference(elsewhere).size;
  return sum === 0 && pairs.length > 0 ? 1 : sum;
}

interface Judged {
  readonly entries: readonly Entry[];
  /** How many changes of a source, a destination and a protocol the slow evaluator finds. */
  readonly facts: number;
}

/** A plan whose headline and lines are what the slow evaluator finds; nothing if there is no plan. */
function judge(read: Account, wanted: Account): Judged | undefined {
  const made = planBetween(read, wanted);
  if (!made?.plan.actions.length) return undefined;
  // What cannot be pruned stays.
  const way = wayOf(read, wanted, made.plan.actions);
  const [before = read] = way;
  const after = way.at(-1) ?? before;
  const access = planAccess(made.plan, comparison(accountOf(made)));
  const { changes: entries } = access;
  const reader = readerOf(before, after);
  const faults = (facts: Facts) => [
    ...faultsIn(entries, facts, reader),
    ...postureFaults(entries, facts, { reader, both: [before, after] }),
  ];
  const found = slowChanges(before, after, first =>
    faults(asSaid(first)).flatMap(({ pairs }) => pairs),
  );
  const facts = asSaid(found);
  expect(facts.size).toBe(found.size);
  expect(faults(facts).map(({ fault }) => fault)).toEqual([]);
  const style = { ...PLAIN, width: Number.POSITIVE_INFINITY };
  const shown = accessPart({ ...made.plan, access }, { kinds: KINDS, style, limit: WHOLE });
  const [headline = '', ...text] = shown.split('\n');
  expect(spelledOut(text).toSorted()).toEqual(entries.map(textOf).toSorted());
  const kinds = Object.groupBy(entries, ({ change }) => change);
  const number = (kind: Entry['change']) => kinds[kind]?.length ?? 0;
  const moved = new Set([...facts.keys()].map(name => name.split(' > ')[0] ?? ''));
  const machines = [...moved].filter(one => one.startsWith('machine ')).length;
  const causes = new Set(entries.flatMap(one => one.causes));
  const idle = made.plan.changes.filter(
    one => !causes.has(one.address) && !causes.has(one.with ?? ''),
  ).length;
  const rest =
    idle === 0 ? '' : `; ${idle} ${idle === 1 ? 'change has' : 'changes have'} no effect on access`;
  const flows = [before, after].map(one => slowFlows(one, [before, after]));
  const [stay = new Set()] = flows.map(some => some.intersection(flows[1] ?? new Set()));
  expect(access.flows).toBe(stay.size);
  const counted = `(${machines} ${machines === 1 ? 'machine' : 'machines'}; ${access.flows} ${access.flows === 1 ? 'flow' : 'flows'} unchanged${rest})`;
  expect(headline).toBe(
    facts.size === 0
      ? 'Access: unchanged'
      : `Access: +${number('gained')} −${number('lost')} ~${number('changed')} ${counted}`,
  );
  expect(access.pairs).toEqual({
    // Whoever fails a check today gains what passing it gives.
    gained: pairsIn(facts, ({ gives }) => gives),
    lost: pairsIn(facts, ({ mayLose }) => mayLose),
  });
  return { entries, facts: facts.size };
}

const RUNS = { slice: 6, full: 2_000 };

const drawnPairs = fc.oneof(
  { arbitrary: plannableOfAll, weight: 2 },
  { arbitrary: plannableNarrowed, weight: 1 },
);

test(
  'headline and lines of a plan agree with the slow evaluator on who gains and loses what',
  () => {
    const { count, seed, found: note } = proof('headline and lines of access of drawn plans', RUNS);
    const sums = { plans: 0, lines: 0, conditional: 0, mixed: 0, facts: 0 };
    const add = (before: Account, after: Account) => {
      const judged = judge(before, after);
      if (judged === undefined) return;
      const { entries, facts } = judged;
      sums.plans += 1;
      sums.facts += facts;
      sums.lines += entries.length;
      sums.mixed += entries.filter(({ change, gains }) => change === 'lost' && gains).length;
      sums.conditional += entries.filter(
        one => one.posture ?? one.posture_before ?? one.posture_after,
      ).length;
    };
    fc.assert(
      fc.property(drawnPairs, ([before, after]) => add(before, after)),
      { numRuns: count, seed, endOnFailure: true },
    );
    note(
      `${sums.plans} plans with ${sums.lines} lines, ${sums.conditional} of them under posture checks and ${sums.mixed} losses that may give access, about ${sums.facts} changes of a source, a destination and a protocol`,
    );
    expect(sums.conditional).toBeGreaterThan(count / 4);
    expect(sums.mixed).toBeGreaterThan(count / 12);
  },
  patience(RUNS, 1_000),
);

const ssh = (...sources: readonly string[]): Policy => ({
  id: 'ssh',
  name: 'ssh',
  enabled: true,
  source_posture_checks: [],
  rules: [
    {
      id: 'ssh rule',
      name: 'ssh',
      enabled: true,
      action: 'accept',
      protocol: 'tcp',
      bidirectional: false,
      ports: ['22'],
      sources: [{ id: 'dev' }],
      destinations: sources.map(id => ({ id })),
    },
  ],
});

function linesFor(groups: Readonly<Record<string, readonly string[]>>, policy: Policy) {
  const peers = ['mia', 'tom'].map(id => ({
    id,
    name: id,
    approval_required: false,
    login_expired: false,
  }));
  const all = { id: 'All', name: 'All', peers };
  const listed = Object.entries(groups).map(([id, members]) => ({
    id,
    name: id,
    peers: members.map(one => ({ id: one })),
  }));
  const before: Account = {
    peers,
    groups: [all, ...listed],
    policies: [],
    posture_checks: [],
    routes: [],
    networks: [],
  };
  const made = planBetween(before, { ...before, policies: [policy] });
  if (made === undefined) throw new Error('a plan was expected');
  const access = planAccess(made.plan, comparison(accountOf(made)));
  return { lines: access.changes.map(textOf), machines: access.machines };
}

test('a destination names those who may join it through another group', () => {
  const groups = { dev: [], db: ['mia', 'tom'], spare: ['mia'] };
  expect(linesFor(groups, ssh('db', 'spare')).lines).toEqual([
    '+ group/dev (future members) → group/db, machines that enrol with group/spare  tcp/22',
  ]);
});

test('a machine is not a source of a line about itself', () => {
  const [rule] = ssh().rules;
  if (rule === undefined) throw new Error('the policy has a rule');
  const { destinations: _, ...rest } = rule;
  const toMia = { ...rest, destinationResource: { id: 'mia', type: 'peer' } };
  const { lines, machines } = linesFor({ dev: ['mia', 'tom'] }, { ...ssh(), rules: [toMia] });
  expect(lines).toEqual(['+ group/dev (1 and future members) → peer/mia  tcp/22']);
  expect(machines).toBe(1);
});

test('access that only the future members of a deleted group would gain is counted and listed alike', () => {
  const [all, db, spare] = ['All', 'db', 'spare'].map(id => ({ id, name: id, peers: [] }));
  if (!all || !db || !spare) throw new Error('three groups');
  const everywhere = ssh('All');
  const open = everywhere.rules.map(rule => ({ ...rule, sources: [{ id: 'All' }] }));
  const closed = ssh('db').rules.map(rule => ({
    ...rule,
    action: 'drop',
    sources: [{ id: 'All' }],
  }));
  const opened = { ...everywhere, rules: open };
  const dropping = { ...ssh(), id: 'drop', name: 'drop', rules: closed };
  const before: Account = {
    peers: [],
    groups: [all, db, spare],
    policies: [opened, dropping],
    posture_checks: [],
    routes: [],
    networks: [],
  };
  const counted = (one: Account, other: Account) => {
    const made = planBetween(one, other);
    if (made === undefined) throw new Error('a plan was expected');
    const { changes, pairs } = planAccess(made.plan, comparison(accountOf(made)));
    return [changes.map(textOf), pairs];
  };
  const after = { ...before, groups: [all, spare], policies: [opened] };
  const joining = 'group/All (future members) → machines that enrol with group/db  tcp/22';
  expect(counted(before, after)).toEqual([[`+ ${joining}`], { gained: 1, lost: 0 }]);
  expect(counted(after, before)).toEqual([[`− ${joining}`], { gained: 0, lost: 1 }]);
});

/** Mia, whose agent is old, and Tom, in groups, and a check that only Mia fails beside one of which nothing is known. */
function withChecks(
  groups: Readonly<Record<string, readonly string[]>>,
  ...policies: readonly Policy[]
): Account {
  const peers = ['mia', 'tom'].map(id => ({
    id,
    name: id,
    approval_required: false,
    login_expired: false,
    os: 'Ubuntu 24.04',
    version: id === 'mia' ? '0.40.0' : '0.70.0',
  }));
  const listed = Object.entries(groups).map(([id, members]) => ({
    id,
    name: id,
    peers: members.map(one => ({ id: one })),
  }));
  const running = { process_check: { processes: [{ linux_path: '/usr/bin/agent' }] } };
  return {
    peers,
    groups: [{ id: 'All', name: 'All', peers }, ...listed],
    policies,
    posture_checks: [
      { id: 'recent', name: 'recent', checks: { nb_version_check: { min_version: '0.50.0' } } },
      { id: 'running', name: 'running', checks: running },
    ],
    routes: [],
    networks: [],
  };
}

test('a line about the reverse direction of a rule names the destination that fails, also where only a part of the ports stays', () => {
  const checked = (...ports: readonly string[]): Policy => ({
    ...ssh('db'),
    source_posture_checks: ['recent'],
    rules: ssh('db').rules.map(rule => ({ ...rule, bidirectional: true, ports })),
  });
  const groups = { dev: ['mia'], db: [] };
  const both = [
    withChecks(groups, checked('22', '80')),
    withChecks(groups, checked('22')),
  ] as const;
  const { entries = [] } = judge(...both) ?? {};
  const toMia = entries.filter(({ to }) => to === 'peer/mia');
  expect(toMia.map(one => [textOf(one), one.posture])).toEqual([
    [
      '~ group/db (future members) → peer/mia  if posture checks pass: tcp/22 (before: 22, 80)',
      { pass: [], fail: ['peer/mia'], unknown: [], checks: ['recent'] },
    ],
  ]);
});

test('a lower port that a failed check keeps from a machine is listed before the ports that it has', () => {
  const web: Policy = {
    ...ssh('db'),
    id: 'web',
    name: 'web',
    rules: ssh('db').rules.map(rule => ({ ...rule, id: 'web rule', ports: ['80'] })),
  };
  const checked = { ...ssh('db'), source_posture_checks: ['recent'] };
  const groups = { dev: ['mia'], db: [] };
  const both = [withChecks(groups, web), withChecks(groups, web, checked)] as const;
  const { entries = [] } = judge(...both) ?? {};
  expect(entries.map(textOf)).toEqual([
    '+ group/dev (1 and future members) → group/db  tcp/22, 80 (was 80)',
  ]);
});

test('a destination that passes the check of one rule and may fail that of another is listed with both results', () => {
  const between = (
    id: string,
    to: string,
    checks: readonly string[],
    ports: readonly string[],
  ) => ({
    ...ssh(to),
    id,
    name: id,
    source_posture_checks: checks,
    rules: ssh(to).rules.map(rule => ({
      ...rule,
      id: `${id} rule`,
      bidirectional: true,
      ports,
      sources: [{ id: 'All' }],
    })),
  });
  const narrowed = (...ports: readonly string[]) =>
    withChecks(
      { dev: ['tom'], db: [] },
      between('to dev', 'dev', ['recent'], ports),
      between('to db', 'db', ['recent', 'running'], ports),
    );
  const { entries = [] } = judge(narrowed('22', '80'), narrowed('22')) ?? {};
  const toDev = entries.filter(({ change, to }) => change === 'lost' && to === 'group/dev');
  expect(toDev.map(one => [textOf(one), one.posture])).toEqual([
    [
      '− peer/tom (1 and future members) → group/dev  tcp/22 (was 22, 80)',
      {
        pass: ['peer/tom'],
        fail: [],
        unknown: ['group/All', 'group/db', 'peer/tom'],
        checks: ['recent', 'running'],
      },
    ],
  ]);
});

test('a new zone that resolves a name removes no access to what another zone resolves it to', () => {
  const zone = (domain: string, content: string) => ({
    id: domain,
    name: domain,
    domain,
    enabled: true,
    distribution_groups: ['All'],
    records: [{ id: content, name: 'db.app.example.internal', type: 'A', content }],
  });
  const withZones = (...zones: readonly Zone[]): Account => ({
    ...withChecks({ dev: ['tom'], db: [] }, ssh('db')),
    networks: [
      {
        id: 'n0',
        name: 'n0',
        resources: [
          {
            id: 'r0',
            name: 'orders',
            address: 'db.app.example.internal',
            enabled: true,
            groups: [{ id: 'db' }],
          },
        ],
        routers: [{ id: 'n0 mia', enabled: true, peer: 'mia' }],
      },
    ],
    zones,
  });
  const outer = zone('app.example.internal', '192.0.2.10');
  const inner = zone('db.app.example.internal', '192.0.2.11');
  const { entries = [] } = judge(withZones(outer), withZones(outer, inner)) ?? {};
  expect(entries.map(textOf)).toEqual([
    '+ group/dev (1 and future members) → network_resource/n0/orders 192.0.2.11  tcp/22',
  ]);
});
