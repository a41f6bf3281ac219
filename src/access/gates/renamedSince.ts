// Finds network resources and routes that somebody renamed after a plan was shown. They are still
// the destinations that the plan showed.
import type { PlanAccess } from '../../model/access/planAccess.ts';

/** Returns the name that a destination had when a plan was shown. */
export type ShownName = (destination: string) => string;

/** Returns every name unchanged, for plans without renamed destinations. */
export const asShown: ShownName = destination => destination;

type Ids = PlanAccess['destination_ids'];

/** Finds the former names of destinations by their ids. A destination without a known id keeps its name. */
export function renamedSince(shown: Ids = {}, now: Ids = {}): ShownName {
  const names = Object.keys(shown);
  const isIn = (name: string, ids: readonly string[]): boolean =>
    ids.every(id => shown[name]?.includes(id));
  const renamed = new Map(
    Object.entries(now).flatMap(([name, ids]): [string, string][] => {
      if (isIn(name, ids)) return [];
      const former = names.find(one => isIn(one, ids));
      return former === undefined ? [] : [[name, former]];
    }),
  );
  return destination => renamed.get(destination) ?? destination;
}
