// Groups the rows of a matrix that have equal cells, and the columns that have equal cells.

/**
 * The positions from 0 to `count` - 1, grouped by equal lists of cells. Groups are in the order of
 * their first positions.
 */
export function groupedByCells(
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
