// Dates in texts.

/** Whether the calendar has the day that a text begins with, as year-month-day: the platform would read 30 February as a day in March. */
export function hasDay(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** The time that a text in RFC 3339 means, in milliseconds; NaN if there is none. */
export const timeIn = (text: string): number => (hasDay(text) ? Date.parse(text) : Number.NaN);
