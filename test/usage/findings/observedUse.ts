// What was observed of an account that is what files declare, for tests of findings.
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOf } from '../../../src/access/state/stateOf.ts';
import { inParts } from '../../../src/engine/scope/parts.ts';
import type { Dialect } from '../../../src/kinds/traits.ts';
import {
  DAY_MS,
  dayOf,
  type Endpoint,
  type MachineDays,
  type Observed,
  type ObservedFlow,
} from '../../../src/usage/observed.ts';
import { desiredOf, KINDS } from '../../support/files.ts';

const BEGIN = Date.parse('2026-10-01T00:00:00Z');

/** The account that these files describe, in which each object has an id: that of machine m is `m`, of resource n/r `n/r`. */
export function accountOf(text: string, dialect: Dialect = 'netbird'): AccessState {
  const objects = inParts(desiredOf(text), KINDS, dialect).map(({ kind, key, parent, fields }) => ({
    kind,
    key,
    fields,
    id: key,
    ...(parent && { parent }),
  }));
  const state = stateOf(objects);
  const all = state.machines.map(({ key }) => key);
  const isThere = state.groups.some(({ isAll }) => isAll);
  return isThere
    ? state
    : {
        ...state,
        groups: [...state.groups, { key: 'All', id: 'All', isAll: true, machines: all }],
      };
}

/** A flow as a test writes it: `laptop > server tcp/22`, on some days, by default on all. */
interface Seen {
  readonly flow: string;
  readonly days?: readonly number[];
  readonly starts?: number;
  readonly drops?: number;
  readonly isStateUnknown?: boolean;
  /** The policies that the server names. */
  readonly policies?: readonly string[];
}

/** How a machine was observed; by default it was connected and reported on all days. */
interface Machine {
  readonly connected?: readonly number[];
  readonly reported?: readonly number[];
}

export interface Watch {
  readonly days?: number;
  readonly flows: readonly (Seen | string)[];
  readonly machines?: Readonly<Record<string, Machine>>;
}

/** The observation of an account for some days. */
export function observedIn(
  state: AccessState,
  { days = 45, flows, machines = {} }: Watch,
): Observed {
  const every = [...Array(days).keys()];
  const toDays = (some: readonly number[] = every) => new Set(some.map(day => dayOf(BEGIN) + day));
  const seen = state.machines.map(({ id = '' }): [string, MachineDays] => {
    const { connected, reported } = machines[id] ?? {};
    return [id, { connected: toDays(connected), reported: toDays(reported), isUserSpace: true }];
  });
  return {
    window: { from: BEGIN, to: BEGIN + days * DAY_MS },
    states: [{ from: BEGIN, state }],
    gaps: [],
    machines: new Map(seen),
    flows: flows.map(one => flowOf(typeof one === 'string' ? { flow: one } : one, every, state)),
  };
}

const NUMBERS: Readonly<Record<string, number>> = { icmp: 1, tcp: 6, udp: 17, gre: 47 };

function flowOf(
  { flow, days: on, starts = 1, drops = 0, isStateUnknown = false, policies = [] }: Seen,
  every: readonly number[],
  { machines }: AccessState,
): ObservedFlow {
  const [source = '', , destination = '', traffic = ''] = flow.split(' ');
  const [protocol = '', port] = traffic.split('/');
  const days = on ?? every;
  const last = Math.max(...days);
  const isMachine = machines.some(({ id }) => id === destination);
  const end: Endpoint = isMachine
    ? { type: 'machine', id: destination }
    : /^[\d.]+(\/\d+)?$/.test(destination)
      ? { type: 'address', address: destination }
      : { type: 'resource', id: destination };
  return {
    source: { type: 'machine', id: source },
    destination: end,
    protocol: NUMBERS[protocol] ?? 0,
    port: port === undefined ? null : Number(port),
    direction: 'in',
    first: BEGIN + Math.min(...days) * DAY_MS,
    last: BEGIN + last * DAY_MS,
    days: new Map(days.map(day => [dayOf(BEGIN) + day, { starts, drops }])),
    reporters: [isMachine ? destination : source],
    states: isStateUnknown ? [] : [0],
    policies,
  };
}
