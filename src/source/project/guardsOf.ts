// The guards of a folder: those of its project files, and its access tests.
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Span } from '../../model/diagnostic.ts';
import { type Guards, placeName } from '../../model/guards.ts';
import type { Project } from './project.ts';

/** The guards of a project and of the access tests in its files. */
export function guardsOf(
  { protect = [], guarded = [], thresholds = {}, access_thresholds: ofAccess, allow = [] }: Project,
  accessTests: readonly AccessTest[],
  places: ReadonlyMap<string, Span> = new Map(),
): Guards {
  const ofTests = accessTests.map(({ name, at }) => [placeName('access_tests', name), at] as const);
  return {
    protect,
    guarded,
    thresholds,
    accessThresholds: ofAccess ?? {},
    accessTests,
    allow,
    places: new Map([...places, ...ofTests]),
  };
}
