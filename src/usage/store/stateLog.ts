// The states of an account over time: the first as a whole, each later one as its difference from the one before. An object is
// identified by its list and its id.
import equal from 'fast-deep-equal/es6/index.js';
import { type Fields, isList, isObject, type Json, type JsonObject } from '../../model/value.ts';
import type { SeenState } from '../records/statesOfTime.ts';

/** The changes: the new value of each object, by list and id, or null if it was deleted. A list that is null is unknown. */
export type StateChange = Readonly<Record<string, JsonObject | null>>;

/** A state that was seen, as the difference from the state before it. */
export interface LoggedState extends SeenState {
  readonly change: StateChange;
}

/** The difference from one state to the next; null if there is none. */
export function stateChange(before: Fields, after: Fields): StateChange | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.flatMap((name): (readonly [string, JsonObject | null])[] => {
    if (after[name] === undefined) return [[name, null]];
    const then = byId(before[name]);
    const now = byId(after[name]);
    const gone = [...then.keys()].filter(id => !now.has(id)).map(id => [id, null] as const);
    const others = [...now].filter(([id, body]) => !equal(then.get(id), body));
    const isKnown = before[name] !== undefined;
    return isKnown && gone.length + others.length === 0
      ? []
      : [[name, Object.fromEntries([...gone, ...others])]];
  });
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** The state after a change. */
function changedState(before: Fields, change: StateChange): Fields {
  const lists = new Map(Object.entries(before));
  for (const [name, objects] of Object.entries(change)) {
    if (objects === null) {
      lists.delete(name);
      continue;
    }
    const all = byId(lists.get(name));
    for (const [id, body] of Object.entries(objects))
      if (body === null) all.delete(id);
      else all.set(id, body);
    lists.set(
      name,
      [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, body]) => body),
    );
  }
  return Object.fromEntries(lists);
}

function byId(list: Json | undefined): Map<string, Json> {
  const objects = list !== undefined && isList(list) ? list.filter(isObject) : [];
  return new Map(objects.map(body => [String(body.id), body]));
}

/** The answers of each state, oldest first. */
export function* statesIn(
  log: readonly LoggedState[],
): Generator<{ readonly state: LoggedState; readonly account: Fields }> {
  let account: Fields = {};
  for (const state of log) {
    account = changedState(account, state.change);
    yield { state, account };
  }
}

/** The answers of the last state; null if there is none. */
export function lastState(log: readonly LoggedState[]): Fields | null {
  return log.length === 0
    ? null
    : log.reduce<Fields>((at, { change }) => changedState(at, change), {});
}

/**
 * The log with rewritten answers. A state that no longer differs from the state before it stays in
 * the log, with an empty change.
 */
export function rewritten(
  log: readonly LoggedState[],
  rewrite: (account: Fields) => Fields,
): readonly LoggedState[] {
  let before: Fields = {};
  return [...statesIn(log)].map(({ state, account }) => {
    const now = rewrite(account);
    const change = stateChange(before, now) ?? {};
    before = now;
    return { ...state, change };
  });
}

/** The log without the states that ended before a time. */
export function statesSince(log: readonly LoggedState[], time: number): readonly LoggedState[] {
  const kept = log.findIndex((_, at) => (log[at + 1]?.from ?? Number.POSITIVE_INFINITY) > time);
  if (kept <= 0) return log;
  const first = log[kept];
  const whole = lastState(log.slice(0, kept + 1));
  if (first === undefined || whole === null) return log;
  return [{ ...first, change: stateChange({}, whole) ?? {} }, ...log.slice(kept + 1)];
}
