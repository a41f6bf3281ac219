// The declarations of a base that an undo has replaced with the state that it wrote.
import type { Key, KindName } from './names.ts';
import type { Desired } from './object.ts';

/** An object that an undo wrote, under its name in the base. */
export interface UndoneDeclaration {
  readonly kind: KindName;
  readonly key: Key;
  /** The id of the run that was undone, if it is known. */
  readonly run?: string | undefined;
  /** The declaration as it was applied; absent if the base did not declare the object. */
  readonly applied?: Desired;
}
