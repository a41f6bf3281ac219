// The gains and losses of a finding about a guarded target, pair by pair. The lines of a plan do
// not always show them: a summed line shows the ports of all its pairs together, and no line shows
// a gain that begins only when a machine is approved. Without the pairs, a saved plan would not
// notice that a pair gains more than it showed.
import { createHash } from 'node:crypto';
import type { MovedPairs, MovedPorts } from '../../model/access/accessGates.ts';
import { lastingId } from '../../model/access/planAccess.ts';
import { stableText } from '../../model/text/stableText.ts';
import { type MemberSetNamer, memberName, memberSetNamer } from '../ask/memberSetNames.ts';
import { type ChangedCell, changedCells } from '../diff/changedCells.ts';
import { targetRows } from '../diff/targetRows.ts';
import { itselfIn, type Target } from '../flows/targets.ts';
import { gainedTraffic } from '../plan/gains.ts';
import { and, type Bits, count, indexesIn, isEmpty, withoutOne } from '../sets/bits.ts';
import { interner } from '../sets/interned.ts';
import {
  intervalsText,
  joinedIntervals,
  ofProtocol,
  PROTOCOLS,
  type Traffic,
  without,
} from '../sets/traffic.ts';
import { portRanges } from '../sets/trafficText.ts';
import type { World } from '../world/world.ts';
import type { States } from './movedAccess.ts';

/** Sources that gain or lose the same traffic at a target. */
interface Pairs {
  readonly sources: Bits;
  readonly target: Target;
  readonly condition: MovedPorts['condition'];
  readonly traffic: Traffic;
}

interface Moved {
  readonly sources: Bits;
  readonly targets: readonly Target[];
}

/**
 * The maximum number of sources and destinations that a finding lists. If there are more, it
 * contains a digest.
 */
const LISTED = 10_000;

/**
 * What sources gain or lose at targets, pair by pair. `listed`: the maximum number of sources and
 * destinations in the list.
 */
export function movedPairs(
  states: States,
  side: 'gained' | 'lost',
  { sources, targets }: Moved,
  listed = LISTED,
): MovedPairs {
  const { world } = side === 'gained' ? states.after : states.before;
  const pairs = targets.flatMap(target => pairsAt(states, side, { sources, target }));
  const members = pairs.reduce((sum, one) => sum + count(one.sources) + 1, 0);
  const namer = memberSetNamer(world);
  if (members > listed) return { moved_digest: digestOf(pairs, world, namer) };
  return { moved: pairs.flatMap(one => portsOf(one, namer)) };
}

function pairsAt(
  states: States,
  side: 'gained' | 'lost',
  { sources, target }: Pick<Pairs, 'sources' | 'target'>,
): readonly Pairs[] {
  const itself = itselfIn(states.before.world, target);
  return changedCells(targetRows(states.before, states.after, target)).flatMap(cell => {
    const own = and(cell.sources, sources);
    const others = itself < 0 ? own : withoutOne(own, itself);
    if (isEmpty(others)) return [];
    const traffic =
      side === 'gained'
        ? gainedTraffic({ ...cell, targets: [target], pairs: 0 }, states)
        : lostTraffic(cell);
    return [
      { sources: others, target, condition: 'none' as const, traffic: traffic.always },
      { sources: others, target, condition: 'posture' as const, traffic: traffic.withPosture },
    ].filter(one => one.traffic.length > 0);
  });
}

// The traffic that a change takes away, and the traffic that depends on more posture checks than
// before.
function lostTraffic({ usable, before, after }: ChangedCell): ReturnType<typeof gainedTraffic> {
  const always = usable.isOnlyIfPassed ? [] : without(usable.before, usable.after);
  const less = [
    ...without(before.unconditional, after.unconditional),
    ...without(before.granted, after.granted),
  ];
  return { always, withPosture: without(joinedIntervals(less), always) };
}

function portsOf(
  { sources, target, condition, traffic }: Pairs,
  namer: MemberSetNamer,
): readonly MovedPorts[] {
  const from = namer.party(sources);
  const to = namer.destination([target]);
  return PROTOCOLS.flatMap(protocol => {
    const own = ofProtocol(traffic, protocol);
    if (own.length === 0) return [];
    return {
      from: from.name,
      to: to.name,
      ...(to.address !== undefined && { address: to.address }),
      machines: from.machines,
      members_to_come: from.members_to_come,
      ...(to.machines.length > 0 && { to_machines: to.machines }),
      ...(to.members_to_come.length > 0 && { to_members_to_come: to.members_to_come }),
      protocol,
      ports: portRanges(own, protocol),
      condition,
    };
  });
}

// Equal sets of sources share one digest, which is computed once, because most pairs of a large
// account have the same sources.
function digestOf(pairs: readonly Pairs[], world: World, namer: MemberSetNamer): string {
  const numberOf = interner();
  const known = new Map<number, string>();
  const sourcesText = (sources: Bits): string => {
    const number = numberOf(sources);
    const text =
      known.get(number) ?? hashed([...indexesIn(sources)].map(at => idOf(world, at)).sort());
    known.set(number, text);
    return text;
  };
  const texts = pairs.map(({ sources, target, condition, traffic }) => {
    const { name, address = null } = namer.destination([target]);
    const to = target.type === 'machine' ? idOf(world, target.index) : name;
    return stableText([to, address, condition, intervalsText(traffic), sourcesText(sources)]);
  });
  return hashed(texts.sort());
}

const hashed = (texts: readonly string[]): string =>
  createHash('sha256').update(stableText(texts)).digest('hex').slice(0, 32);

function idOf(world: World, index: number): string {
  const { type = '', id } = world.members[index] ?? {};
  return lastingId({ kind: type, name: memberName(world, index), ...(id !== undefined && { id }) });
}
