// Declarations including ended members. The targets of these members must be read, and the members must be removed.
import type { Desired } from '../../model/object.ts';

/** The objects that have ended, or contain ended members, as the files declare them. */
export const beforeEnds = (desired: readonly Desired[]): readonly Desired[] =>
  desired.flatMap(object => (object.ended ? { ...object, fields: object.ended.fields } : []));
