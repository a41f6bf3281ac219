// Whether two paths inside an object lead to, or into, one value.
import type { Path } from '../../model/value.ts';

/** Whether one of the two paths begins with the other. */
export function overlaps(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, i) => step === other[i]);
}
