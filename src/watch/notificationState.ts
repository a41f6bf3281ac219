// Decides which of several consecutive runs notify. Drift and failed runs are counted separately, because a failed run says
// nothing about drift: it neither counts as drift nor ends it.
import type { EndedRun, NotifyRules, Outcome } from './settings.ts';

/** A condition that lasts over several runs. */
export interface Condition {
  /** The number of consecutive runs. */
  readonly runs: number;
  /** The time of the first run, in milliseconds since 1970. */
  readonly since: number;
  /** The time of its last notification; null if there was none. */
  readonly notified: number | null;
}

/** The state that is kept between two runs. */
export interface NotificationState {
  readonly drift: Condition | null;
  readonly unreadable: Condition | null;
  /** Addresses of the objects that the last notification of drift was about. */
  readonly reported: readonly string[];
}

/** The initial state. */
export const NEW: NotificationState = { drift: null, unreadable: null, reported: [] };

/** Why a run notifies. */
export type Reason =
  | 'drift'
  | 'drift-changed'
  | 'drift-reminder'
  | 'drift-ended'
  | 'unreadable'
  | 'unreadable-reminder'
  | 'unreadable-ended';

/** The consequences of a run. */
export interface Step {
  /** Empty if no notification is sent. */
  readonly reasons: readonly Reason[];
  /** The state if the notification is delivered, and the state if it is not, with which the next run notifies again. */
  readonly delivered: NotificationState;
  readonly failed: NotificationState;
}

/** The consequences of a run, given the earlier state. */
export function afterRun(before: NotificationState, run: EndedRun, rules: NotifyRules): Step {
  const { outcome, now, drifted } = run;
  const drift = outcome === 'unreadable' ? before.drift : counted(before.drift, 'drift', run);
  const unreadable = counted(before.unreadable, 'unreadable', run);
  const reasons = [
    ...ended(before.unreadable, unreadable, 'unreadable-ended'),
    ...ended(before.drift, drift, 'drift-ended'),
    ...(outcome === 'drift' ? driftReasons(drift, before.reported, run, rules) : []),
    ...(outcome === 'unreadable' ? lasting(unreadable, now, rules, UNREADABLE) : []),
  ];
  const marked = (condition: Condition | null, is: Outcome): Condition | null =>
    condition && outcome === is && reasons.length > 0 && rules.after <= condition.runs
      ? { ...condition, notified: now }
      : condition;
  const isDriftReported = reasons.some(reason => reason.startsWith('drift'));
  const reported = drift === null ? [] : isDriftReported ? drifted : before.reported;
  return {
    reasons,
    delivered: {
      drift: marked(drift, 'drift'),
      unreadable: marked(unreadable, 'unreadable'),
      reported,
    },
    failed: {
      drift: drift ?? unended(before.drift),
      unreadable: unreadable ?? unended(before.unreadable),
      reported: drift === null ? [] : before.reported,
    },
  };
}

function counted(
  before: Condition | null,
  is: Outcome,
  { outcome, now }: EndedRun,
): Condition | null {
  if (outcome !== is) return null;
  return before === null || before.runs === 0
    ? { runs: 1, since: now, notified: null }
    : { ...before, runs: before.runs + 1 };
}

// The state after an undelivered notification that a condition is over: the next run sends the notification again.
const unended = (before: Condition | null): Condition | null =>
  before?.notified == null ? null : { ...before, runs: 0 };

const ended = (before: Condition | null, after: Condition | null, reason: Reason): Reason[] =>
  before?.notified != null && after === null ? [reason] : [];

type Words = Readonly<Record<'begins' | 'lasts', Reason>>;
const DRIFT: Words = { begins: 'drift', lasts: 'drift-reminder' };
const UNREADABLE: Words = { begins: 'unreadable', lasts: 'unreadable-reminder' };

function driftReasons(
  drift: Condition | null,
  reported: readonly string[],
  { now, drifted }: EndedRun,
  rules: NotifyRules,
): Reason[] {
  const reasons = lasting(drift, now, rules, DRIFT);
  if (reasons.length > 0 || drift?.notified == null) return reasons;
  // Drift that lasts for weeks must not hide new drift.
  const known = new Set(reported);
  return drifted.some(address => !known.has(address)) ? ['drift-changed'] : [];
}

function lasting(
  condition: Condition | null,
  now: number,
  { after, remind }: NotifyRules,
  { begins, lasts }: Words,
): Reason[] {
  if (condition === null) return [];
  const { runs, notified } = condition;
  if (notified === null) return runs >= after ? [begins] : [];
  // A clock that was put back must not silence reminders.
  return remind !== undefined && Math.abs(now - notified) >= remind ? [lasts] : [];
}
