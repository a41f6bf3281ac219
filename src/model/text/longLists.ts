// Functions for lists of any length. A call with one argument for each entry overflows the stack at about a hundred thousand
// entries.

/** Adds all items to a list. */
export function addAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** The largest of some numbers, or `least` if none is larger. */
export function largest(least: number, numbers: Iterable<number>): number {
  let found = least;
  for (const number of numbers) if (number > found) found = number;
  return found;
}
