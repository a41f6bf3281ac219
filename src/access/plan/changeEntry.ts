// Converts an access change of a plan to its output form: names, ports, granting rules and causes.
import type { AccessChangeEntry, AccessFlow } from '../../model/access/planAccess.ts';
import { answersSshOnlyIn, asksForSsh, withSshPorts } from '../ask/answeredSsh.ts';
import { itselfAmong, namedFlow } from '../ask/answerNames.ts';
import { flowsBetween } from '../ask/flows.ts';
import type { MemberSetNamer } from '../ask/memberSetNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import type { ChangedProtocol } from '../diff/changedCells.ts';
import type { Reaches } from '../flows/reaches.ts';
import {
  ALL_TRAFFIC,
  joinedIntervals,
  NO_TRAFFIC,
  type Traffic,
  without,
} from '../sets/traffic.ts';
import { portRanges, rangesOf } from '../sets/trafficText.ts';
import { alreadyReached } from './alreadyReached.ts';
import type { partsIn } from './causes.ts';
import type { CausesOf } from './causesByOmission.ts';
import { isUnresolved } from './unresolvedPlaces.ts';

export interface ComparedAccess {
  readonly before: Reaches;
  readonly after: Reaches;
  readonly namers: { readonly before: MemberSetNamer; readonly after: MemberSetNamer };
  /** Finds the changes of the plan that are involved in the access of some sources to targets; one function for each state. */
  readonly involved: readonly ReturnType<typeof partsIn>[];
  readonly causes: CausesOf;
}

/** A change, with names. */
export function entryOf(change: AccessChange, compared: ComparedAccess): AccessChangeEntry {
  const { kind, protocol, sources, targets, usable, gains, loses } = change;
  const [shownIn, comparedTo] = kind === 'lost' ? INVERSE : FORWARD;
  const namer = compared.namers[shownIn];
  const traffic = trafficOf(change);
  const shown = flowsIn(shownIn, compared, change, traffic);
  const from = namer.party(sources, undefined, itselfAmong(targets, compared[shownIn]));
  const to = namer.destination(targets);
  const other = postureOf(flowsIn(comparedTo, compared, change, traffic));
  const posture = postureOf(shown) ?? keptPosture(change, compared, other);
  const isOther = other !== undefined && !isSame(other, posture);
  const unrouted = unroutedIn(change, compared);
  // Access that needs a routing machine is compared with other access that needs one.
  const reaches = unrouted.no_router ? compared.before.withRouters() : compared.before;
  return {
    change: kind,
    from: from.name,
    to: to.name,
    protocol,
    ...(to.address !== undefined && { address: to.address }),
    ports_before: portsOf(usable?.before, protocol),
    ports_after: portsOf(usable?.after, protocol),
    ...(usable?.isOnlyIfPassed && { only_if_passed: true as const }),
    ...summedIn(change),
    ...ifPassed(change),
    ...unrouted,
    ...(isNotResolved(change, compared) && { not_resolved: true as const }),
    ...alreadyReached(change, { traffic, reaches, namers: compared.namers }),
    ...(kind !== 'gained' && gains && { gains }),
    ...(kind === 'changed' && loses && { loses }),
    machines: from.machines,
    members_to_come: from.members_to_come,
    ...(to.machines.length > 0 && { to_machines: to.machines }),
    ...(to.members_to_come.length > 0 && { to_members_to_come: to.members_to_come }),
    via: distinct(shown.flatMap(({ via }) => via)),
    ...(posture && { posture }),
    ...(isOther && { [comparedTo === 'before' ? 'posture_before' : 'posture_after']: other }),
    ...causesOf(change, compared),
  };
}

// What is gained and what is lost, for an entry that sums up many changes.
function summedIn({
  kind,
  protocol,
  moved,
  gains,
  loses,
}: AccessChange): Pick<AccessChangeEntry, 'summed'> {
  if (moved === undefined || protocol === 'all') return {};
  const gained = kind === 'gained' || gains ? portRanges(moved.gained, protocol) : [];
  const isTaken = kind === 'lost' || (kind === 'changed' && loses);
  return { summed: { gained, lost: isTaken ? portRanges(moved.lost, protocol) : [] } };
}

// For a loss, the ports that the sources would get by passing checks that they fail today.
function ifPassed(change: AccessChange): Pick<AccessChangeEntry, 'ports_if_passed'> {
  const ports_if_passed = portsOf(trafficLater(change), change.protocol);
  return ports_if_passed.length > 0 ? { ports_if_passed } : {};
}

// For a loss, the traffic that the sources get later, because the rules already allow it.
function trafficLater({ kind, before, after, usable }: AccessChange): Traffic {
  if (kind !== 'lost' || !before || !after || !usable) return NO_TRAFFIC;
  return without(after.granted, joinedIntervals([...before.granted, ...usable.after]));
}

