// Finds the items of a list that can be accepted together.

/**
 * The items of `more` that can be accepted together with `accepted`: `holds` is true for all these
 * items together. A list that is not accepted as a whole is halved, and each half is tried.
 */
export function acceptableItems<T>(
  more: readonly T[],
  holds: (some: readonly T[]) => boolean,
  accepted: readonly T[] = [],
): readonly T[] {
  if (more.length === 0 || holds([...accepted, ...more])) return more;
  if (more.length === 1) return [];
  const middle = Math.ceil(more.length / 2);
  const first = acceptableItems(more.slice(0, middle), holds, accepted);
  const second = acceptableItems(more.slice(middle), holds, [...accepted, ...first]);
  return [...first, ...second];
}
