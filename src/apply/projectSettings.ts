// The settings that come from the project file and the files of desired state in every plan: guards
// that no program may omit.
import { acceptedByBoth } from '../base/guards/loosenedSettings.ts';
import { LOOSENS_GUARDS } from '../model/acceptedGuards.ts';
import type { AccessGuards } from '../model/access/accessGates.ts';
import type { Allowance } from '../model/allowance.ts';
import type { Guards, GuardsElsewhere } from '../model/guards.ts';
import type { Plan } from '../model/plan.ts';
import type { Project } from '../source/project/project.ts';

/** Files, the guards that were last applied, and the guards of other folders. */
interface GuardedFiles {
  readonly project: Project;
  readonly guards: Guards;
  readonly applied?: Guards | undefined;
  readonly elsewhere?: GuardsElsewhere | undefined;
}

/**
 * Settings of `planDesired` for desired state: the guards of its project and its access tests, both
 * as they are now and as they were last applied.
 */
export function projectSettings(
  { project, guards: declared, applied, elsewhere }: GuardedFiles,
  {
    allow = [],
    mayGainAccess = true,
    areTestsJudged = true,
  }: {
    allow?: readonly Allowance[];
    mayGainAccess?: boolean;
    areTestsJudged?: boolean;
  } = {},
) {
  const byProject = acceptedByBoth(declared, applied, allow).filter(isOfFiles);
  const guards = accessGuards(declared, mayGainAccess);
  return {
    prune: 'none' as const,
    dialect: project.dialect ?? ('auto' as const),
    account: project.account,
    protect: declared.protect,
    thresholds: declared.thresholds,
    allow: [...allow, ...byProject],
    ...(elsewhere && { protectedElsewhere: elsewhere.protect }),
    ...(applied && { guards: { declared, applied } }),
    access: {
      tests: declared.accessTests,
      areTestsJudged,
      ...(guards && { guards }),
      ...(applied && { applied }),
      ...(elsewhere && { elsewhere }),
      allowances: { byFlag: allow, byProject },
    },
  };
}

// A project file cannot accept the removal of its own guards.
const isOfFiles = ({ code }: Allowance): boolean => code !== LOOSENS_GUARDS;

/**
 * The hazards that a project file accepts when a run is continued. They are the hazards that the
 * plan of the run could accept.
 */
export function allowancesToContinue(declared: Guards, { base, loosened = [] }: Plan): Allowance[] {
  const added = loosened.filter(({ guard }) => guard === 'allow').map(({ name }) => name);
  const recorded = base?.content?.guards;
  const known = recorded ? (recorded.allow ?? []) : declared.allow;
  const applied = { allow: known.filter(text => !added.includes(text)), places: declared.places };
  return acceptedByBoth(declared, applied, []).filter(isOfFiles);
}

/** The guards of the access of a plan; undefined if nothing is guarded. */
function accessGuards(
  { accessThresholds, guarded }: Guards,
  mayGain: boolean,
): AccessGuards | undefined {
  const hasThresholds = Object.keys(accessThresholds).length > 0;
  if (!hasThresholds && guarded.length === 0 && mayGain) return undefined;
  return {
    ...(hasThresholds && { thresholds: accessThresholds }),
    guarded,
    noNewAccess: !mayGain,
  };
}
