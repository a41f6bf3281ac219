// One observation: reads the log and the account, and stores the result.

import type { LogSettings } from '../../access/state/keptAnswers.ts';
import { stateOfAnswers } from '../../access/state/stateOfAnswers.ts';
import { momentOfClock } from '../../api/events/time.ts';
import { LONGEST_KEPT, MOST_RECORDS, trafficRecords } from '../../api/events/trafficLog.ts';
import type { ReadTransport } from '../../api/transport/transport.ts';
import { ApiError } from '../../model/errors.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { nameText } from '../../model/text/visible.ts';
import type { Fields } from '../../model/value.ts';
import { counted } from '../../report/text/summary.ts';
import { DAY_MS, dayOf, type Gap, type Span, type Time } from '../../usage/observed.ts';
import { type EndpointOf, endpointsIn } from '../../usage/records/places.ts';
import type { TrafficRecord } from '../../usage/records/trafficRecord.ts';
import { dayOfRecord } from '../../usage/store/collect.ts';
import {
  type NextObservation,
  nextObservation,
  pastOf,
} from '../../usage/store/nextObservation.ts';
import { type Clock, deletedBefore } from '../../usage/store/retention.ts';
import { lastState, stateChange } from '../../usage/store/stateLog.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { accountSeen, type ReadAccount } from './accountSeen.ts';
import type { OpenStore } from './openStore.ts';
import { sameAccountOrStop } from './sameAccount.ts';
import { type Unusable, unusableRecords, usableRecord } from './usableRecord.ts';

/** A server, and the store for its observations. */
export interface ObservationSource {
  readonly store: OpenStore;
  readonly transport: ReadTransport;
  /** The address of the server. */
  readonly server: string;
  readonly concurrency: number;
  /** How long flows are kept, in milliseconds. */
  readonly keep: number;
}

/** The state between two observations of a run. */
export interface LastObservation {
  /** When the whole log was last read. */
  readonly wholeAt: Time;
  /** When the log was last read, and the newest record that it contained. */
  readonly readAt: Time;
  readonly newest: Time;
  readonly places: Places;
}

/** The result of an observation. */
export interface ObservationResult {
  readonly last: LastObservation;
  readonly records: number;
  readonly connected: number;
}

/**
 * How long before the previous observation an observation requests records, in milliseconds.
 * Records arrive up to ten minutes late, and windows last just as long.
 */
const OVERLAP = 30 * 60_000;
/** How often the whole log is read, in milliseconds. This finds records that arrive even later. */
const WHOLE_EVERY = 60 * 60_000;

/**
 * Reads the log, then the account, and stores what is new. Throws a `Stop` if there is no log and this is the first observation
 * of the run.
 */
export async function observeOnce(
  observing: ObservationSource,
  before: LastObservation | null,
  io: Pick<Io, 'now' | 'stderr'>,
): Promise<ObservationResult> {
  const { store, transport, keep } = observing;
  const { writer } = store;
  await store.keep();
  const from = io.now();
  const isWhole = before === null || from - before.wholeAt >= WHOLE_EVERY;
  const since = isWhole ? undefined : before.readAt - OVERLAP;
  const bodies = await logOrStop(transport, since);
  const span = { from, to: io.now() };
  const account = await accountOrStop(observing, io);
  const seen = { span, since, bodies, account };
  const { observation, gaps, records, places } = await observationOf(seen, before, observing);
  warnOf(gaps, { unread: bodies.length - records.length, fault: account.fault }, io);
  await store.keep();
  await writer.append({ ...observation, gaps });
  if (before === null && account.log?.isOn === false) throw isOff();
  const clock = { now: from, skew: transport.skew?.() };
  if (writer.isDue(from - keep)) await deleteOld(observing, clock, io);
  return {
    last: {
      wholeAt: isWhole ? from : before.wholeAt,
      readAt: from,
      newest: newestOf(records),
      places,
    },
    records: records.length,
    connected: account.connected.length,
  };
}

// Reads the account. Throws a `Stop` if it is another one, and if its log is off although nothing was ever read.
async function accountOrStop(
  observing: ObservationSource,
  { now }: Pick<Io, 'now'>,
): Promise<ReadAccount> {
  const { store, transport, concurrency } = observing;
  const { states, manifest } = store.writer;
  const reading = { transport, concurrency, hasPeople: manifest.hasPeople, now };
  const account = await accountSeen(reading, lastState(states));
  await sameAccountOrStop(store, observing.server, account);
  if (account.log?.isOn === false && store.writer.lastRead === null) throw isOff();
  return account;
}

/** What an observation has read. */
interface Seen {
  /** The times between which the log was read. */
  readonly span: Span;
  /** The time from which records were requested; undefined for the whole log. */
  readonly since: Time | undefined;
  /** The records as the log shows them. */
  readonly bodies: Awaited<ReturnType<typeof trafficRecords>>;
  readonly account: ReadAccount;
}

/** What an observation adds to the store. */
interface Added {
  readonly observation: NextObservation['observation'];
  readonly gaps: readonly Gap[];
  readonly records: readonly TrafficRecord[];
  readonly places: Places;
}

