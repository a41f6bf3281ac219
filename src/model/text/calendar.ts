// Dates in texts.

/** Whether the day at the beginning of a text (year-month-day) exists. `Date.parse` would read 30 February as a day in March. */
export function hasDay(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** The time of a text in RFC 3339, in milliseconds; NaN if the text is not a valid time. */
export const timeIn = (text: string): number => (hasDay(text) ? Date.parse(text) : Number.NaN);
