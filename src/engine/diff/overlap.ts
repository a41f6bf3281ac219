// Whether two paths in an object overlap.
import type { Path } from '../../model/value.ts';

/** Whether one of the two paths is a prefix of the other. */
export function overlaps(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, i) => step === other[i]);
}
