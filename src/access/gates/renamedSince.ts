// The network resources and routes that somebody renamed since a plan was shown: they are the destinations that it showed.
import type { PlanAccess } from '../../model/access/planAccess.ts';

/** The name that a destination had when a plan was shown. */
export type ShownName = (destination: string) => string;

/** The names of destinations as the plan showed them. */
export const asShown: ShownName = destination => destination;

type Ids = PlanAccess['destination_ids'];

/** Finds the former names of destinations by their ids; a destination without a known id keeps its name. */
export function renamedSince(shown: Ids, now: Ids): ShownName {
  const textOf = (ids: readonly string[]): string => JSON.stringify(ids);
  const formerly = new Map(Object.entries(shown ?? {}).map(([name, ids]) => [textOf(ids), name]));
  return destination => {
    const ids = now?.[destination];
    return (ids && formerly.get(textOf(ids))) ?? destination;
  };
}
