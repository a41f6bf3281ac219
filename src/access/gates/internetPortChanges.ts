// Ports that a plan opens or closes to the internet.
import type { FindingMembers } from '../../model/access/accessGates.ts';
import { memberSetNamer } from '../ask/memberSetNames.ts';
import { READINGS, targetRows } from '../diff/targetRows.ts';
import type { Target } from '../flows/targets.ts';
import { and, indexesIn, intersect, isEmpty } from '../sets/bits.ts';
import { trafficFrom } from '../sets/row.ts';
import { ALL_TRAFFIC, joinedIntervals, without } from '../sets/traffic.ts';
import { trafficWords } from '../sets/trafficText.ts';
import { type StatesWhenReady, targetKey } from './evaluation.ts';
import { membersOnBothSides, sidesOf } from './movedAccess.ts';
import { movedAt } from './movedSources.ts';

/** Ports of a machine that the internet gains or loses. */
interface MovedPorts extends FindingMembers {
  readonly who: string;
  readonly where: string;
  readonly detail: string;
  readonly causes: readonly string[];
}

/** The ports that the internet gains or loses, by machine. */
export function internetPortChanges(
  { states, causesOf }: StatesWhenReady,
  what: 'gained' | 'lost',
): readonly MovedPorts[] {
  const { before, after } = states;
  const { world } = what === 'gained' ? after : before;
  if (isEmpty(world.internet)) return [];
  const namer = memberSetNamer(world);
  const concerned = states
    .changes()
    .changes.filter(({ sources }) => intersect(sources, world.internet));
  const targets = new Map<string | number, Target>(
    concerned.flatMap(one => one.targets.map(target => [targetKey(target), target] as const)),
  );
  return [...targets.values()].flatMap((target): MovedPorts[] => {
    const rows = targetRows(before, after, target);
    const sources = and(movedAt(rows, what, ALL_TRAFFIC), world.internet);
    if (isEmpty(sources)) return [];
    const moved = [...indexesIn(sources)].flatMap(outsider =>
      READINGS.flatMap(reading => {
        const was = trafficFrom(rows.was(reading), outsider);
        const is = trafficFrom(rows.is(reading), outsider);
        return what === 'gained' ? without(is, was) : without(was, is);
      }),
    );
    const ports = joinedIntervals(moved.toSorted((one, other) => one.from - other.from));
    return [
      {
        ...sidesOf(namer, sources, [target]),
        detail: trafficWords(ports).join(' '),
        ...membersOnBothSides(world, [{ sources, targets: [target] }]),
        causes: causesOf({ sources, targets: [target] }, what),
      },
    ];
  });
}
