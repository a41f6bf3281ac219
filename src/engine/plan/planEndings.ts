// The ends of a plan: ended objects that are still in the account, the changes by ends alone, and whether the clock can be
// trusted.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Ending, timeText } from '../../model/ending.ts';
import type { Plan, PlanEndings } from '../../model/plan.ts';
import { shownEnding } from '../../model/planEndings.ts';
import { clockDiffers, isBetween, isOtherTime } from '../endings/clockDiffers.ts';
import { endingsOnly } from '../endings/endingsOnly.ts';
import type { Overdue } from '../endings/overdue.ts';
import { declaringNothing, type PlanInput } from '../scope/planInput.ts';
import { planned } from './plan.ts';

/** The clock and the options by which ends are judged. */
export interface EndingSettings {
  readonly endings: readonly Ending[];
  /** The reading of the clock, in milliseconds. */
  readonly now: number;
  /** By how many milliseconds the server's clock is ahead; undefined if the server does not send its time. */
  readonly skew: number | undefined;
  /** Whether the plan is only reported, so that a wrong clock does no harm. */
  readonly isOnlyReported: boolean;
  /**
   * Whether the plan only carries out ends: then it also reports other objects that have the name of an ended object and stay.
   */
  readonly isEndsOnly?: boolean;
  /** The addresses of live objects whose ends are not carried out. */
  readonly held?: ReadonlySet<string> | undefined;
  /** The time before an end, in milliseconds, within which the ending object is listed. */
  readonly expiring?: number | undefined;
}

/** The ends of a plan. */
export interface FoundEndings {
  readonly endings: PlanEndings;
  /** A plan of the ends alone; null if it has no actions, or if the plan is only reported. */
  readonly alone: Plan | null;
  /** The input of the plan of the ends; it declares no objects if nothing is overdue. */
  readonly input: PlanInput;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the ends of an account, and the plan of the ends alone. */
export function findEndings(input: PlanInput, settings: EndingSettings): FoundEndings {
  const { endings: all, now, expiring, isOnlyReported } = settings;
  const found = endingsOnly(input, settings.held);
  const due = all.filter(({ until }) => until <= now);
  // A live object that may be an ended object under another name counts as overdue only in a run that carries out nothing but
  // ends.
  const renamed = (found?.renamed ?? []).filter(one => one.isCertain || settings.isEndsOnly);
  const there = [...(found?.overdue ?? []), ...renamed];
  const overdue = due.filter(ending => there.some(one => isOf(one, ending)));
  const coming = all.filter(({ until }) => until > now).sort(byTime);
  const [next] = coming;
  const last = [...overdue].sort(byTime).at(-1);
  const within = coming.filter(({ until }) => until <= now + (expiring ?? 0));
  const alone = found && planned(found.input).plan;
  const isJudged = alone !== null && alone.actions.length > 0 && !isOnlyReported;
  return {
    endings: {
      clock: timeText(now),
      overdue: overdue.map(shownEnding),
      ...(expiring !== undefined && { expiring: within.map(shownEnding) }),
      ...(next && { next: shownEnding(next) }),
      ...(last && { last: shownEnding(last) }),
      ...(isJudged && { alone: partsOf(alone) }),
    },
    alone: isJudged ? alone : null,
    input: found?.input ?? declaringNothing(input),
    diagnostics: [
      ...clockFindings(settings, overdue.length > 0),
      ...unreadFindings(input),
      ...(settings.isEndsOnly ? (found?.others ?? []) : []),
      ...renamed.map(({ warning }) => warning),
    ],
  };
}

const partsOf = ({ actions, pins }: Plan) => ({ actions, pins });

const byTime = (one: Ending, other: Ending): number => one.until - other.until;

// Whether an overdue object includes an end. If a member ends with the object that it names, it is overdue with that object.
function isOf({ kind, key, members }: Overdue, ending: Ending): boolean {
  if (kind !== ending.kind || key !== ending.key) return false;
  if (members === undefined || ending.member === undefined) return ending.member === undefined;
  const { member, list = [] } = ending;
  return members.some(one => one.name === member && one.list.join('/') === list.join('/'));
}

// Errors for ended objects in unreadable lists: their absence is not known.
function unreadFindings({ desired, snapshot }: PlanInput): readonly Diagnostic[] {
  const ended = new Map(desired.flatMap(one => (one.ended ? [[one.kind, one] as const] : [])));
  return [...ended].flatMap(([kind, { at }]): readonly Diagnostic[] => {
    const reason = snapshot.unavailable.get(kind);
    if (reason === undefined || snapshot.notOffered?.has(kind)) return [];
    return [
      {
        code: 'KIND_UNAVAILABLE',
        severity: 'error',
        message: `it is unknown whether what has ended is still in the account: ${reason}`,
        at,
        hint: 'use a token that may read this kind',
      },
    ];
  });
}

function clockFindings(
  { endings, now, skew, isOnlyReported }: EndingSettings,
  isOverdue: boolean,
): readonly Diagnostic[] {
  const clocks = { now, skew };
  if (!isOtherTime(clocks)) return [];
  if (!isOverdue && !endings.some(({ until }) => isBetween(until, clocks))) return [];
  return [clockDiffers(clocks, isOnlyReported ? 'warning' : 'error')];
}
