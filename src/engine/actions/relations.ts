// The relations of an object: its references, the other objects that change when it is written, and its unique values.
import type { Kind } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Fields } from '../../model/value.ts';
import { pointedAt, writtenThrough } from '../diff/references.ts';
import { replacementFields } from '../diff/replacement.ts';
import { parentKey } from '../pairing/naming.ts';
import { resultingFields } from '../pairing/planContext.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import type { Reach } from './reach.ts';
import { type UniqueConstraints, uniqueConstraintsOf } from './uniqueConstraints.ts';

/** The inputs that determine the relations of an object. */
export interface RelationsContext extends PlanContext {
  readonly reach: Reach;
}

/** The relations of an object before or after its change. */
export interface Relations {
  readonly fields: Fields;
  /** The objects to which it refers, including its parent. */
  readonly points: ReadonlySet<Address>;
  /** Objects whose fields contain the reverse references of this object's fields. */
  readonly through: ReadonlySet<Address>;
  readonly constraints: UniqueConstraints;
  readonly parent: Key | undefined;
}

/** An empty set of any type. */
export const NOTHING: ReadonlySet<never> = new Set();
/** The relations of an absent object. */
export const NOWHERE: Relations = {
  fields: {},
  points: NOTHING,
  through: NOTHING,
  parent: undefined,
  constraints: { needed: NOTHING, held: NOTHING },
};

/** The unique constraints that a change adds and removes. */
export function constraintChanges(
  before: Relations,
  after: Relations,
): Pick<Draft, 'neededValues' | 'newlyHeldValues' | 'freedValues'> {
  return {
    neededValues: after.constraints.needed.difference(before.constraints.needed),
    newlyHeldValues: after.constraints.held.difference(before.constraints.held),
    freedValues: before.constraints.held.difference(after.constraints.held),
  };
}

/** The addresses of the objects that may contain an object: one for each suffix of its dotted name. */
export function placesOver({ identitySuffix }: Kind, fields: Fields): readonly Address[] {
  const text = identitySuffix && fields[identitySuffix.field];
  if (!identitySuffix || typeof text !== 'string') return [];
  const labels = text.split('.');
  const ends = labels.map((_, from) => labels.slice(from).join('.'));
  return identitySuffix.kinds.flatMap(name => ends.map(end => addressOf(name, end as Key)));
}

/** The relations before the change; empty for an object that the change creates. */
export function relationsBefore({ live }: ObjectChange, context: RelationsContext): Relations {
  if (!live) return NOWHERE;
  const parent = parentKey(context.kind(live.kind), live, context.naming);
  return relationsOf(live, context.fieldsOf(live), parent, context);
}

/** The relations after the change; empty for an object that the change deletes. */
export function relationsAfter(
  { change, desired, live }: ObjectChange,
  context: RelationsContext,
): Relations {
  if (!desired || change.type === 'delete') return NOWHERE;
  const kind = context.kind(desired.kind);
  const owned = change.after ?? {};
  const fields =
    change.type === 'replace' && live
      ? replacementFields(kind, owned, live, context)
      : resultingFields(kind, owned, live, context);
  return relationsOf(desired, fields, desired.parent, context);
}

function relationsOf(
  object: { readonly kind: KindName },
  fields: Fields,
  parent: Key | undefined,
  context: RelationsContext,
): Relations {
  const kind = context.kind(object.kind);
  const home = kind.parent && parent !== undefined ? [addressOf(kind.parent, parent)] : [];
  return {
    fields,
    parent,
    points: pointedAt(kind, fields).union(new Set([...home, ...placesOver(kind, fields)])),
    through: writtenThrough(kind, fields),
    constraints: uniqueConstraintsOf(kind, fields, parent, context.reach),
  };
}
