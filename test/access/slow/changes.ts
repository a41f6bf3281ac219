// What somebody gains or loses between two accounts, as the slow evaluator has it: a source, a target and a protocol at a time.
import type { Account, Served } from './account.ts';
import type { Someone } from './everyone.ts';
import { BOUNDS, boundIn, comparedIn, type Moved, movedExactly, movedUnder } from './moved.ts';
import { offersIn } from './routed.ts';
import { portsWorthAsking, type Reached, rangesText } from './rows.ts';
import { mayServeNetwork, mayServeRoute, worldOf } from './world.ts';

/** One change of access. */
export interface Fact {
  readonly kind: 'gained' | 'lost' | 'changed';
  /** Whether it gives access under any reading of posture, and whether it takes any. */
  readonly gives: boolean;
  readonly takes: boolean;
  /** Whether the source may come to have something, as far as its posture is known, and whether it may lose something. */
  readonly mayGain: boolean;
  readonly mayLose: boolean;
  readonly isOnlyIfPassed: boolean;
  /** Whether nobody routes there now. */
  readonly isUnrouted: boolean;
  /** What passing checks that fail today would newly give, beside the ports that are shown. */
  readonly ifPassed: string;
  /** Unconditional and granted ports before and after, and those that are shown, before and after. */
  readonly texts: readonly string[];
  readonly shown: readonly [before: Ports, after: Ports];
  /** Each reading of the account before, and of the one after. */
  readonly readings: readonly [was: Readings, is: Readings];
}

type Ports = ReadonlySet<number>;

/** The ports under each bound, in their order. */
type Readings = readonly [unconditional: Ports, certain: Ports, possible: Ports, granted: Ports];

/** By source, target and protocol, such as `machine p1 > group g1 tcp`. */
export type Facts = ReadonlyMap<string, Fact>;

/**
 * What differs. `doubted`: the pairs (`machine p1 > group g1`) to look at under everything that matters to them, because the fates that were looked
 * at first may be too few.
 */
export function slowChanges(
  before: Account,
  after: Account,
  doubted: (first: Facts) => Iterable<string>,
): Facts {
  const factsOf = slowJudge(before, after);
  const first = factsOf([]);
  const pairs = new Set(doubted(first));
  return pairs.size === 0 ? first : factsOf(pairs);
}

/** What differs, with some pairs looked at under everything that matters to them. */
export function slowJudge(before: Account, after: Account): (pairs: Iterable<string>) => Facts {
  const both = [before, after];
  const routed = both.map((account): Account => ({ ...account, isRouted: true }));
  const isUnrouted = unroutedIn(both);
  const either = (now: Reached, later: () => Reached): Reached =>
    isUnrouted === undefined ? now : mixed(now, later(), isUnrouted);
  const moved = movedUnder(before, after, 6);
  if (isUnrouted) {
    const [was = before, is = after] = routed;
    const later = movedUnder(was, is, 6);
    moved.opened = mixed(moved.opened, later.opened, isUnrouted);
    moved.closed = mixed(moved.closed, later.closed, isUnrouted);
  }
  const reached = both.map((account, at) =>
    BOUNDS.map(bound =>
      either(comparedIn(account, bound, both), () => boundIn(routed[at] ?? account, bound, routed)),
    ),
  );
  const shown = both.map((account, at): Shown => {
    const own = reached[at] ?? [];
    if (!both.some(isLacking)) return { bounds: own, now: own.at(-1) ?? new Map() };
    const bounds = BOUNDS.map(bound => boundIn(routed[at] ?? account, bound, routed));
    return { bounds, now: boundIn(account, 'granted', both) };
  });
  const known = new Set<string>();
  return pairs => {
    for (const pair of pairs) {
      if (known.has(pair)) continue;
      known.add(pair);
      const [source = '', target = ''] = pair.split(' > ');
      const [was = before, is = after] = isUnrouted?.(target) ? routed : both;
      const exact = movedExactly(was, is, [source, target]);
      for (const [name, ports] of exact.opened) moved.opened.set(name, ports);
      for (const [name, ports] of exact.closed) moved.closed.set(name, ports);
    }
    return factsIn(both, { reached, shown }, moved);
  };
}

/** Whether a group that would route has no machine that may: then some routes nothing until a machine joins. */
export function isLacking(account: Account): boolean {
  const { groups, networks, routes } = account;
  const { everyone } = worldOf(account, 'seen');
  const lacks = (served: readonly Served[], mayServe: (one: Someone) => boolean) => {
    const named = new Set(served.flatMap(({ peer_groups = [] }) => peer_groups));
    const able = everyone.filter(one => one.peer && mayServe(one));
    return groups.some(({ id }) => named.has(id) && !able.some(one => one.groups.has(id)));
  };
  const routers = networks.flatMap(network => network.routers);
  return lacks(routers, mayServeNetwork) || lacks(routes, mayServeRoute);
}

/** By destination, whether nobody routes there in any of the accounts; undefined if everybody who could route is there. */
function unroutedIn(both: readonly Account[]): ((target: string) => boolean) | undefined {
  if (!both.some(isLacking)) return undefined;
  const routedBy = (accounts: readonly Account[]) =>
    new Set(
      accounts.flatMap(account =>
        offersIn(worldOf(account, 'seen', both)).map(one => one.destination),
      ),
    );
  const now = routedBy(both);
  const later = routedBy(both.map((account): Account => ({ ...account, isRouted: true })));
  const unrouted = later.difference(now);
  return unrouted.size === 0 ? undefined : target => unrouted.has(target);
}

