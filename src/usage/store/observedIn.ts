// What a store has → the observed traffic of a window.
import type { AccessState } from '../../access/state/accessState.ts';
import { stateOfAnswers } from '../../access/state/ofAnswers.ts';
import type {
  Counts,
  Day,
  Gap,
  MachineDays,
  Observed,
  ObservedFlow,
  ObservedState,
  Span,
  Time,
} from '../observed.ts';
import { dayOf } from '../observed.ts';
import type { Touched } from '../records/statesTouched.ts';
import { type DayDocument, type FlowKey, type FlowSum, flowsIn, SIGN } from './dayFlows.ts';
import { endpointText } from './endpointText.ts';
import { joined } from './manifest.ts';
import { sharing } from './sharing.ts';
import { type LoggedState, statesIn } from './stateLog.ts';

/** All that a store has; of a day there may be several documents. */
export interface Stored {
  readonly days: Iterable<DayDocument>;
  readonly states: readonly LoggedState[];
  readonly window: Span | null;
  readonly gaps: readonly Gap[];
}

/** The observed traffic within a window. */
export function observedIn({ days, states, window, gaps }: Stored, asked: Span): Observed {
  const flows = new Map<string, FlowBuilder>();
  const machines = new Map<string, MachineBuilder>();
  for (const document of days) {
    if (document.day < dayOf(asked.from) || document.day > dayOf(asked.to)) continue;
    for (const [machine, signs] of document.signs) signed(machines, machine, document.day, signs);
    for (const { key, sum } of flowsIn(document))
      if (sum.last >= asked.from && sum.first <= asked.to) addFlow(flows, key, sum, document.day);
  }
  const builders = [...flows.values()];
  const { observed, placesOf } = statesFor(states, asked, builders);
  return {
    window: common(window ?? spanOf(builders, asked.from), asked),
    flows: builders.map(({ touched, ...flow }) => ({ ...flow, states: placesOf(touched) })),
    states: observed,
    machines: new Map([...machines].map(([id, builder]) => [id, machineDays(builder)])),
    gaps: gaps.filter(({ from, to }) => to >= asked.from && from <= asked.to),
  };
}

// Exported logs alone have no looks.
function spanOf(flows: readonly FlowBuilder[], otherwise: Time): Span {
  return (
    flows.reduce<Span | null>(
      (span, { first, last }) => joined(span, { from: first, to: last }),
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
  /** The positions of the states that a flow touched. */
  readonly placesOf: (touched: Touched | null) => readonly number[];
}

// The states of the window, and the earlier ones in which its flows began.
function statesFor(
  log: readonly LoggedState[],
  asked: Span,
  flows: readonly FlowBuilder[],
): StatesOfWindow {
  const within = log.find((state, at) => {
    const next = log[at + 1];
    return next === undefined || next.from > asked.from || state.to >= asked.from;
  });
  const oldest = flows.reduce(
    (least, { touched }) => Math.min(least, touched?.before ?? least),
    within?.number ?? 0,
  );
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
  const known = new Map<string, readonly number[]>();
  const placesOf = (touched: Touched | null): readonly number[] => {
    if (touched === null) return [];
    const text = `${touched.before}-${touched.after}`;
    const found = known.get(text) ?? placesBetween(touched, places);
    known.set(text, found);
    return found;
  };
  return { observed, placesOf };
}

// If one of the states is not known, what admitted the flow is not known either.
function placesBetween(
  { before, after }: Touched,
  places: ReadonlyMap<number, number>,
): readonly number[] {
  const numbers = Array.from({ length: after - before + 1 }, (_, at) => before + at);
  const found = numbers.map(number => places.get(number));
  return found.every(place => place !== undefined) ? found : [];
}

interface FlowBuilder extends Omit<ObservedFlow, 'states'> {
  readonly touched: Touched | null;
  first: number;
  last: number;
  readonly days: Map<Day, Counts>;
  reporters: string[];
  policies: string[];
}

function addFlow(
  flows: Map<string, FlowBuilder>,
  { source, destination, protocol, port, direction, touched }: FlowKey,
  { first, last, starts, drops, reporters, policies }: FlowSum,
  day: Day,
): void {
  const range = touched === null ? '' : `${touched.before}-${touched.after}`;
  const text = `${endpointText(source)}\n${endpointText(destination)}\n${protocol} ${port} ${direction} ${range}`;
  const flow = flows.get(text);
  if (flow === undefined) {
    flows.set(text, {
      source,
      destination,
      protocol,
      port,
      direction,
      first,
      last,
      days: new Map([[day, { starts, drops }]]),
      reporters: [...reporters],
      touched,
      policies: [...policies],
    });
    return;
  }
  flow.first = Math.min(flow.first, first);
  flow.last = Math.max(flow.last, last);
  const before = flow.days.get(day);
  flow.days.set(day, {
    starts: starts + (before?.starts ?? 0),
    drops: drops + (before?.drops ?? 0),
  });
  addNew(flow.reporters, reporters);
  addNew(flow.policies, policies);
}

function addNew(list: string[], more: readonly string[]): void {
  for (const text of more) if (!list.includes(text)) list.push(text);
}

interface MachineBuilder {
  readonly connected: Set<Day>;
  readonly reported: Set<Day>;
  /** The last day with a sign of how it filters, and what it showed. */
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
