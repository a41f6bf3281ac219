// The guards and tests of a run, resolved to the objects that their names mean: those of the files, and those that count besides
// them.

import { type FormerAccess, formerAccess } from '../../access/gates/formerAccess.ts';
import {
  type MeantNames,
  type MeantObjects,
  meantObjects,
} from '../../access/gates/meantObjects.ts';
import type { Comparison } from '../../access/plan/comparison.ts';
import type { AccessGuards } from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { AccessSettings } from './accessSettings.ts';

/** Guards and tests with ids in place of names that mean other objects after the plan. */
export interface MeantGuards {
  /** Those of the files. */
  readonly own: AccessGuards | undefined;
  readonly tests: readonly AccessTest[];
  /** The guards that were last applied and that the files loosen, and those of other folders. */
  readonly former: FormerAccess;
  /** What happened to an object that a selector names and that no longer exists. */
  readonly lost: MeantObjects['lost'];
}

/** The guards and tests of a run, resolved for the states before and after its plan. */
export function meantGuards(
  settings: AccessSettings,
  names: MeantNames,
  { stateBefore, stateAfter, before, after }: Comparison,
): MeantGuards {
  const meant = meantObjects(names, stateBefore, stateAfter);
  const run = { ...settings, byFlag: settings.allowances.byFlag };
  const said = formerAccess(run, { before, after, meant: meant.selector });
  return {
    own: settings.guards && meant.guards(settings.guards),
    tests: meant.tests(settings.tests),
    former: { ...meant.guards(said), tests: meant.tests(said.tests) },
    lost: meant.lost,
  };
}
