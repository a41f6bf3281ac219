// Which actions may still begin. Some failures end the whole run, because every further call would fail like the last one.
import { ApiError } from '../../model/errors.ts';
import type { ActionId } from '../../model/names.ts';
import type { Blocker, Fault, Outcome } from '../../model/outcome.ts';
import type { Action } from '../../model/plan.ts';
import type { AccountPort } from './port.ts';

/** What a gate goes by. */
export interface GateRules {
  readonly port: Pick<AccountPort, 'check'>;
  readonly isInterrupted: () => boolean;
  /** Whether the time for the run is over. */
  readonly isOver: () => boolean;
  /** Whether any failure ends the run. */
  readonly stopsOnError: boolean;
}

/** Decides before each action whether it begins, by how the others ended. */
export interface Gate {
  /** What keeps the action from being begun; undefined where nothing does. */
  readonly blocker: (action: Action) => Blocker | undefined;
  /** Takes note of an ended action; resolves to its outcome with what else was found out. */
  readonly ended: (action: Action, outcome: Outcome) => Promise<Outcome>;
}

/** After these nothing else can succeed, or nothing else may be sent. */
const ENDS_RUN: ReadonlySet<Fault['code']> = new Set([
  'API_UNAUTHENTICATED',
  'API_THROTTLED',
  'JOURNAL_FAILED',
  'LOCK_LOST',
]);

/** After these it is open whether anything else can succeed. A server that says what is wrong with a body is well. */
const IN_DOUBT: ReadonlySet<Fault['code']> = new Set([
  'API_DENIED',
  'API_NOT_FOUND',
  'API_BAD_ANSWER',
  'API_UNAVAILABLE',
]);

/** The gate of one run. */
export function gateFor({ port, isInterrupted, isOver, stopsOnError }: GateRules): Gate {
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

// A token that may not write an object of a kind in one way may write none of that kind in that way.
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
