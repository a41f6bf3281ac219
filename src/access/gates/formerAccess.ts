// The guards of access in addition to those in the files: guards of the last apply that the files
// remove or loosen, and guards of other folders of the account.
import { isTakenAway, marked } from '../../model/acceptedGuards.ts';
import type {
  AccessGuards,
  AccessThresholds,
  GuardedAccess,
} from '../../model/access/accessGates.ts';
import type { AccessTest } from '../../model/access/accessTest.ts';
import type { Allowance } from '../../model/allowance.ts';
import {
  type Guards,
  type GuardsElsewhere,
  type LoosenedGuard,
  placeName,
} from '../../model/guards.ts';
import { strictestOfAccess } from '../../model/limits.ts';
import { checkedSelector } from '../ask/selector.ts';
import { linesText, removedLines } from './formerTests.ts';
import type { States } from './movedAccess.ts';
import { standsFor } from './sameObject.ts';

/** The guards of the files, of the last apply, and of other folders. */
export interface GuardedRun {
  readonly tests: readonly AccessTest[];
  readonly guards?: AccessGuards | undefined;
  readonly applied?: Guards | undefined;
  readonly elsewhere?: GuardsElsewhere | undefined;
  readonly byFlag: readonly Allowance[];
}

/** The additional guards, and findings about them. */
export interface FormerAccess {
  readonly loosened: readonly LoosenedGuard[];
  readonly tests: readonly AccessTest[];
  readonly guarded: readonly GuardedAccess[];
  readonly thresholds: AccessThresholds;
}

const NOTHING: FormerAccess = { loosened: [], tests: [], guarded: [], thresholds: {} };

/** The additional guards. `states` (before and after the plan) identify renamed objects. */
export function formerAccess(run: GuardedRun, states: States | undefined): FormerAccess {
  const { elsewhere } = run;
  const former = loosenedAccess(run, states);
  if (elsewhere === undefined) return former;
  const { guarded, tests, thresholds } = former;
  return {
    ...former,
    guarded: [...guarded, ...elsewhere.guarded],
    tests: [...tests, ...elsewhere.accessTests],
    thresholds: strictestOfAccess(thresholds, elsewhere.accessThresholds) ?? {},
  };
}

function loosenedAccess(
  { tests: declared, guards, applied, byFlag }: GuardedRun,
  states: States | undefined,
): FormerAccess {
  if (applied === undefined) return NOTHING;
  const guarded = removedEntries(applied.guarded, guards?.guarded ?? [], states);
  const tests = removedLines(applied.accessTests, declared, states);
  const limits = loosenedLimits(applied, guards?.thresholds ?? {});
  const names = new Set(declared.map(({ name }) => name));
  const loosened = [
    ...guarded.map(loosenedEntry),
    ...limits,
    ...tests.map(test => loosenedTest(test, { names, applied })),
  ];
  const isLeft = (name: string) => !isTakenAway(name, byFlag);
  const { gained, lost } = applied.accessThresholds;
  return {
    loosened: loosened.map(one => marked(one, byFlag)),
    guarded: guarded.filter(({ to }) => isLeft(to)),
    tests: tests.filter(({ name }) => isLeft(name)),
    thresholds: {
      ...(gained !== undefined && isLeft(limitName('gained')) && { gained }),
      ...(lost !== undefined && isLeft(limitName('lost')) && { lost }),
    },
  };
}

/** The guards of a run: those in the files, and the additional guards. */
export function withFormer(
  guards: AccessGuards | undefined,
  { guarded, thresholds: former }: FormerAccess,
): AccessGuards | undefined {
  const isSome = guarded.length > 0 || Object.keys(former).length > 0;
  if (!isSome) return guards;
  const thresholds = strictestOfAccess(guards?.thresholds, former) ?? {};
  return {
    ...(Object.keys(thresholds).length > 0 && { thresholds }),
    guarded: [...(guards?.guarded ?? []), ...guarded],
    noNewAccess: guards?.noNewAccess ?? false,
  };
}

function removedEntries(
  applied: readonly GuardedAccess[],
  declared: readonly GuardedAccess[],
  states: States | undefined,
): readonly GuardedAccess[] {
  const stands = (is: string | undefined, was: string | undefined) =>
    is === undefined || was === undefined
      ? is === was
      : is === was || standsFor(checkedSelector(is), checkedSelector(was), states);
  const left = applied.filter(
    was => !declared.some(is => stands(is.from, was.from) && stands(is.to, was.to)),
  );
  const byName = new Map(left.map(entry => [JSON.stringify([entry.from, entry.to]), entry]));
  return [...byName.values()].map(entry => ({ ...entry, former: true }));
}

function loosenedEntry({ from, to, at }: GuardedAccess): LoosenedGuard {
  const change = from === undefined ? 'is removed' : `is removed for ${from}`;
  return { guard: 'guarded', name: to, change, ...(at && { at }) };
}

const limitName = (side: keyof AccessThresholds): string => `access_thresholds.${side}`;

function loosenedLimits(
  { accessThresholds, places }: Guards,
  declared: AccessThresholds,
): readonly LoosenedGuard[] {
  return (['gained', 'lost'] as const).flatMap((side): LoosenedGuard[] => {
    const was = accessThresholds[side];
    const is = declared[side];
    if (was === undefined || (is !== undefined && is <= was)) return [];
    const at = places.get(placeName('access_thresholds', side));
    const change = is === undefined ? `was ${was}, is removed` : `was ${was}, is ${is}`;
    return [{ guard: 'access_thresholds', name: limitName(side), change, ...(at && { at }) }];
  });
}

function loosenedTest(
  test: AccessTest,
  { names, applied }: { readonly names: ReadonlySet<string>; readonly applied: Guards },
): LoosenedGuard {
  const { name } = test;
  const at = applied.places.get(placeName('access_tests', name));
  const change = names.has(name) ? `no longer has ${linesText(test)}` : 'is removed';
  return { guard: 'access_tests', name, change, ...(at && { at }) };
}
