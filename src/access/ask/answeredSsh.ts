// SSH on its second port: a machine with SSH enabled answers on port 22022 as on port 22, so whoever reaches the one logs in as by
// the other.
import type { Target } from '../flows/targets.ts';
import { joinedIntervals, overlap, portsOf, type Traffic } from '../sets/traffic.ts';
import type { World } from '../world/world.ts';
import { overlayOf, targetsAround } from './destinations.ts';

const PORT: Traffic = portsOf('tcp', [{ from: 22, to: 22 }]);
const SECOND: Traffic = portsOf('tcp', [{ from: 22022, to: 22022 }]);

/** The ports on which a machine with SSH enabled answers. */
export const SSH: Traffic = joinedIntervals([...PORT, ...SECOND]);

/** Whether traffic of a statement about port 22 leaves out the second port. */
const asksForSsh = (traffic: Traffic): boolean =>
  overlap(traffic, PORT) && !overlap(traffic, SECOND);

/** Returns whether traffic to the second port of a target of a world is SSH too: at a machine, or at an address of a machine. */
export function answeringSsh(
  world: World,
  targets: readonly Target[],
  traffic: Traffic,
): (target: Target) => boolean {
  if (!asksForSsh(traffic)) return () => false;
  const machines = targets.filter(
    target => target.type === 'machine' && world.machineAt(target.index)?.answersSsh === true,
  );
  if (machines.length === 0) return () => false;
  const indexes = new Set(machines.map(one => (one.type === 'machine' ? one.index : -1)));
  const around = new Set(targetsAround(world, overlayOf(world, machines)).map(({ id }) => id));
  return target => (target.type === 'machine' ? indexes.has(target.index) : around.has(target.id));
}

/** Traffic that includes port 22, with the second port. */
export const withSecondPort = (traffic: Traffic): Traffic =>
  joinedIntervals([...traffic, ...SECOND]);