/** What is reached now, and at some destinations what is reached later. */
function mixed(now: Reached, later: Reached, isLater: (target: string) => boolean) {
  const targetIn = (name: string) => name.replace(/^.* > /, '').replace(/ \w+$/, '');
  const found = new Map<string, Set<number>>();
  for (const [name, ports] of now) if (!isLater(targetIn(name))) found.set(name, new Set(ports));
  for (const [name, ports] of later) if (isLater(targetIn(name))) found.set(name, new Set(ports));
  return found;
}

/** What the lines about an account show: as if somebody routed everything, and what passing all checks gives now. */
interface Shown {
  readonly bounds: readonly Reached[];
  readonly now: Reached;
}

interface Compared {
  readonly reached: readonly (readonly Reached[])[];
  readonly shown: readonly Shown[];
}

function factsIn(
  both: readonly Account[],
  { reached, shown: lines }: Compared,
  { opened, closed }: Moved,
): Facts {
  const ports = portsWorthAsking(both);
  const text = (name: string, found: ReadonlySet<number>) =>
    name.endsWith(' icmp')
      ? String(found.size > 0)
      : rangesText(
          ports.filter(one => found.has(one)),
          ports,
        );
  const names = new Set([...reached.flat(), opened, closed].flatMap(reach => [...reach.keys()]));
  return new Map(
    [...names].flatMap((name): [string, Fact][] => {
      const points = reached.map(readings => readings.map(reach => reach.get(name) ?? new Set()));
      const [[u0, c0, p0, g0] = [], [u1, c1, p1, g1] = []] = points as ReadonlySet<number>[][];
      if (!u0 || !c0 || !p0 || !g0 || !u1 || !c1 || !p1 || !g1) throw new Error('four readings');
      const isMore = (one: ReadonlySet<number>, other: ReadonlySet<number>) =>
        !one.isSubsetOf(other);
      const mayGain = isMore(c1, c0) || isMore(p1, p0) || opened.has(name);
      const mayLose = isMore(c0, c1) || isMore(p0, p1) || closed.has(name);
      const isGiven = isMore(g1, g0);
      const isTaken = isMore(g0, g1);
      const gives = mayGain || isGiven || isMore(u1, u0);
      const takes = mayLose || isTaken || isMore(u0, u1);
      if (!gives && !takes) return [];
      // Nobody may use more or less: what those get, or no longer get, who fail today.
      const isPending = !mayGain && !mayLose;
      // Who may gain or lose, as posture decides, has a loss.
      const isLess = isMore(c0, c1) && !isMore(c1, c0);
      const isFewer = isMore(p0, p1) && !isMore(p1, p0);
      const isEither = mayLose && mayGain && (isLess || isFewer);
      const isLoss = (mayLose && !mayGain) || isEither;
      const isGain = isPending ? isGiven && !isTaken : mayGain && !mayLose;
      const kind = isGain ? 'gained' : isLoss ? 'lost' : 'changed';
      const had = isMore(p0, p1) ? p0 : c0;
      const was = isEither
        ? had
        : isPending && isTaken
          ? g0
          : kind === 'gained' && !isPending && !isMore(p1, p0)
            ? c0
            : p0;
      // A port that was behind a check before is not new to whoever fails it.
      const newly = p1.union(g1.difference(g0));
      const pending = isTaken ? g1 : newly;
      const kept = [...had].filter(
        one => (c1.has(one) || !c0.has(one)) && (p1.has(one) || !p0.has(one)),
      );
      const is = isEither
        ? new Set(kept)
        : isPending && (isTaken || isGiven)
          ? pending
          : isLoss && !isMore(p0, p1)
            ? c1
            : p1;
      const texts = [u0, g0, u1, g1, was, is].map(found => text(name, found));
      const isOnlyIfPassed = isPending && isTaken;
      const shown = [was, is] as const;
      const readings = lines.map(({ bounds }) =>
        bounds.map(reach => reach.get(name) ?? new Set<number>()),
      ) as unknown as Fact['readings'];
      const ways = { gives, takes, mayGain, mayLose };
      const later = g1.difference(g0).difference(is);
      const ifPassed = text(name, later);
      // Some of what the line speaks of is there once somebody routes, and none of it now.
      const isLessLater = kind === 'lost' && later.size > 0;
      const about = isLessLater ? later : aboutOf({ kind, shown, isOnlyIfPassed });
      const isNone = lines.every(({ now }) => about.isDisjointFrom(now.get(name) ?? new Set()));
      const isUnrouted = isNone && [g0, g1].some(one => !about.isDisjointFrom(one));
      return [
        [name, { kind, ...ways, isOnlyIfPassed, isUnrouted, ifPassed, texts, shown, readings }],
      ];
    }),
  );
}

/** What a line speaks of: new traffic of a gain, removed traffic of a loss, otherwise all of it. */
export function aboutOf({
  kind,
  shown: [was, is],
  isOnlyIfPassed,
}: Pick<Fact, 'kind' | 'shown' | 'isOnlyIfPassed'>): ReadonlySet<number> {
  if (isOnlyIfPassed) return was.symmetricDifference(is);
  if (kind === 'changed') return was.union(is);
  const [more, less] = kind === 'gained' ? [is, was] : [was, is];
  const moved = more.difference(less);
  return moved.size > 0 ? moved : more;
}
