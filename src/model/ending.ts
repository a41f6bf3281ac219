// The expiry of objects and of members of their lists: the files set a time (`until`) after which a
// run removes them.
import type { Span } from './diagnostic.ts';
import type { Key, KindName } from './names.ts';
import { hasDay } from './text/calendar.ts';
import type { Fields, Path } from './value.ts';

/** A list member with an end time. */
export interface MemberEnd {
  /** The path of the list in the fields of the object. */
  readonly list: Path;
  readonly member: string;
  /** The end time, as written. */
  readonly until: string;
  readonly at: Span;
}

/** The parts of an object whose end time had passed when the clock was read. */
export interface Ended {
  /** Whether the end time of the object itself had passed. */
  readonly isWhole: boolean;
  /** The fields as declared, including expired members. */
  readonly fields: Fields;
  /** The expired members, by their list in these fields. */
  readonly members: readonly EndedMembers[];
}

/** Members of one list whose end time has passed. */
export interface EndedMembers {
  readonly list: Path;
  readonly names: ReadonlySet<string>;
}

/** The end time of an object, or of a member of one of its lists. */
export interface Ending {
  readonly kind: KindName;
  readonly key: Key;
  /** The member, and the path of its list; absent if the object itself expires. */
  readonly member?: string;
  readonly list?: Path;
  /** The end time, in milliseconds. */
  readonly until: number;
  readonly at: Span;
}

const DAY = 24 * 60 * 60 * 1000;

/** Years outside this range are written differently, and readers of plans and journals do not accept that form. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

const withinYears = (time: number): number => Math.min(Math.max(time, FIRST), LAST);

const FORM =
  /^(?<day>\d{4}-\d{2}-\d{2})(?:T(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/;

/** The end time in milliseconds; a date ends at 24:00 UTC, and the year has four digits. For an invalid text, the reason. */
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
