// The access to guarded targets that a saved plan gives or takes now, pair by pair, but did not
// show. The lines of the plan do not show it if they are summed, or if machines must be approved
// first.
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

/** What a plan showed, or what it changes now. */
interface Shown {
  readonly findings: readonly AccessFinding[];
  readonly changes: readonly AccessChangeEntry[];
}

/** The current members of an account, and the objects that were renamed. */
interface Since {
  readonly joined: JoinedSince;
  readonly shownName: ShownName;
}

/** Traffic that a plan showed for some pairs. */
interface Known {
  readonly protocol: AccessChangeEntry['protocol'];
  readonly traffic: Traffic;
  readonly condition: MovedPorts['condition'];
}

/**
 * The access to guarded targets that the findings contain now and that the plan did not show for
 * the same pairs, as strings: `group/laptops → group/servers  tcp/3389`. For a member that joined a
 * group since, what the plan showed for future members of the group counts as shown.
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

// Traffic that was shown with a posture check does not cover a gain or loss without one.
const covers = (known: Known, { protocol, condition }: MovedPorts): boolean =>
  (known.protocol === protocol || known.protocol === 'all') &&
  (known.condition === 'none' || condition === 'posture');

type ShownPairs = ShownLine<Known>;

/**
 * Returns the lines about any of some destinations, or about destinations that have such a member.
 */
type ShownTo = (destinations: readonly string[]) => readonly ShownPairs[];

// The traffic that was not shown for at least one of the pairs; undefined if all of it was shown
// for each pair.
function notShown(
  one: MovedPorts,
  shownTo: ShownTo,
  { joined, shownName }: Since,
): Traffic | undefined {
  const { source, destination } = pairsOf(one, shownName);
  const { name = '', members } = destination;
  const groups = [...(members ?? [])].flatMap(member => [member, ...joined(member)]);
  const same = shownTo([name, ...groups]).filter(({ line }) => covers(line, one));
  // The name of a source does not identify it, because other sources may have the same name.
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

// A line that is not summed shows the exact ports of each of its pairs.
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
  // If no port changes, only the conditions change.
  return more.length > 0 ? more : portsIn(line, after);
}
