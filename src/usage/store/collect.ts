// Collects the new information in the log records of an observation: flows by day, signs of machines, and the counts of each
// record.
import { DAY_MS, type Day, dayOf, type Endpoint } from '../observed.ts';
import { type Counted, countedAfter, NOTHING, newIn } from '../records/growth.ts';
import type { EndpointOf } from '../records/places.ts';
import { type SeenState, statesOfTime } from '../records/statesOfTime.ts';
import type { FlowSign, TrafficRecord } from '../records/trafficRecord.ts';
import { type CountedRecords, recordNumber } from './countedDay.ts';
import { DayFlows, SIGN } from './dayFlows.ts';

/** What an observation needs to know. */
export interface KnownRecords {
  /** The counted part of a record on a day; undefined if the record is new. */
  readonly counted: (day: Day, number: number) => Counted | undefined;
  readonly states: readonly SeenState[];
  /** Whether the last state was read after the records. */
  readonly isFresh: boolean;
  readonly endpointOf: EndpointOf;
}

/** The new information of records. */
export interface Collected {
  readonly days: ReadonlyMap<Day, DayFlows>;
  readonly counted: ReadonlyMap<Day, CountedRecords>;
  /** The number of records that were known before. */
  readonly knownCount: number;
}

/** The day under which a record is counted. It changes only if an earlier event of the record comes late. */
export const dayOfRecord = ({ happenings: [first] }: TrafficRecord): Day => dayOf(first.from);

/** Collects records; a record may occur several times. */
export function collected(records: Iterable<TrafficRecord>, known: KnownRecords): Collected {
  const days = new Map<Day, DayFlows>();
  const counted = new Map<Day, Map<number, Counted>>();
  let seenBefore = 0;
  for (const record of records) {
    const number = recordNumber(record.id);
    const day = dayOfRecord(record);
    const at = (one: Day) => counted.get(one)?.get(number) ?? known.counted(one, number);
    const own = [day, day - 1, day + 1].find(one => at(one) !== undefined);
    const before = own === undefined ? NOTHING : (at(own) ?? NOTHING);
    if (own !== undefined && known.counted(own, number) !== undefined) seenBefore += 1;
    const happenings = newIn(record, before);
    if (happenings.length === 0) continue;
    put(counted, own ?? day, number, countedAfter(record, before));
    const ends = {
      source: known.endpointOf(record.source),
      destination: known.endpointOf(record.destination),
    };
    for (const happening of happenings) add(days, record, happening, { ...known, ...ends });
  }
  return { days, counted, knownCount: seenBefore };
}

interface Placed extends KnownRecords {
  readonly source: Endpoint;
  readonly destination: Endpoint;
}

function add(
  days: Map<Day, DayFlows>,
  record: TrafficRecord,
  happening: FlowSign,
  { source, destination, states, isFresh }: Placed,
): void {
  const { reporter, protocol, port, direction, policy, happenings } = record;
  const day = dayOf(happening.from);
  const flows = days.get(day) ?? new DayFlows(day);
  days.set(day, flows);
  // A flow belongs to the states that held when it began.
  const [first] = happenings;
  const span = happening.is === 'other' ? first : happening;
  flows.add(
    {
      source,
      destination,
      protocol,
      port,
      direction,
      touched: statesOfTime(states, span, isFresh),
    },
    {
      first: happening.from,
      last: Math.min(happening.to, endOf(day)),
      starts: happening.is === 'start' || isAlone(record) ? happening.count : 0,
      drops: happening.is === 'drop' ? happening.count : 0,
      reporters: [reporter],
      policies: policy === null ? [] : [policy],
    },
  );
  flows.sign(reporter, SIGN.reported | modeShown(record));
}

const endOf = (day: Day): number => (day + 1) * DAY_MS - 1;

// A flow that shows neither a start nor a drop began before it was observed, and was in use.
const isAlone = ({ happenings }: TrafficRecord): boolean =>
  happenings.every(({ is }) => is === 'other');

// Only a machine that filters in user space names policies and reports drops.
function modeShown({ policy, direction, happenings }: TrafficRecord): number {
  if (policy !== null || happenings.some(({ is }) => is === 'drop')) return SIGN.userSpace;
  return direction === 'in' ? SIGN.kernel : 0;
}

function put<K, L, V>(maps: Map<K, Map<L, V>>, key: K, inner: L, value: V): void {
  const map = maps.get(key);
  if (map) map.set(inner, value);
  else maps.set(key, new Map([[inner, value]]));
}
