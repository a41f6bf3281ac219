// The access that may have been used by machines whose traffic was deleted from the store.
import type { AdmittingObjects } from '../../access/admitted/admittingObjects.ts';
import { groupsOfRule, type PlacedRule } from '../../access/admitted/existence.ts';
import type { AccessState, Route, Side } from '../../access/state/accessState.ts';
import { namesOf } from '../../access/world/roster.ts';
import type { Forgotten, Observed } from '../observed.ts';
import { isMarkOf } from '../store/forgotten.ts';
import type { Reason } from './gapReasons.ts';

/** Answers whether traffic of a rule or a route may have been deleted. */
export interface Deleted {
  readonly ofRule: (rule: PlacedRule, admitting: AdmittingObjects | undefined) => readonly Reason[];
  readonly ofRoute: (route: Route, admitting: AdmittingObjects | undefined) => readonly Reason[];
}

/** The traffic that was deleted from a window. */
export function deletedFrom({ window, forgotten = [] }: Observed, current: AccessState): Deleted {
  const marks = forgotten.filter(({ until }) => until > window.from);
  const idOf = new Map(
    current.groups.flatMap(group => namesOf(group).map(name => [name, group.id ?? group.key])),
  );
  const reasons = (
    groups: readonly string[],
    sides: readonly Side[],
    admitting: AdmittingObjects | undefined,
  ): readonly Reason[] => {
    const ids = new Set(groups.map(name => idOf.get(name) ?? name));
    const named = sides.flatMap(side =>
      side.type === 'machine'
        ? (current.machines.find(one => namesOf(one).includes(side.machine))?.id ?? [])
        : [],
    );
    const machines = [...named, ...(admitting?.machines.flatMap(({ id }) => id ?? []) ?? [])];
    const touches = (mark: Forgotten) =>
      mark.groups.some(group => ids.has(group)) || machines.some(id => isMarkOf(mark, id));
    const last = marks.filter(touches).toSorted((one, other) => other.until - one.until)[0];
    return last ? [{ type: 'forgotten', until: last.until }] : [];
  };
  return {
    ofRule: (placed, admitting) =>
      marks.length === 0
        ? []
        : reasons(groupsOfRule(placed), [placed.rule.source, placed.rule.destination], admitting),
    ofRoute: ({ distribution, accessControl, servers }, admitting) =>
      marks.length === 0
        ? []
        : reasons([...distribution, ...accessControl, ...servers.groups], [], admitting),
  };
}
