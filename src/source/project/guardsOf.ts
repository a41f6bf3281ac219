// The guards of a folder: those of its project files, and its access tests.
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Span } from '../../model/diagnostic.ts';
import { type Guards, placeName } from '../../model/guards.ts';
import type { Project } from './project.ts';

/** The guards of a project and of the access tests in its files. */
export function guardsOf(
  project: Project,
  accessTests: readonly AccessTest[],
  places: ReadonlyMap<string, Span> = new Map(),
): Guards {
  const { protect = [], guarded = [], thresholds = {}, grants = [], allow = [] } = project;
  const ofTests = accessTests.map(({ name, at }) => [placeName('access_tests', name), at] as const);
  return {
    protect,
    guarded,
    thresholds,
    accessThresholds: project.access_thresholds ?? {},
    accessTests,
    grants,
    allow,
    places: new Map([...places, ...ofTests]),
  };
}
