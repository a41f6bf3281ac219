// The positions of the guards in a project file, for messages about a guard that a later version of the file no longer contains.
import type { AccessThresholds } from '../../model/access/accessGates.ts';
import type { Span } from '../../model/diagnostic.ts';
import type { GrantLimits } from '../../model/grantLimits.ts';
import { placeName, type Thresholds } from '../../model/guards.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The guards of a project file that carry no position themselves. */
interface WrittenGuards {
  readonly protect?: readonly string[];
  readonly allow?: readonly string[];
  readonly thresholds?: Thresholds;
  readonly access_thresholds?: AccessThresholds;
  readonly grants?: readonly GrantLimits[];
}

/** The positions of the guards of a project file, by `placeName`. Names of objects have the same form as in `project`. */
export function guardPlaces(
  document: SourceNode,
  written: WrittenGuards,
): ReadonlyMap<string, Span> {
  const { protect = [], allow = [], thresholds = {}, grants = [] } = written;
  const { access_thresholds: ofAccess = {} } = written;
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
    ...grants.flatMap(({ at: _, ...sides }) =>
      Object.keys(sides).map(
        side => [placeName('grants', `grants.${side}`), document.keyAt(['grants', side])] as const,
      ),
    ),
  ]);
}

/**
 * The positions from several project files, given from the nearest outwards. If several files
 * contain a guard, the position in the nearest file counts.
 */
export const joinedPlaces = (
  places: readonly ReadonlyMap<string, Span>[],
): ReadonlyMap<string, Span> => new Map(places.toReversed().flatMap(one => [...one]));
