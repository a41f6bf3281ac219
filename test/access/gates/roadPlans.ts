// The plan for drawn files on a drawn account, with its gates.
import { expect } from 'vitest';
import { planned } from '../../../src/engine/plan/plan.ts';
import { hasErrors } from '../../../src/model/diagnostic.ts';
import type { Guards } from '../../../src/model/guards.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { AccessSettings } from '../../../src/pipeline/access/accessSettings.ts';
import { withAccess } from '../../../src/pipeline/access/withAccess.ts';
import { live, type Read } from '../../engine/planning.ts';
import { desiredOf, KINDS } from '../../support/files.ts';

/** What a plan is held to. */
export type GateSettings = Pick<AccessSettings, 'tests' | 'guards' | 'applied' | 'allowances'>;

/** What a base without any guard holds. */
export const NO_GUARDS: Guards = {
  protect: [],
  guarded: [],
  thresholds: {},
  accessThresholds: {},
  accessTests: [],
  grants: [],
  allow: [],
  places: new Map(),
};

/** An account as it reads, and files for it. */
export interface DrawnFiles {
  readonly reads: readonly Read[];
  readonly files: string;
}

// A threshold may be allowed by its code alone.
const ALLOWED: GateSettings['allowances'] = {
  byFlag: [{ code: 'WIDENS_ACCESS' }],
  byProject: [],
};

/** The plan, which changes something and has no errors. */
export async function planOf(
  { reads, files }: DrawnFiles,
  { tests = [], guards, applied, allowances = ALLOWED }: Partial<GateSettings>,
): Promise<Plan> {
  const objects = live(reads);
  const desired = desiredOf(files);
  const snapshot = { objects, unavailable: new Map(), requests: 0 };
  const made = planned({
    kinds: KINDS,
    folder: 'test',
    desired,
    base: [],
    snapshot,
    settings: { dialect: 'spec', prune: 'none', allow: [], thresholds: {}, now: 0 },
  });
  expect(made.plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(made.plan.actions).not.toEqual([]);
  const widen = () => Promise.resolve({ ...snapshot, findings: [], dialect: 'spec' as const });
  const plan = await withAccess(
    { ids: [], meant: new Map(), ...made },
    { kinds: KINDS, widen },
    {
      desired,
      tests,
      areTestsJudged: true,
      allowances,
      ...(guards && { guards }),
      ...(applied && { applied }),
    },
  );
  expect(hasErrors(plan.diagnostics), JSON.stringify(plan.diagnostics)).toBe(false);
  return plan;
}
