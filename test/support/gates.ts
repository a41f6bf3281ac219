// What the access of a scenario's plan is held against, from its options and its files.

import type {
  AccessGates,
  AccessThresholds,
  GuardedAccess,
} from '../../src/model/access/accessGates.ts';
import type { AccessTest } from '../../src/model/access/accessTest.ts';
import type { Allowance } from '../../src/model/allowance.ts';
import type { AccessSettings } from '../../src/pipeline/access/accessSettings.ts';

/** `gates` in `options.json`; without it a plan says nothing of access. */
export interface GateOptions {
  readonly noTests?: boolean;
  readonly noNewAccess?: boolean;
  readonly thresholds?: AccessThresholds;
  readonly guarded?: readonly GuardedAccess[];
}

/** The settings that the options stand for. */
export function gatesFor(
  { noTests, noNewAccess = false, thresholds, guarded = [] }: GateOptions,
  tests: readonly AccessTest[],
  byFlag: readonly Allowance[],
): Omit<AccessSettings, 'desired'> {
  const isGuarded = thresholds !== undefined || guarded.length > 0 || noNewAccess;
  return {
    tests,
    areTestsJudged: noTests !== true,
    allowances: { byFlag, byProject: [] },
    ...(isGuarded && { guards: { ...(thresholds && { thresholds }), guarded, noNewAccess } }),
  };
}

/** Whether an apply of a plan with these gates is refused. */
export function isRefused(gates: AccessGates | undefined): boolean {
  return gates?.findings.some(one => one.allowed_by === undefined) === true;
}