async function observationOf(
  { span, since, bodies, account }: Seen,
  before: LastObservation | null,
  { store: { writer }, keep }: ObservationSource,
): Promise<Added> {
  const { from, to } = span;
  const kept = { from: from - keep, to };
  const records = bodies.flatMap(body => usableRecord(body, kept) ?? []);
  await writer.load(new Set(records.map(dayOfRecord)));
  const past = pastOf(writer.states, {
    counted: (day, number) => writer.counted(day, number),
    signs: (day, machine) => writer.signs(day, machine),
  });
  const places = placesFor(account.answers ?? lastState(writer.states), before?.places ?? null);
  const next = nextObservation({ span, records, account, gaps: [] }, past, places.endpointOf);
  const isExpected =
    since === undefined
      ? writer.hasCountedSince(dayOf(from - LONGEST_KEPT) + 1)
      : isSeenAgain(before, since);
  const gaps = gapsOf({
    span,
    lastRead: writer.lastRead,
    settings: [writer.log, account.log].flatMap(one => one ?? []),
    isTorn: isExpected && next.knownCount === 0,
    records,
    unusable: unusableRecords(bodies, kept),
  });
  return { observation: next.observation, gaps, records, places };
}

function warnOf(
  gaps: readonly Gap[],
  { unread, fault }: { readonly unread: number; readonly fault: ReadAccount['fault'] },
  io: Pick<Io, 'stderr'>,
): void {
  // There may be many gaps of single machines.
  for (const { reason, machine, outside } of gaps)
    if (machine === undefined && outside === undefined)
      say(io.stderr, `records may be missing: ${reason}`);
  if (unread > 0)
    say(
      io.stderr,
      `records may be missing: ${counted(unread, 'record')} of the log had no flow, machine or usable time, or an impossible number`,
    );
  if (fault !== null) say(io.stderr, `what access depends on could not be read: ${fault}`);
}

// Deletes old records, unless the clock may be wrong. Records that are deleted because of a wrong
// clock cannot be restored.
async function deleteOld(
  { store: { name, writer }, keep }: ObservationSource,
  clock: Omit<Clock, 'newest'>,
  io: Pick<Io, 'stderr'>,
): Promise<void> {
  const before = deletedBefore(keep, { ...clock, newest: writer.newest });
  if (before === null)
    say(
      io.stderr,
      `the clock of this machine differs from the clock of the server, so nothing is deleted from the store ${nameText(name)}`,
    );
  await writer.compact(before === null ? {} : { before });
}

const isSeenAgain = (before: LastObservation | null, since: Time): boolean =>
  before !== null && before.newest >= since;

const newestOf = (records: readonly TrafficRecord[]): Time =>
  records.reduce((newest, { happenings: [first] }) => Math.max(newest, first.from), 0);

/** Resolves the endpoints of records to objects of an account. */
interface Places {
  readonly answers: Fields;
  readonly endpointOf: EndpointOf;
}

// The table for the look-up of endpoints. Endpoints are looked up among thousands of declared
// addresses, so the table is reused while nothing changes.
function placesFor(answers: Fields | null, known: Places | null): Places {
  const wanted = answers ?? {};
  if (known !== null && stateChange(known.answers, wanted) === null) return known;
  const answered = stateOfAnswers(wanted);
  return {
    answers: wanted,
    endpointOf: endpointsIn('faults' in answered ? null : answered.state),
  };
}

interface GapInput {
  readonly span: Span;
  /** When the last observation ended, in this run or an earlier run. */
  readonly lastRead: Time | null;
  /** The settings of the log in the last observation and in this one, if they are known. */
  readonly settings: readonly LogSettings[];
  /** Whether the log has no record in common with the previous observation. */
  readonly isTorn: boolean;
  readonly records: readonly TrafficRecord[];
  readonly unusable: Unusable;
}

// The times in which records may have been missed, with the reasons.
function gapsOf({ span, lastRead, settings, isTorn, records, unusable }: GapInput): readonly Gap[] {
  const gaps: Gap[] = [];
  const from = lastRead ?? span.from;
  const isLate = span.from - from > LONGEST_KEPT;
  // The settings changed at an unknown time since the last observation.
  if (settings.some(({ isOn }) => !isOn))
    gaps.push({ from, to: span.to, reason: 'the log was off' });
  else if (isLate)
    gaps.push({
      from,
      to: span.from - LONGEST_KEPT,
      reason: `nobody read the log for more than the ${LONGEST_KEPT / DAY_MS} days that the server keeps it`,
    });
  else if (isTorn && records.length > 0)
    gaps.push({
      from,
      to: span.to,
      reason: `the log no longer showed any record of the previous observation: it keeps at most ${MOST_RECORDS.toLocaleString('en')} records`,
    });
  const unread = { from, to: span.to };
  for (const { groups } of settings)
    if (groups.length > 0)
      gaps.push({
        ...unread,
        reason: 'the log was limited to some groups',
        outside: groups.toSorted(compareTexts),
      });
  if (unusable.ofNobody > 0)
    gaps.push({ ...unread, reason: 'records of the log did not say which machine reported them' });
  for (const machine of unusable.byMachine.keys())
    gaps.push({
      ...unread,
      reason: 'records of a machine had no flow or usable time, or an impossible number',
      machine,
    });
  return gaps;
}

const NO_LOG: ReadonlySet<number> = new Set([403, 404]);

async function logOrStop(
  transport: ReadTransport,
  since: Time | undefined,
): ReturnType<typeof trafficRecords> {
  try {
    return await trafficRecords(transport, since === undefined ? since : momentOfClock(since));
  } catch (error) {
    if (!(error instanceof ApiError) || !NO_LOG.has(error.details.status ?? 0)) throw error;
    const isDenied = error.details.status === 403;
    throw new Stop(
      EXIT.environment,
      isDenied
        ? 'the server does not show the traffic log to the user of this token'
        : 'the server has no traffic log: only the hosted service offers it',
      isDenied
        ? 'use the token of an administrator, or check that the plan of the account includes the log'
        : 'read exported logs with --from FILE',
    );
  }
}

const isOff = (): Stop =>
  new Stop(
    EXIT.environment,
    'the traffic log of the account is off',
    'switch it on in the settings of the account (docs/observing.md)',
  );
