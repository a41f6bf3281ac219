// Groups items by name. Each item may have several names.

/** The items for each name, without duplicates. */
export function listsBy<T>(
  items: readonly T[],
  namesOf: (item: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const lists = new Map<string, T[]>();
  for (const item of items)
    for (const name of new Set(namesOf(item))) {
      const list = lists.get(name);
      if (list) list.push(item);
      else lists.set(name, [item]);
    }
  return lists;
}
