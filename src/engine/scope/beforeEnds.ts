// Declarations with the members that have ended: what they named must be read, and what they held is dropped.
import type { Desired } from '../../model/object.ts';

/** The objects of which something has ended, as they are declared. */
export const beforeEnds = (desired: readonly Desired[]): readonly Desired[] =>
  desired.flatMap(object => (object.ended ? { ...object, fields: object.ended.fields } : []));
