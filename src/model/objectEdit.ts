// An edit of what files declare: of an object, or of one item of a list in it.
import type { Desired } from './object.ts';
import type { Json, Path } from './value.ts';

/** An edit of an object, or of the item at `path` in it. */
export interface ObjectEdit {
  /** The object as the files declare it. */
  readonly object: Desired;
  /** Empty for the object itself. */
  readonly path: Path;
  /** The new values of its fields, undefined for a field that goes; absent if the whole is removed. */
  readonly fields?: Readonly<Record<string, Json | undefined>>;
}
