// Computes what an observation of the log and the account adds to the store.
import type { LogSettings } from '../../access/state/keptAnswers.ts';
import type { Fields } from '../../model/value.ts';
import { type Day, dayOf, type Gap, type Span, type Time } from '../observed.ts';
import type { Counted } from '../records/growth.ts';
import type { EndpointOf } from '../records/places.ts';
import type { TrafficRecord } from '../records/trafficRecord.ts';
import { collected } from './collect.ts';
import { DayFlows, SIGN } from './dayFlows.ts';
import type { Observation } from './observation.ts';
import { type LoggedState, lastState, stateChange } from './stateLog.ts';

/** The results of an observation. */
export interface ObservedNow {
  /** The times between which the log was read; null for an exported log. */
  readonly span: Span | null;
  readonly records: readonly TrafficRecord[];
  /** Null if the account was not read. */
  readonly account: SeenAccount | null;
  readonly gaps: readonly Gap[];
}

/** The account as it was read after the log. */
export interface SeenAccount {
  /** The times between which the account was read. */
  readonly span: Span;
  /** The answers that determine access; null if they could not be read. */
  readonly answers: Fields | null;
  /** The ids of the machines that are connected. */
  readonly connected: readonly string[];
  /** By the id of a machine that is not connected, the last time at which it was connected. */
  readonly lastSeen?: ReadonlyMap<string, Time>;
  readonly log: LogSettings | null;
}

/** The content of a store before the observation. */
export interface StoredBefore {
  readonly states: readonly LoggedState[];
  /** The answers of the last state; null if there is none. */
  readonly last: Fields | null;
  /** The counts of records, for the days of the records and the days beside them. */
  readonly counted: (day: Day, number: number) => Counted | undefined;
  readonly signs: (day: Day, machine: string) => number;
}

/** What an observation adds, and the number of its records that were known. */
export interface NextObservation {
  readonly observation: Observation;
  readonly knownCount: number;
}

/** The state that an observation saw, if it is new. */
function newState(account: SeenAccount | null, { states, last }: StoredBefore): LoggedState | null {
  if (account?.answers == null) return null;
  const change = stateChange(last ?? {}, account.answers);
  if (change === null && states.length > 0) return null;
  const { to } = account.span;
  return { number: (states.at(-1)?.number ?? -1) + 1, from: to, to, change: change ?? {} };
}

/** What an observation adds to the store. */
export function nextObservation(
  seen: ObservedNow,
  past: StoredBefore,
  endpointOf: EndpointOf,
): NextObservation {
  const { span, records, account, gaps } = seen;
  const state = newState(account, past);
  const isFresh = account?.answers != null;
  const all = state === null ? past.states : [...past.states, state];
  const seenUntil = state === null && account !== null && isFresh ? account.span.from : null;
  const last = all.at(-1);
  const states =
    seenUntil === null || last === undefined
      ? all
      : [...all.slice(0, -1), { ...last, to: Math.max(last.to, seenUntil) }];
  const { days, counted, knownCount } = collected(records, {
    counted: past.counted,
    states: span === null ? [] : states,
    isFresh,
    endpointOf,
  });
  const parts = new Map(days);
  if (account !== null) addConnected(parts, account, past);
  return {
    observation: {
      span,
      days: [...parts.values()].map(part => part.document()),
      counted,
      state,
      seenUntil,
      gaps,
      log: account?.log ?? null,
    },
    knownCount,
  };
}

function addConnected(
  parts: Map<Day, DayFlows>,
  { connected, lastSeen, span }: SeenAccount,
  past: StoredBefore,
): void {
  const sign = (day: Day, id: string) => {
    if ((past.signs(day, id) & SIGN.connected) !== 0) return;
    const part = parts.get(day) ?? new DayFlows(day);
    parts.set(day, part);
    part.sign(id, SIGN.connected);
  };
  for (const id of connected) sign(dayOf(span.to), id);
  // A machine that was connected at some time between two observations counts as connected. Earlier
  // observations cover the time before.
  const since = past.states.at(-1)?.to ?? span.from;
  for (const [id, time] of lastSeen ?? [])
    if (time > since && time <= span.to) sign(dayOf(time), id);
}

/** The past of a store, from its states and its counters. */
export const pastOf = (
  states: readonly LoggedState[],
  counters: Pick<StoredBefore, 'counted' | 'signs'>,
): StoredBefore => ({ ...counters, states, last: lastState(states) });