// The properties of a change which say that its destinations have no routing machine.
function unroutedIn(
  change: AccessChange,
  compared: ComparedAccess,
): Pick<AccessChangeEntry, 'no_router' | 'no_router_before'> {
  const later = trafficLater(change);
  const own = trafficOf(change);
  if (!isUnrouted(change, later.length > 0 ? later : own, compared)) return {};
  const isBefore = later.length > 0 && isUnrouted(change, own, compared);
  return { no_router: true, ...(isBefore && { no_router_before: true as const }) };
}

/** Whether the sources have none of the traffic in either state, because no machine routes to the destination. */
function isUnrouted(
  change: AccessChange,
  traffic: Traffic,
  { before, after }: ComparedAccess,
): boolean {
  const { sources, targets, usable } = change;
  const [target] = targets;
  const lacking = [before, after].filter(one => one.withRouters() !== one);
  if (target.type === 'machine' || usable === undefined || lacking.length === 0) return false;
  const hasFlows = (reaches: Reaches) =>
    flowsBetween(reaches, { sources, targets: [target], traffic }).length > 0;
  return ![before, after].some(hasFlows) && lacking.some(one => hasFlows(one.withRouters()));
}

/**
 * Whether zones resolve the domains of a change to its destinations, but none of the machines that
 * route to them gets these zones.
 */
function isNotResolved(
  { kind, targets }: AccessChange,
  { before, after }: ComparedAccess,
): boolean {
  const states = [...(kind === 'gained' ? [] : [before]), ...(kind === 'lost' ? [] : [after])];
  return states.every(({ world }) => targets.every(target => isUnresolved(world, target)));
}

type Moment = 'before' | 'after';

/**
 * A change is shown with the state after the plan and compared with the state before it. For a
 * loss, it is the other way round.
 */
const FORWARD: readonly [shown: Moment, compared: Moment] = ['after', 'before'];
const INVERSE: readonly [shown: Moment, compared: Moment] = ['before', 'after'];

// For a gain, its new traffic; for a loss, its removed traffic; otherwise all of the traffic.
function trafficOf({ kind, usable }: AccessChange): Traffic {
  if (usable === undefined) return ALL_TRAFFIC;
  const { before, after, isOnlyIfPassed } = usable;
  // The remaining access of the sources does not depend on checks.
  if (isOnlyIfPassed)
    return joinedIntervals([...without(before, after), ...without(after, before)]);
  if (kind === 'changed') return joinedIntervals([...before, ...after]);
  const [more, less] = kind === 'gained' ? [after, before] : [before, after];
  const moved = without(more, less);
  // If the traffic is the same before and after, only the conditions change.
  return moved.length > 0 ? moved : more;
}

function flowsIn(
  moment: Moment,
  { namers, ...states }: ComparedAccess,
  { sources, targets: [target] }: AccessChange,
  traffic: Traffic,
): readonly AccessFlow[] {
  const reaches = states[moment].withRouters();
  const { world } = states[moment === 'before' ? 'after' : 'before'];
  const isSsh = asksForSsh(traffic) && answersSshOnlyIn(reaches.world, world, target);
  const sent = isSsh ? withSshPorts(traffic) : traffic;
  const flows = flowsBetween(reaches, { sources, targets: [target], traffic: sent });
  return flows.map(flow => namedFlow(reaches, flow, namers[moment], {}));
}

const postureOf = (flows: readonly AccessFlow[]): Posture =>
  flows.find(flow => flow.posture !== undefined)?.posture;

// The posture checks of lost access that the sources fail today, if other access remains behind the
// same checks.
function keptPosture(change: AccessChange, compared: ComparedAccess, before: Posture): Posture {
  if (!change.usable?.isOnlyIfPassed || !change.after) return undefined;
  const { granted, unconditional } = change.after;
  const kept = postureOf(flowsIn('after', compared, change, without(granted, unconditional)));
  return isSame(kept, before) ? kept : undefined;
}

type Posture = AccessFlow['posture'];

const isSame = (one: Posture, other: Posture): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The changes of the plan that cause a change of access. */
export function causesOf(
  change: AccessChange,
  { involved, causes: causesBy }: ComparedAccess,
): Pick<AccessChangeEntry, 'causes' | 'one_of'> {
  const { sources, targets, examples = targets.slice(0, 1) } = change;
  const found = involved.flatMap(partsOf => [...partsOf(sources, examples)]);
  const { addresses, isOneOf } = causesBy(change, [...new Set(found)]);
  const causes = [...addresses].sort();
  return isOneOf ? { causes, one_of: true } : { causes };
}

/** The ports of a protocol in traffic, as changes of access list them. */
export function portsOf(
  traffic: Traffic | undefined,
  protocol: ChangedProtocol,
): readonly string[] {
  if (traffic === undefined || traffic.length === 0) return [];
  if (protocol === 'icmp' || protocol === 'all') return ['*'];
  const ranges = rangesOf(traffic, protocol);
  return ranges.join() === '0-65535' ? ['*'] : ranges;
}

function distinct<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map(item => [JSON.stringify(item), item])).values()];
}
