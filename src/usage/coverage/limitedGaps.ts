// The times in which the log was limited to groups that a machine was not in.
import type { AccessState } from '../../access/state/accessState.ts';
import type { Gap, Observed } from '../observed.ts';
import type { Reason } from './gapReasons.ts';

/** Returns when one of some machines, by id, may not have reported because the log was limited to groups. */
export function limitedGaps({
  window,
  states,
  gaps,
}: Pick<Observed, 'window' | 'states' | 'gaps'>): (
  machines: readonly string[],
) => readonly Reason[] {
  const limits = gaps
    .filter(
      ({ from, to, outside }) => outside !== undefined && from < window.to && to > window.from,
    )
    .map(gap => ({ gap, inside: insideIn(gap, states) }));
  return machines =>
    limits.flatMap(({ gap, inside }) =>
      machines.every(id => inside.has(id)) ? [] : [{ type: 'gap' as const, gap }],
    );
}

/** The machines that were in one of the groups of a gap throughout the gap, by id. */
function insideIn(
  { from, to, outside = [] }: Gap,
  states: Observed['states'],
): ReadonlySet<string> {
  const held = states.filter((one, at) => {
    const next = states[at + 1];
    return one.from <= to && (next === undefined || next.from > from);
  });
  const [first, ...others] = held.map(({ state }) => membersOf(outside, state));
  return others.reduce((inside, members) => inside.intersection(members), first ?? new Set());
}

function membersOf(ids: readonly string[], { groups, machines }: AccessState): Set<string> {
  const wanted = new Set(ids);
  const keys = new Set(
    groups.flatMap(group => (wanted.has(group.id ?? group.key) ? group.machines : [])),
  );
  return new Set(machines.flatMap(({ key, id }) => (keys.has(key) ? (id ?? key) : [])));
}
