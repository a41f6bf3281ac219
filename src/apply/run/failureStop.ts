// Determines which actions may still start. Some failures end the whole run, because every further
// request would fail too.
import { ApiError } from '../../model/errors.ts';
import type { ActionId } from '../../model/names.ts';
import type { Blocker, Fault, Outcome } from '../../model/outcome.ts';
import type { Action } from '../../model/plan.ts';
import type { AccountPort } from '../port.ts';

/** The settings of a gate. */
export interface FailureStopRules {
  readonly port: Pick<AccountPort, 'check'>;
  readonly isInterrupted: () => boolean;
  /** Whether the time for the run has expired. */
  readonly isOver: () => boolean;
  /** Whether any failure ends the run. */
  readonly stopsOnError: boolean;
}

/** Decides before each action whether it starts, from the outcomes of the other actions. */
export interface FailureStop {
  /** Why the action must not start; undefined if it may start. */
  readonly blocker: (action: Action) => Blocker | undefined;
  /** Records an ended action; resolves to its outcome, to which findings may have been added. */
  readonly ended: (action: Action, outcome: Outcome) => Promise<Outcome>;
}

/** Errors after which no other request can succeed, or no other request may be sent. */
const ENDS_RUN: ReadonlySet<Fault['code']> = new Set([
  'API_UNAUTHENTICATED',
  'API_THROTTLED',
  'API_DEADLINE',
  'JOURNAL_FAILED',
  'API_LOCK_LOST',
  'LOCK_LOST',
]);

/**
 * Errors after which it is unknown whether another request can succeed. A server that explains what
 * is wrong with a body still works.
 */
const IN_DOUBT: ReadonlySet<Fault['code']> = new Set([
  'API_DENIED',
  'API_NOT_FOUND',
  'API_BAD_ANSWER',
  'API_UNAVAILABLE',
]);

/** The gate of one run. */
export function failureStop({
  port,
  isInterrupted,
  isOver,
  stopsOnError,
}: FailureStopRules): FailureStop {
  let stoppedBy: ActionId | undefined;
  const denied = new Map<string, ActionId>();
  return {
    blocker: action => {
      if (isInterrupted()) return 'interrupt';
      if (isOver()) return 'deadline';
      return stoppedBy ?? denied.get(sortOf(action));
    },
    ended: async (action, outcome) => {
      if (outcome.status !== 'failed' && outcome.status !== 'unknown') return outcome;
      const { code } = outcome.fault;
      if (stopsOnError || ENDS_RUN.has(code)) stoppedBy ??= action.id;
      if (code === 'API_DENIED') denied.set(sortOf(action), action.id);
      const why = IN_DOUBT.has(code) && stoppedBy === undefined ? await trouble(port) : null;
      if (why === null) return outcome;
      stoppedBy ??= action.id;
      const message = `${outcome.fault.message}; then ${why}`;
      return { ...outcome, fault: { ...outcome.fault, message } };
    },
  };
}

// The verb and kind of an action. If the token may not write one object of a kind with a verb, it may write no object of that
// kind with that verb.
const sortOf = ({ kind, verb }: Action): string => `${verb} ${kind}`;

async function trouble({ check }: Pick<AccountPort, 'check'>): Promise<string | null> {
  try {
    await check?.();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
