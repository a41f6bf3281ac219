// The access to guarded targets that a saved plan gives or takes now, pair by pair, and did not show: its lines do not say it where
// they are summed, or where machines must be approved first.
import type { AccessFinding, MovedPorts } from '../../model/access/accessGates.ts';
import { type AccessChangeEntry, givesAccess, takesAccess } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { lostTraffic, onlyGained, portsIn } from '../plan/gainedOrLost.ts';
import { joinedIntervals, type Traffic, without } from '../sets/traffic.ts';
import { trafficIn } from '../sets/trafficText.ts';
import type { JoinedSince } from './joinedSince.ts';
import { asShown, type ShownName } from './renamedSince.ts';
import { isShownOfEach, pairsOf, type ShownLine } from './shownPairs.ts';
import { sinceText } from './sinceText.ts';

type Side = 'gained' | 'lost';

/** What a plan showed, or changes now. */
interface Shown {
  readonly findings: readonly AccessFinding[];
  readonly changes: readonly AccessChangeEntry[];
}

/** Who takes part in an account now, and what has another name. */
interface Since {
  readonly joined: JoinedSince;
  readonly shownName: ShownName;
}

/** Traffic of pairs that a plan showed. */
interface Known {
  readonly protocol: AccessChangeEntry['protocol'];
  readonly traffic: Traffic;
  readonly condition: MovedPorts['condition'];
}

/**
 * The access to guarded targets that findings have pair by pair now, and that the plan did not show of these pairs, as texts:
 * `group/laptops → group/servers  tcp/3389`. Whoever joined a group since has what was shown of its future members.
 */
export function pairsSince(
  shown: Shown,
  now: readonly AccessFinding[],
  side: Side,
  since: Since,
): readonly string[] {
  const found = now.filter(one => isOfPairs(one) && one.what === side);
  if (found.length === 0) return [];
  const findings = shown.findings.filter(({ what }) => what === side);
  const digests = new Set(findings.flatMap(one => one.moved_digest ?? []));
  const shownTo = linesByDestination([
    ...findings.flatMap(({ moved = [] }) => moved.map(ofPorts)),
    ...shown.changes.filter(one => isExact(one, side)).map(one => ofLine(one, side)),
  ]);
  const more = found.flatMap(({ who = '', where = '', moved = [], moved_digest: digest }) => {
    if (digest !== undefined) return digests.has(digest) ? [] : [`${who} → ${where}  ${OTHERS}`];
    return moved.flatMap(one => {
      const left = notShown(one, shownTo, since);
      return left === undefined ? [] : [sinceText(one, left)];
    });
  });
  return [...new Set(more)].sort(compareTexts);
}

const OTHERS = 'other pairs or ports';

const isOfPairs = ({ gate, moved, moved_digest: digest }: AccessFinding): boolean =>
  gate === 'guarded' && (moved !== undefined || digest !== undefined);

// What is shown with a posture check does not cover what is gained or lost without one.
const covers = (known: Known, { protocol, condition }: MovedPorts): boolean =>
  (known.protocol === protocol || known.protocol === 'all') &&
  (known.condition === 'none' || condition === 'posture');

type ShownPairs = ShownLine<Known>;

/** The lines about any of some destinations, or about some that have such a member. */
type ShownTo = (destinations: readonly string[]) => readonly ShownPairs[];

// The traffic that was not shown of one of the pairs; undefined if all of it was shown of each pair.
function notShown(
  one: MovedPorts,
  shownTo: ShownTo,
  { joined, shownName }: Since,
): Traffic | undefined {
  const { source, destination } = pairsOf(one, shownName);
  const { name = '', members } = destination;
  const groups = [...(members ?? [])].flatMap(member => [member, ...joined(member)]);
  const same = shownTo([name, ...groups]).filter(({ line }) => covers(line, one));
  // The name of a source is not enough: other sources may have it.
  const pairs = { source: { members: source.members }, destination };
  let left: Traffic = [];
  const isShown = isShownOfEach(pairs, same, joined, some => {
    const known = joinedIntervals(some.flatMap(({ line }) => line.traffic));
    left = without(trafficIn(one.ports, one.protocol), known);
    return left.length === 0;
  });
  return isShown ? undefined : left;
}

function linesByDestination(lines: readonly ShownPairs[]): ShownTo {
  const known = new Map<string, ShownPairs[]>();
  for (const line of lines)
    for (const name of new Set([line.destination.name ?? '', ...(line.destination.members ?? [])]))
      known.set(name, [...(known.get(name) ?? []), line]);
  return names => [...new Set(names.flatMap(name => known.get(name) ?? []))];
}

function ofPorts(one: MovedPorts): ShownPairs {
  const { protocol, ports, condition } = one;
  return {
    ...pairsOf(one, asShown),
    line: { protocol, condition, traffic: trafficIn(ports, protocol) },
  };
}

// A line that is not summed shows the ports of each of its pairs.
const isExact = (line: AccessChangeEntry, side: Side): boolean =>
  line.summed === undefined && (side === 'gained' ? givesAccess(line) : takesAccess(line));

function ofLine(line: AccessChangeEntry, side: Side): ShownPairs {
  const { protocol, posture } = line;
  const condition = posture === undefined ? 'none' : 'posture';
  return {
    ...pairsOf(line, asShown),
    line: { protocol, condition, traffic: trafficOf(line, side) },
  };
}

function trafficOf(line: AccessChangeEntry, side: Side): Traffic {
  if (side === 'lost') return lostTraffic(line);
  const { ports_before: before, ports_after: after } = onlyGained(line);
  const more = without(portsIn(line, after), portsIn(line, before));
  // Only the conditions are other ones.
  return more.length > 0 ? more : portsIn(line, after);
}
