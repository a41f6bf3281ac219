// Random values.
export type Draw = () => number;

export function below(draw: Draw, end: number): number {
  return Math.floor(draw() * end);
}

export function chance(draw: Draw, share: number): boolean {
  return draw() < share;
}

export function pick<T>(draw: Draw, some: readonly T[]): T {
  const found = some[below(draw, some.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** Some of what there is, in any order, with repetitions. */
export function several<T>(draw: Draw, make: () => T, most: number): T[] {
  return Array.from({ length: below(draw, most + 1) }, make);
}
