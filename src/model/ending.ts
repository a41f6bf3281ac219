// An end: of an object, or of a member of one of its lists, at a time in the files.
import type { Span } from './diagnostic.ts';
import type { Key, KindName } from './names.ts';
import { hasDay } from './text/calendar.ts';
import type { Fields, Path } from './value.ts';

/** A member of a list that ends. */
export interface MemberEnd {
  /** The path of the list in the fields of the object. */
  readonly list: Path;
  readonly member: string;
  /** The time of the end, as written. */
  readonly until: string;
  readonly at: Span;
}

/** The parts of an object that had ended when the clock was read. */
export interface Ended {
  /** Whether the object itself had ended. */
  readonly isWhole: boolean;
  /** The fields as declared, including members that have ended. */
  readonly fields: Fields;
  /** The members that have ended, by their list in these fields. */
  readonly members: readonly EndedMembers[];
}

/** Members of one list that have ended. */
export interface EndedMembers {
  readonly list: Path;
  readonly names: ReadonlySet<string>;
}

/** One end: of an object, or of a member of one of its lists. */
export interface Ending {
  readonly kind: KindName;
  readonly key: Key;
  /** The member, and the path of its list; absent if the object itself ends. */
  readonly member?: string;
  readonly list?: Path;
  /** The time of the end, in milliseconds. */
  readonly until: number;
  readonly at: Span;
}

const DAY = 24 * 60 * 60 * 1000;

/** Times outside of these years have another form in plans and journals, in which nothing could read them again. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const withinYears = (time: number): number => Math.min(Math.max(time, FIRST), LAST);

const FORM =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * The time of an end, in milliseconds, in a year of four digits: a date ends at 24:00 UTC. For an invalid text, the reason.
 */
export function endOf(text: string): number | 'form' | 'calendar' | 'zone' {
  const { day, hour, zone } = FORM.exec(text)?.groups ?? {};
  if (day === undefined) return 'form';
  if (!hasDay(day)) return 'calendar';
  if (hour === undefined) return withinYears(Date.parse(day) + DAY);
  if (zone === undefined) return 'zone';
  const time = Date.parse(text);
  return Number.isNaN(time) ? 'calendar' : withinYears(time);
}

/** The time of a checked text; undefined without a text. */
export function endTime(text: string | undefined): number | undefined {
  const time = text === undefined ? undefined : endOf(text);
  return typeof time === 'number' ? time : undefined;
}

/** A time in the form of plans and messages. */
export const timeText = (time: number): string =>
  new Date(time).toISOString().replace('.000Z', 'Z');
