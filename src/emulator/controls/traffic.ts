// Controls that generate traffic, so that the traffic logs have entries, and controls that damage the traffic log.
import type { LogFaultsRecord } from '../records/logs.ts';
import { ok } from '../request/answer.ts';
import { map, object, optional, text, whole } from '../request/body.ts';
import { invalid } from '../request/refusal.ts';
import { type Amount, addAccesses, addFlows } from '../traffic/generated.ts';
import { makeTraffic } from '../traffic/made.ts';
import { NO_FAULTS } from '../traffic/traffic-log.ts';
import { MODES, type Mode, type TrafficPlan, USUAL_PLAN } from '../traffic/trafficSettings.ts';
import type { Control, ControlContext } from './control.ts';

const AMOUNT = object({ count: optional(whole), over: optional(whole) });
const MOST = 100_000;

function amountIn({ body }: ControlContext): Amount {
  const { count, over = 3600 } = body(AMOUNT);
  if (count === undefined || count < 1 || count > MOST)
    throw invalid(`count is required: 1 to ${MOST}`);
  if (over < 0) throw invalid('over must not be negative');
  return { count, over };
}

/** Generates `count` flows between peers, spread over the last `over` seconds. Responds with the number of flows. */
export const makeFlows: Control = context =>
  ok({ made: addFlows(context.account, amountIn(context), context.environment) });

/** Generates `count` requests to the reverse proxy, spread over the last `over` seconds. */
export const makeAccesses: Control = context =>
  ok({ made: addAccesses(context.account, amountIn(context), context.environment) });

const PLAN = object({
  seed: optional(whole),
  days: optional(whole),
  alive: optional(whole),
  usage: optional(whole),
  starts: optional(whole),
  refused: optional(whole),
  away: optional(whole),
  quiet: optional(whole),
  off: optional(whole),
  kernel: optional(whole),
  machines: optional(map(text)),
  late: optional(whole),
});

/** The limits of the numbers in a traffic plan. */
const BOUNDS: Readonly<Record<string, readonly [number, number]>> = {
  seed: [0, 2 ** 32 - 1],
  days: [1, 366],
  starts: [1, 1000],
  late: [0, 600],
};

const PERCENT = [0, 100] as const;

/**
 * Generates the traffic of some days from now on, with the current access. The records of the traffic arrive as the clock
 * advances. Responds with the traffic that really happens.
 */
export const makeDays: Control = ({ account, environment, body }) => {
  const { machines = {}, ...numbers } = given(body(PLAN));
  for (const [name, number] of Object.entries(numbers)) hold(name, number, BOUNDS[name] ?? PERCENT);
  const plan: TrafficPlan = { ...USUAL_PLAN, ...numbers, machines: modesIn(machines) };
  for (const id of Object.keys(machines))
    if (account.peers.get(id) === undefined) throw invalid(`peer id ${id} not found`);
  return ok(makeTraffic(account, plan, environment));
};

function modesIn(machines: Readonly<Record<string, string>>): Readonly<Record<string, Mode>> {
  const modes = Object.entries(machines).map(([id, wanted]): [string, Mode] => {
    const mode = MODES.find(one => one === wanted);
    if (mode === undefined) throw invalid(`machines.${id} must be one of ${MODES.join(', ')}`);
    return [id, mode];
  });
  return Object.fromEntries(modes);
}

const FAULTS = object({
  pages: optional(whole),
  repeats: optional(whole),
  flat: optional(whole),
  blanks: optional(whole),
  delay: optional(whole),
  held: optional(whole),
  arrivals: optional(whole),
});

/** A week, in seconds. Records that arrive later would never be shown. */
const LONGEST_DELAY = 604_800;

/** Replaces the faults of the traffic log. An empty body removes all faults. Responds with all values. */
export const damageLog: Control = ({ account, body }) => {
  const wrong = given(body(FAULTS));
  for (const [name, number] of Object.entries(wrong))
    if (name !== 'pages') hold(name, number, [0, name === 'delay' ? LONGEST_DELAY : MOST]);
  const faults: Omit<LogFaultsRecord, 'id'> = { ...NO_FAULTS, ...wrong };
  account.logFaults.put({ id: account.id, ...faults });
  const { requests: _, ...shown } = faults;
  return ok(shown);
};

function hold(name: string, number: number, [least, most]: readonly [number, number]): void {
  if (number < least || number > most) throw invalid(`${name} must be from ${least} to ${most}`);
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields of a body without those that are absent. */
function given<T extends object>(body: T): Given<T> {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
