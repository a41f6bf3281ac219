// The second port of SSH. A machine with SSH enabled answers SSH on port 22022 as well as on port
// 22, so whoever reaches either port can log in. With every rule for tcp/22, the server may also
// open port 22022 of such a machine.
import type { Target } from '../flows/targets.ts';
import { type Row, sourcesAt } from '../sets/row.ts';
import { either } from '../sets/rowSets.ts';
import { joinedIntervals, overlap, portsOf, type Traffic } from '../sets/traffic.ts';
import type { World } from '../world/world.ts';
import { overlayOf, targetsAround } from './destinations.ts';

const PORT_POINT = 22;
const SECOND_POINT = 22022;
const PORT: Traffic = portsOf('tcp', [{ from: PORT_POINT, to: PORT_POINT }]);
const SECOND: Traffic = portsOf('tcp', [{ from: SECOND_POINT, to: SECOND_POINT }]);

/** The ports on which a machine with SSH enabled answers. */
export const SSH: Traffic = joinedIntervals([...PORT, ...SECOND]);

/** Whether traffic contains port 22 but not the second port. */
export const asksForSsh = (traffic: Traffic): boolean =>
  overlap(traffic, PORT) && !overlap(traffic, SECOND);

/**
 * Returns whether a target also answers traffic to the other SSH port, if `traffic` contains only one of the two ports. Such a
 * target is a machine with SSH enabled, or an address of such a machine.
 */
export function answeringSsh(
  world: World,
  targets: readonly Target[],
  traffic: Traffic,
): (target: Target) => boolean {
  if (overlap(traffic, PORT) === overlap(traffic, SECOND)) return () => false;
  const machines = targets.filter(
    target => target.type === 'machine' && world.machineAt(target.index)?.answersSsh === true,
  );
  if (machines.length === 0) return () => false;
  const indexes = new Set(machines.map(one => (one.type === 'machine' ? one.index : -1)));
  const around = new Set(targetsAround(world, overlayOf(world, machines)).map(({ id }) => id));
  return target => (target.type === 'machine' ? indexes.has(target.index) : around.has(target.id));
}

/** Traffic with both ports of SSH. */
export const withSshPorts = (traffic: Traffic): Traffic => joinedIntervals([...traffic, ...SSH]);

/** The targets at which only one of two states answers SSH. Cached by both states. */
const switched = new WeakMap<World, WeakMap<World, ReadonlySet<number | string>>>();

/**
 * Whether a target answers SSH in one state but not in the other. Either the machine has SSH
 * enabled in only one of them, or the target has the address of such a machine. A machine that
 * exists in only one state does not count.
 */
export function answersSshOnlyIn(world: World, other: World, target: Target): boolean {
  const known = switched.get(world) ?? new WeakMap<World, ReadonlySet<number | string>>();
  const found = known.get(other) ?? targetsWithSshOnlyIn(world, other);
  switched.set(world, known.set(other, found));
  return found.has(target.type === 'machine' ? target.index : target.id);
}

function targetsWithSshOnlyIn(world: World, other: World): ReadonlySet<number | string> {
  const indexes = world.state.machines.flatMap(({ answersSsh, key }): number[] => {
    const index = answersSsh ? world.positions.machine.get(key) : undefined;
    const there = index === undefined ? undefined : other.machineAt(index);
    return index === undefined || there === undefined || there.answersSsh ? [] : [index];
  });
  if (indexes.length === 0) return new Set();
  const machines = indexes.map((index): Target => ({ type: 'machine', index }));
  const around = targetsAround(world, overlayOf(world, machines));
  return new Set([...indexes, ...around.map(({ id }) => id)]);
}

/**
 * The rows after the access through the second port was added. They are cached so that equal rows
 * stay the same object.
 */
const answered = new WeakMap<Row, Row>();

/** The row of a target that answers SSH. Whoever may send to the second port also reaches port 22 through it. */
export function withAnsweredSsh(row: Row): Row {
  const sources = sourcesAt(row, SECOND_POINT);
  if (sources === undefined) return row;
  const found = answered.get(row) ?? either(row, [{ from: PORT_POINT, to: PORT_POINT, sources }]);
  answered.set(row, found);
  return found;
}
