// Which rows of a matrix have the same cells, and which columns.

/** The places from 0 to `count`, grouped by equal lists of cells; groups are in the order of their first places. */
export function alike(
  count: number,
  cellsAt: (at: number) => readonly (number | string | undefined)[],
): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (let at = 0; at < count; at++) {
    const name = cellsAt(at).join();
    const known = groups.get(name);
    if (known) known.push(at);
    else groups.set(name, [at]);
  }
  return [...groups.values()];
}
