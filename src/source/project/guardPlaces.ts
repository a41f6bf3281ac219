// Where a project file has its guards, for messages about a guard that a later version of the file no longer has.
import type { AccessThresholds } from '../../model/access/accessGates.ts';
import type { Span } from '../../model/diagnostic.ts';
import { placeName, type Thresholds } from '../../model/guards.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The guards of a project file that have no place of their own. */
interface WrittenGuards {
  readonly protect?: readonly string[];
  readonly allow?: readonly string[];
  readonly thresholds?: Thresholds;
  readonly access_thresholds?: AccessThresholds;
}

/** The places of the guards of a project file, by `placeName`. Names of objects are as `project` has them. */
export function guardPlaces(
  document: SourceNode,
  { protect = [], allow = [], thresholds = {}, access_thresholds: ofAccess = {} }: WrittenGuards,
): ReadonlyMap<string, Span> {
  const entries = (guard: 'protect' | 'allow', names: readonly string[]) =>
    names.map((name, i) => [placeName(guard, name), document.at([guard, String(i)])] as const);
  const limits = (guard: 'thresholds' | 'access_thresholds', named: object) =>
    Object.keys(named).map(
      name => [placeName(guard, name), document.keyAt([guard, name])] as const,
    );
  return new Map([
    ...entries('protect', protect),
    ...entries('allow', allow),
    ...limits('thresholds', thresholds),
    ...limits('access_thresholds', ofAccess),
  ]);
}

/** The places of several project files, from the nearest outwards: the nearest counts. */
export const joinedPlaces = (
  places: readonly ReadonlyMap<string, Span>[],
): ReadonlyMap<string, Span> => new Map(places.toReversed().flatMap(one => [...one]));
