// Values that are computed on demand, and only once.

/** Returns a function that calls `find` at most once and keeps the result. */
export function once<T extends object | boolean>(find: () => T): () => T {
  let found: T | undefined;
  return () => {
    found ??= find();
    return found;
  };
}

/** Computes a value only once for each compiled state. */
export function perWorld<W extends object, T extends object>(
  find: (world: W) => T,
): (world: W) => T {
  const known = new WeakMap<W, T>();
  return world => {
    const found = known.get(world) ?? find(world);
    known.set(world, found);
    return found;
  };
}
