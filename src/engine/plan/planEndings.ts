// The ended objects in a plan: those that are still in the account, the plan that only removes
// them, and whether the clock can be trusted.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Ending, timeText } from '../../model/ending.ts';
import type { Plan, PlanEndings } from '../../model/plan.ts';
import { shownEnding } from '../../model/planEndings.ts';
import { clockDiffers, isBetween, isOtherTime } from '../endings/clockDiffers.ts';
import { endingsOnly } from '../endings/endingsOnly.ts';
import type { Overdue } from '../endings/overdue.ts';
import { declaringNothing, type PlanInput } from '../scope/planInput.ts';
import { planned } from './plan.ts';

/** The clock and the options that decide what has ended. */
export interface EndingSettings {
  readonly endings: readonly Ending[];
  /** The time of the clock, in milliseconds. */
  readonly now: number;
  /** How many milliseconds the server's clock is ahead; undefined if the server does not send its time. */
  readonly skew: number | undefined;
  /** Whether the plan is only reported, so that a wrong clock does no harm. */
  readonly isOnlyReported: boolean;
  /**
   * Whether the plan only removes what has ended. If it does, it also reports other objects with
   * the name of an ended object, which stay.
   */
  readonly isEndsOnly?: boolean;
  /** The addresses of live objects that have ended and that the plan must not change. */
  readonly held?: ReadonlySet<string> | undefined;
  /** How long before its end time an object is listed, in milliseconds. */
  readonly expiring?: number | undefined;
}

/** What has ended, or will end soon. */
export interface FoundEndings {
  readonly endings: PlanEndings;
  /** A plan that only removes what has ended; null if it has no actions, or if the plan is only reported. */
  readonly alone: Plan | null;
  /** The input of that plan; it declares no objects if nothing has to be removed. */
  readonly input: PlanInput;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds what has ended in an account, and plans its removal. */
export function findEndings(input: PlanInput, settings: EndingSettings): FoundEndings {
  const { endings: all, now, expiring, isOnlyReported } = settings;
  const found = endingsOnly(input, settings.held);
  const due = all.filter(({ until }) => until <= now);
  // A live object that may be an ended object under another name counts as overdue only in a run that only removes what has
  // ended.
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

// Whether an end time belongs to an overdue object. A member that ends with the object to which it
// refers is overdue together with that object.
function isOf({ kind, key, members }: Overdue, ending: Ending): boolean {
  if (kind !== ending.kind || key !== ending.key) return false;
  if (members === undefined || ending.member === undefined) return ending.member === undefined;
  const { member, list = [] } = ending;
  return members.some(one => one.name === member && one.list.join('/') === list.join('/'));
}

// Errors for ended objects in lists that could not be read, because it is unknown whether these objects still exist.
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
