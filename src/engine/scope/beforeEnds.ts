// Declarations including their ended members. The run must read the targets of these members and
// remove the members.
import type { Desired } from '../../model/object.ts';

/** The objects that have ended, or contain ended members, as the files declare them. */
export const beforeEnds = (desired: readonly Desired[]): readonly Desired[] =>
  desired.flatMap(object => (object.ended ? { ...object, fields: object.ended.fields } : []));
