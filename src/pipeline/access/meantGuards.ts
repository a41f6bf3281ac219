// Finds the objects that the names in guards and tests denote: in the guards and tests of the
// files, of the last apply, and of other folders.

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

/** Guards and tests. A name that denotes another object after the plan is replaced by an id. */
export interface MeantGuards {
  /** The guards of the files. */
  readonly own: AccessGuards | undefined;
  readonly tests: readonly AccessTest[];
  /** The guards of the last apply that the files loosen, and the guards of other folders. */
  readonly former: FormerAccess;
  /** Describes what happened to the missing object that a selector names. */
  readonly lost: MeantObjects['lost'];
}

/**
 * The guards and tests of a run, with their names resolved in the states before and after its plan.
 */
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
