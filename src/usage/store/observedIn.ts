// Reads the observed traffic of a window from the content of a store.
import type { AccessState } from '../../access/state/accessState.ts';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import type {
  Day,
  Forgotten,
  Gap,
  MachineDays,
  Observed,
  ObservedFlow,
  ObservedState,
  Span,
  Time,
} from '../observed.ts';
import { DAY_MS } from '../observed.ts';
import type { StatesOfTime } from '../records/statesOfTime.ts';
import { CollectedFlows } from './collectedFlows.ts';
import { type DayDocument, type FlowKey, type FlowSum, flowsIn, SIGN } from './dayFlows.ts';
import { equalStates } from './equalStates.ts';
import { joinedSpan } from './manifest.ts';
import { sharing } from './sharing.ts';
import { type LoggedState, statesIn } from './stateLog.ts';

/** The content of a store besides its days. */
export interface Stored {
  readonly states: readonly LoggedState[];
  readonly window: Span | null;
  readonly gaps: readonly Gap[];
  readonly forgotten?: readonly Forgotten[] | undefined;
}

/**
 * Collects the observed traffic of a window from the documents of days, one after the other: all of them at once would take most
 * of the memory.
 */
export interface ObservedDays {
  readonly add: (document: DayDocument) => void;
  readonly observed: () => Observed;
}

/**
 * The number of the first state that may matter in a window; undefined if only the documents show it, because flows of the window
 * began in older states.
 */
export function firstState({ states }: Stored, asked: Span): number | undefined {
  const [first] = states;
  if (first === undefined) return 0;
  return stateWithin(states, asked) === first ? first.number : undefined;
}

/**
 * Collects a window. `began` is the number of the oldest state in which one of its flows began. A day may have several documents.
 */
export function observedIn(
  { states, window, gaps, forgotten = [] }: Stored,
  asked: Span,
  began: number,
): ObservedDays {
  const { observed, placesOf } = statesFor(states, asked, began);
  const flows = new CollectedFlows();
  const machines = new Map<string, MachineBuilder>();
  return {
    add: document => {
      for (const [machine, signs] of document.signs) signed(machines, machine, document.day, signs);
      for (const { key, sum } of flowsIn(document))
        if (isWithin(asked, sum)) flows.add(key, sum, { day: document.day, states: placesOf(key) });
    },
    observed: () => ({
      window: common(window ?? spanOf(flows.all, asked.from), asked),
      flows: flows.all,
      states: observed,
      machines: new Map([...machines].map(([id, builder]) => [id, machineDays(builder)])),
      gaps: gaps.filter(({ from, to }) => to >= asked.from && from <= asked.to),
      ...(forgotten.length > 0 && { forgotten }),
    }),
  };
}

const isWithin = ({ from, to }: Span, { first, last }: Pick<FlowSum, 'first' | 'last'>): boolean =>
  last >= from && first <= to;

/** The number of the oldest state in which a flow of a document began, among the flows in a window. */
export function oldestIn({ day, columns }: DayDocument, asked: Span): number {
  let oldest = Number.POSITIVE_INFINITY;
  const start = day * DAY_MS;
  for (const [row, before] of columns.before.entries()) {
    const first = start + (columns.first[row] ?? 0) * 1000;
    const last = first + (columns.lasted[row] ?? 0) * 1000;
    if (before >= 0 && before < oldest && isWithin(asked, { first, last })) oldest = before;
  }
  return oldest;
}

// Exported logs alone have no observations.
function spanOf(flows: readonly ObservedFlow[], otherwise: Time): Span {
  return (
    flows.reduce<Span | null>(
      (span, { first, last }) => joinedSpan(span, { from: first, to: last }),
      null,
    ) ?? {
      from: otherwise,
      to: otherwise,
    }
  );
}

const common = (one: Span, other: Span): Span => {
  const from = Math.max(one.from, other.from);
  return { from, to: Math.max(from, Math.min(one.to, other.to)) };
};

interface StatesOfWindow {
  readonly observed: readonly ObservedState[];
  /** The positions of the states that a flow may belong to. */
  readonly placesOf: (key: FlowKey) => readonly number[];
}

const stateWithin = (log: readonly LoggedState[], asked: Span): LoggedState | undefined =>
  log.find((state, at) => {
    const next = log[at + 1];
    return next === undefined || next.from > asked.from || state.to >= asked.from;
  });

// The states of the window, and the earlier ones in which its flows began.
function statesFor(log: readonly LoggedState[], asked: Span, began: number): StatesOfWindow {
  const oldest = Math.min(began, stateWithin(log, asked)?.number ?? began);
  const observed: ObservedState[] = [];
  const places = new Map<number, number>();
  const share = sharing();
  for (const { state, account } of statesIn(log)) {
    if (state.number < oldest || state.from > asked.to) continue;
    const answered = stateOfAnswers(account);
    if ('faults' in answered) continue;
    places.set(state.number, observed.length);
    observed.push({ from: state.from, state: share(answered.state) as AccessState });
  }
  const firstAlike = equalStates(observed.map(({ state }) => state));
  return {
    observed,
    placesOf: ({ source, destination, touched }) =>
      touched === null
        ? []
        : placesBetween(touched, number => {
            const place = places.get(number);
            return place === undefined ? undefined : firstAlike(source, destination, place);
          }),
  };
}

// If one of the states is unknown, it is also unknown what admitted the flow.
function placesBetween(
  { before, after }: StatesOfTime,
  placeOf: (number: number) => number | undefined,
): readonly number[] {
  const places: number[] = [];
  for (let number = before; number <= after; number++) {
    const place = placeOf(number);
    if (place === undefined) return [];
    if (place !== places.at(-1)) places.push(place);
  }
  return places;
}

interface MachineBuilder {
  readonly connected: Set<Day>;
  readonly reported: Set<Day>;
  /** The last day with a sign of how the machine filters, and what the sign shows. */
  mode: { readonly day: Day; readonly isUserSpace: boolean } | null;
}

function signed(machines: Map<string, MachineBuilder>, id: string, day: Day, signs: number): void {
  const machine = machines.get(id) ?? { connected: new Set(), reported: new Set(), mode: null };
  machines.set(id, machine);
  if (signs & SIGN.connected) machine.connected.add(day);
  if (signs & SIGN.reported) machine.reported.add(day);
  const isUserSpace = (signs & SIGN.userSpace) !== 0;
  if (!isUserSpace && (signs & SIGN.kernel) === 0) return;
  const { mode } = machine;
  if (mode === null || day > mode.day) machine.mode = { day, isUserSpace };
  else if (day === mode.day) machine.mode = { day, isUserSpace: mode.isUserSpace || isUserSpace };
}

const machineDays = ({ connected, reported, mode }: MachineBuilder): MachineDays => ({
  connected,
  reported,
  isUserSpace: mode?.isUserSpace ?? null,
});
