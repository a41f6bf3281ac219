// An edit of a declared object, or of one item of a list in it.
import type { Desired } from './object.ts';
import type { Json, Path } from './value.ts';

/** An edit of an object, or of its item at `path`. */
export interface ObjectEdit {
  /** The object as the files declare it. */
  readonly object: Desired;
  /** Empty for the object itself. */
  readonly path: Path;
  /** The new values of fields, undefined for a removed field; absent if the whole object or item is removed. */
  readonly fields?: Readonly<Record<string, Json | undefined>>;
}
