// Sets to which several declarations may add members.
import type { KindName } from '../../model/names.ts';
import type { Field, Kind } from '../kind.ts';

/** The sets of a kind in which several folders may declare members. */
export const sharedSets = (kind: Kind | undefined): readonly Field[] =>
  kind ? [...kind.shape.fields.values()].filter(({ shared }) => shared) : [];

/** The kind of the members of a set. */
export const memberKind = ({ shape }: Field): KindName | undefined =>
  shape.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
