// Declarations including ended members: the objects that these members refer to must be read, and the values that they hold are
// removed.
import type { Desired } from '../../model/object.ts';

/** The objects with ended members or ended as a whole, as the files declare them. */
export const beforeEnds = (desired: readonly Desired[]): readonly Desired[] =>
  desired.flatMap(object => (object.ended ? { ...object, fields: object.ended.fields } : []));
