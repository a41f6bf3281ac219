// The access that a plan grants. It has the same form for every type of change, because it is the
// input for the rules of other tools.
import type { AccessGain } from '../../model/access/planAccess.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { itselfAmong } from '../ask/answerNames.ts';
import type { AccessChange } from '../diff/accessChange.ts';
import { targetRows } from '../diff/targetRows.ts';
import type { Reaches } from '../flows/reaches.ts';
import type { Target } from '../flows/targets.ts';
import { type Bits, bitsOf, intersect, minus, noBits } from '../sets/bits.ts';
import { type Row, sourcesAt } from '../sets/row.ts';
import {
  ALL_TRAFFIC,
  cutsOf,
  type Interval,
  joinedIntervals,
  NO_TRAFFIC,
  ofProtocol,
  overlap,
  PROTOCOLS,
  SPAN,
  type Traffic,
  without,
} from '../sets/traffic.ts';
import { portRanges } from '../sets/trafficText.ts';
import { type ComparedAccess, causesOf } from './changeEntry.ts';

type States = Pick<ComparedAccess, 'before' | 'after'>;

/** Gained traffic, by the condition for it. */
export interface GainedTraffic {
  /** Traffic that is allowed whatever the results of posture checks, and was not allowed before. */
  readonly always: Traffic;
  /** Traffic that more sources than before may send if they pass posture checks. */
  readonly withPosture: Traffic;
}

/** The access that a change grants; empty if it only removes access. */
export function gainsOf(change: AccessChange, compared: ComparedAccess): readonly AccessGain[] {
  const { always, withPosture } = gainedTraffic(change, compared);
  const conditions = [
    ['none', always],
    ['posture', withPosture],
  ] as const;
  const gained = conditions.flatMap(([condition, traffic]) =>
    PROTOCOLS.map(protocol => ({ condition, protocol, own: ofProtocol(traffic, protocol) })),
  );
  const found = gained.filter(({ own }) => own.length > 0);
  if (found.length === 0) return [];
  const { namers, after } = compared;
  const from = namers.after.party(change.sources, undefined, itselfAmong(change.targets, after));
  const to = namers.after.destination(change.targets);
  const groups = groupsWith(change.targets, after);
  const causes = causesOf(change, compared);
  return found.map(({ condition, protocol, own }) => ({
    from: from.name,
    to: to.name,
    ...(to.address !== undefined && { address: to.address }),
    to_groups: groups,
    protocol,
    ports: portRanges(own, protocol),
    condition,
    ...causes,
  }));
}

/**
 * The traffic that a change grants. The result may contain too much, but never too little. For an
 * entry that sums up many changes, it contains all traffic that any of the sources gains.
 */
export function gainedTraffic(change: AccessChange, states: States): GainedTraffic {
  const { kind, before, after, protocol, moved } = change;
  if (before === undefined || after === undefined) {
    if (kind === 'lost' && !change.gains) return { always: NO_TRAFFIC, withPosture: NO_TRAFFIC };
    const all = protocol === 'all' ? ALL_TRAFFIC : [SPAN[protocol]];
    const given = moved && joinedIntervals([...moved.gained, ...moved.eased]);
    return { always: given ?? all, withPosture: NO_TRAFFIC };
  }
  const allowed = without(after.unconditional, before.unconditional);
  const conditional = without(after.granted, after.unconditional);
  const granted = without(after.granted, before.granted);
  const mayBegin = mayBeginToRoute(change, states);
  const passed =
    mayBegin || overlap(before.granted, conditional) ? passedBy(change, states) : NO_TRAFFIC;
  const routed = mayBegin ? without(passed, conditional) : NO_TRAFFIC;
  const always = joinedIntervals([...allowed, ...routed]);
  const withPosture = without(joinedIntervals([...granted, ...passed]), after.unconditional);
  return { always, withPosture };
}

// Traffic that the rules already allowed is new to the sources if a machine begins to route it.
const mayBeginToRoute = ({ targets: [target] }: AccessChange, { before }: States): boolean =>
  target.type !== 'machine' && before.withRouters() !== before;

// Traffic that is newly allowed because more machines pass the posture checks of the same rules.
function passedBy(
  { sources, targets, protocol }: AccessChange,
  { before, after }: States,
): Traffic {
  const found = targets.flatMap(target => {
    const { was, is } = targetRows(before, after, target);
    return (['certain', 'possible', 'opened'] as const).flatMap(reading =>
      gainedBetween(was(reading), is(reading), sources),
    );
  });
  return protocol === 'all' ? joinedIntervals(found) : ofProtocol(joinedIntervals(found), protocol);
}

// The traffic that more of these sources may send than before.
function gainedBetween(was: Row, is: Row, sources: Bits): readonly Interval[] {
  const cuts = cutsOf([...was, ...is].map(segment => [segment]));
  return cuts.flatMap((from, at) => {
    const next = cuts[at + 1];
    const here = sourcesAt(is, from);
    if (next === undefined || here === undefined) return [];
    const more = minus(here, sourcesAt(was, from) ?? noBits());
    return intersect(more, sources) ? [{ from, to: next - 1 }] : [];
  });
}

// The groups that contain at least one of the targets.
function groupsWith(targets: readonly Target[], { world }: Reaches): readonly string[] {
  const machines = bitsOf(targets.flatMap(one => (one.type === 'machine' ? one.index : [])));
  const names = new Set(
    world.state.groups.flatMap(({ key }) =>
      intersect(world.inGroups([key]), machines) ? key : [],
    ),
  );
  for (const target of targets) {
    if (target.type === 'machine') continue;
    for (const { resource } of target.resources)
      for (const name of resource.groups) names.add(name);
    for (const { accessControl } of target.routes)
      for (const name of accessControl) names.add(name);
  }
  return [...names].sort(compareTexts);
}

/** Compares gains by their strings, so that their order depends on nothing else. */
export function byGain(one: AccessGain, other: AccessGain): number {
  const text = ({ from, to, address = '', protocol, condition, ports }: AccessGain) =>
    [from, to, address, protocol, condition, JSON.stringify(ports)].join('\n');
  return compareTexts(text(one), text(other));
}
