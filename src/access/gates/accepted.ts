// Which hazards of access a person has accepted.
import {
  ACCESS_HAZARDS,
  type AccessHazard,
  type GuardedAccess,
} from '../../model/access/accessGates.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { HazardCode } from '../../model/codes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { selectorOf } from '../ask/selector.ts';
import type { FoundAccessHazard } from './hazards.ts';

/** Allowances of a run, and those that its project file gives every run. */
export interface Allowances {
  readonly byFlag: readonly Allowance[];
  readonly byProject: readonly Allowance[];
}

/** The hazards, with whether each is allowed. A change of guarded access is allowed only by a flag that names its target. */
export function acceptedAccess(
  found: readonly FoundAccessHazard[],
  { byFlag, byProject }: Allowances,
): readonly AccessHazard[] {
  return found.map(hazard => {
    const { code, target } = hazard;
    const given = target === undefined ? [...byFlag, ...byProject] : byFlag;
    return {
      ...hazard,
      allowed: given.some(one => one.code === code && isTarget(one.object, target)),
    };
  });
}

/**
 * The hazards of a saved plan and of the current account. A hazard that was accepted in the plan stays accepted unless the
 * change is larger than the plan showed; hazards of the plan that nobody accepted must still be accepted.
 */
export function hazardsNow(
  saved: readonly AccessHazard[],
  found: readonly AccessHazard[],
): readonly AccessHazard[] {
  const now = found.map(hazard => {
    const approved = saved.some(one => one.allowed && isSame(one, hazard) && covers(one, hazard));
    return approved ? { ...hazard, allowed: true } : hazard;
  });
  const gone = saved.filter(one => !one.allowed && !found.some(other => isSame(one, other)));
  return [...now, ...gone];
}

/** Whether a flag names a target, in any form of the guarded address. */
function isTarget(object: string | undefined, target: string | undefined): boolean {
  if (object === target || object === undefined || target === undefined) return object === target;
  const one = selectorOf(object);
  const other = selectorOf(target);
  if ('fault' in one || 'fault' in other) return false;
  const ports = object.slice(one.text.length) === target.slice(other.text.length);
  return ports && one.type === other.type && one.name === other.name;
}

/** Warnings for flags whose target is not guarded. */
export function unguardedTargets(
  byFlag: readonly Allowance[],
  guarded: readonly GuardedAccess[],
): readonly Diagnostic[] {
  const targets = [...new Set(guarded.map(({ to }) => to))];
  return byFlag.flatMap(({ code, object }): Diagnostic[] => {
    const isGuarded = object === undefined || targets.some(to => isTarget(object, to));
    if (isGuarded || !isAccessHazard(code)) return [];
    const known = targets.length === 0 ? 'no target is guarded' : targets.join(', ');
    return [
      {
        code: 'OBJECT_UNKNOWN',
        severity: 'warning',
        message: `${quoted(object)}, which --allow ${code} names, is not a guarded target`,
        hint: didYouMean(object, targets) ?? `guarded targets: ${known}`,
      },
    ];
  });
}

/** Whether a hazard is one of access, which names a target instead of an object. */
export function isAccessHazard(code: HazardCode): boolean {
  return ACCESS_HAZARDS.some(one => one === code);
}

function isSame(one: FoundAccessHazard, other: FoundAccessHazard): boolean {
  return one.code === other.code && one.target === other.target;
}

function covers({ flows, pairs }: FoundAccessHazard, now: FoundAccessHazard): boolean {
  const known = new Set(flows);
  return now.pairs <= pairs && now.flows.every(flow => known.has(flow));
}
