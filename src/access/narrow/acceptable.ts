// The part of a list that can be accepted together.

/** As many of `more` as `holds` together with `accepted`: halves that hold as a whole are not taken apart. */
export function acceptable<T>(
  more: readonly T[],
  holds: (some: readonly T[]) => boolean,
  accepted: readonly T[] = [],
): readonly T[] {
  if (more.length === 0 || holds([...accepted, ...more])) return more;
  if (more.length === 1) return [];
  const middle = Math.ceil(more.length / 2);
  const first = acceptable(more.slice(0, middle), holds, accepted);
  const second = acceptable(more.slice(middle), holds, [...accepted, ...first]);
  return [...first, ...second];
}
