// Where a value of a declared object is written.
import type { Span } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { pointer } from '../../model/text/pointer.ts';
import type { Path } from '../../model/value.ts';

/** The position of the value at a path, or of its nearest declared ancestor. */
export function positionOf({
  object,
  path,
}: {
  readonly object: Desired;
  readonly path: Path;
}): Span {
  for (let length = path.length; length > 0; length--) {
    const span = object.spans[pointer(path.slice(0, length))];
    if (span) return span;
  }
  return object.at;
}
