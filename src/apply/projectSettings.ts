// The settings that the project file and the files decide for every plan: guards that no program may forget.

import type { AccessGuards } from '../model/access/accessGates.ts';
import type { AccessTest } from '../model/access/accessTest.ts';
import type { Allowance } from '../model/allowance.ts';
import { allowance } from '../model/allowance.ts';
import { present } from '../model/errors.ts';
import type { Project } from '../source/project/project.ts';

/** Settings of `planDesired` for desired state: the guards of its project, and its access tests. */
export function projectSettings(
  { project, accessTests }: { project: Project; accessTests: readonly AccessTest[] },
  {
    allow = [],
    mayGainAccess = true,
  }: { allow?: readonly Allowance[]; mayGainAccess?: boolean } = {},
) {
  const byProject = projectAllowances(project);
  const guards = accessGuards(project, mayGainAccess);
  return {
    prune: 'none' as const,
    dialect: project.dialect ?? ('auto' as const),
    account: project.account,
    protect: project.protect ?? [],
    thresholds: project.thresholds ?? {},
    allow: [...allow, ...byProject],
    access: {
      tests: accessTests,
      areTestsJudged: true,
      ...(guards && { guards }),
      allowances: { byFlag: allow, byProject },
    },
  };
}

/** The hazards that a project file accepts. The schema of the project file has checked their form. */
export function projectAllowances({ allow = [] }: Project): Allowance[] {
  return allow.map(text => present(allowance(text), `the hazard ${text}`));
}

/** The guards of the access of a plan; undefined if nothing is guarded. */
export function accessGuards(
  { access_thresholds: thresholds, guarded = [] }: Project,
  mayGain: boolean,
): AccessGuards | undefined {
  if (thresholds === undefined && guarded.length === 0 && mayGain) return undefined;
  return { ...(thresholds && { thresholds }), guarded, noNewAccess: !mayGain };
}
