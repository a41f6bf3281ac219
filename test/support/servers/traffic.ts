// Days of traffic on an emulator with controls, day after day, as a collector lives through them.
import type { TrafficPlan } from '../../../src/emulator/traffic/trafficSettings.ts';
import type { Truth } from '../../../src/emulator/traffic/truth.ts';

export type { TrafficPlan, Truth };

/** Calls a control, and returns the body of its answer. */
type CallControl = (method: string, path: string, body?: unknown) => Promise<unknown>;

interface Days {
  readonly count: number;
  /** Seconds between two polls; a day has a whole number of them. */
  readonly every: number;
  /** Called at the beginning of each day, before its traffic is made: the account may change here. */
  readonly onDay?: (day: number) => Promise<void>;
  /** Called at each poll. */
  readonly onPoll: () => Promise<void>;
}

const DAY = 86_400;

/** Makes traffic for some days, and advances the clock through each of them. Returns what really happened. */
export async function liveThrough(
  control: CallControl,
  plan: Partial<TrafficPlan>,
  { count, every, onDay = async () => {}, onPoll }: Days,
): Promise<Truth> {
  const truths: Truth[] = [];
  for (let day = 0; day < count; day += 1) {
    await onDay(day);
    const made = await control('POST', '/emulator/traffic-days', { ...plan, days: 1 });
    truths.push(made as Truth);
    for (let past = 0; past < DAY; past += every) {
      await control('POST', '/emulator/clock', { advance: every });
      await onPoll();
    }
  }
  return {
    flows: truths.flatMap(({ flows }) => flows),
    machines: truths.flatMap(({ machines }) => machines),
  };
}
