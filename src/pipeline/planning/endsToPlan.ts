// Objects and members that have ended and are still in the account, the declarations of a plan that
// only removes them, and the end times that a plan changes.

import type { RemovedEnds } from '../../engine/endings/removedEnds.ts';
import { planned } from '../../engine/plan/plan.ts';
import type { FoundEndings } from '../../engine/plan/planEndings.ts';
import { bases, type PlanInput } from '../../engine/scope/planInput.ts';
import type { IdOf } from '../../model/comparedAccount.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { Ending } from '../../model/ending.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import type { FormerEnd, Plan } from '../../model/plan.ts';
import type { PlanRequest } from './planRequest.ts';

/**
 * The objects and members that have ended and are still in the account. If the files and the base have no end times, the clock is
 * not read.
 */
export async function endingsIn(
  input: PlanInput,
  endings: readonly Ending[] | undefined,
  {
    now,
    skew,
    access,
    expiring,
    onlyEnds = false,
    heldEnds,
  }: Pick<PlanRequest, 'now' | 'access' | 'expiring' | 'onlyEnds' | 'heldEnds'> & {
    /** How far the server's clock is ahead, in milliseconds. */
    readonly skew: number | undefined;
  },
): Promise<FoundEndings | undefined> {
  if (now === undefined) return undefined;
  const isOnlyReported = access === undefined;
  const removed = isOnlyReported || onlyEnds ? await removedEndsIn(input, now) : undefined;
  if (endings === undefined && removed === undefined) return undefined;
  const { findEndings } = await import('../../engine/plan/planEndings.ts');
  const desired = withRemoved(input.desired, removed?.desired ?? []);
  const made = [...(input.made ?? []), ...(input.withEnds ?? [])];
  return findEndings(removed ? { ...input, desired, made } : input, {
    endings: [...(endings ?? []), ...(removed?.endings ?? [])],
    now,
    skew,
    isOnlyReported,
    expiring,
    isEndsOnly: onlyEnds,
    held: heldEnds,
  });
}

// The declarations of the files, and the ended declarations of the base. If an object is in both,
// the declaration of the base counts.
function withRemoved(files: readonly Desired[], removed: readonly Desired[]): readonly Desired[] {
  const instead = new Set(removed.map(({ kind, key }) => addressOf(kind, key)));
  return [...files.filter(({ kind, key }) => !instead.has(addressOf(kind, key))), ...removed];
}

// What has ended according to a base or a journal but is no longer in the files. Few bases have end
// times.
async function removedEndsIn(input: PlanInput, now: number): Promise<RemovedEnds | undefined> {
  const isInBase = bases(input).some(({ lifecycle, ends }) => lifecycle.until ?? ends);
  if (!isInBase && !input.withEnds?.length) return undefined;
  const [{ removedEnds }, { endedByJournals }] = await Promise.all([
    import('../../engine/endings/removedEnds.ts'),
    import('../../engine/endings/endsOfJournals.ts'),
  ]);
  const inBase = removedEnds(input, now);
  const inJournals = endedByJournals(input, now);
  const desired = [...inBase.desired, ...inJournals.map(one => one.desired)];
  const endings = [...inBase.endings, ...inJournals.flatMap(one => one.endings)];
  return desired.length > 0 ? { desired, endings } : undefined;
}

/** A plan that only removes what has ended, compared with the plan of all files. */
interface EndsOnly {
  /** The plan. It reports undeclared objects and members as the plan of all files does. */
  readonly plan: Plan;
  /** The errors that the plan of all files has for ended objects, and its findings about objects that applies left. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Adds the findings of the plan of all files to a plan that only removes what has ended. */
export async function endsWithFiles(ends: Plan, files: PlanInput): Promise<EndsOnly> {
  const { asFilesDeclare } = await import('../../engine/endings/asFilesDeclare.ts');
  const ofFiles = planned(files).plan;
  const left = ofFiles.diagnostics.filter(({ code }) => code === 'LEFT_BY_RUN');
  return {
    plan: asFilesDeclare(ends, ofFiles),
    diagnostics: [...refusedEnds(ofFiles, files.desired), ...left],
  };
}

// The errors about ended objects that an apply of all files would also report. If that apply would
// refuse to remove an object, the object stays, because it is protected since the last apply or
// belongs to another folder. A grant is removed even if somebody edited it.
function refusedEnds({ diagnostics }: Plan, desired: readonly Desired[]): readonly Diagnostic[] {
  const ended = new Set(desired.flatMap(one => (one.ended ? placeOf(one.at) : [])));
  return diagnostics.filter(
    ({ code, severity, at }) =>
      severity === 'error' &&
      code !== 'GRANT_REFUSED' &&
      at !== undefined &&
      ended.has(placeOf(at)),
  );
}

const placeOf = ({ file, line, column }: Span): string => `${file}:${line}:${column}`;

/**
 * The end times in bases or journals that the plan moves, and those that it gives to members. Most plans have none.
 */
export async function formerEndsIn(
  input: PlanInput,
  plan: Plan,
  idOf: IdOf,
): Promise<readonly FormerEnd[]> {
  const bases = [...input.base, ...(input.recorded?.objects ?? [])];
  const isInBase = bases.some(({ lifecycle, ends }) => lifecycle.until !== undefined || ends);
  const isGiven = input.desired.some(({ ends }) => ends !== undefined);
  if (!isInBase && !isGiven && !input.withEnds?.length) return [];
  const [{ firstEnds, givenEnds }, { formerEnds }] = await Promise.all([
    import('../../engine/endings/givenEnds.ts'),
    import('../../engine/endings/formerEnds.ts'),
  ]);
  const given = givenEnds({ ...input, idOf }, plan);
  return firstEnds([...given, ...formerEnds(input, plan, idOf)]);
}
