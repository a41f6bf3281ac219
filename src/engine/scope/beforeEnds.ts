// Declarations including ended members: the objects that they refer to must be read, and the values that they hold are removed.
import type { Desired } from '../../model/object.ts';

/** The objects of which something has ended, as they are declared. */
export const beforeEnds = (desired: readonly Desired[]): readonly Desired[] =>
  desired.flatMap(object => (object.ended ? { ...object, fields: object.ended.fields } : []));
