// How an object stands to others: what it points at, what it writes along, what only it may hold.
import { addressOf } from '../model/key.ts';
import type { Address, Key, KindName } from '../model/names.ts';
import type { Fields } from '../model/value.ts';
import type { ObjectChange } from './changes.ts';
import { type Claims, claimsOf } from './claims.ts';
import { type PlanContext, resultingFields } from './context.ts';
import type { Draft } from './draft.ts';
import { parentKey } from './naming.ts';
import { pointedAt, writtenThrough } from './pointers.ts';
import type { Reach } from './reach.ts';
import { replacementFields } from './replacement.ts';

/** What a standing is known by. */
export interface StandingContext extends PlanContext {
  readonly reach: Reach;
}

/** How an object stands to others at one end of its change. */
export interface Standing {
  readonly fields: Fields;
  /** What it points at and what it is in. */
  readonly points: ReadonlySet<Address>;
  /** Objects that hold the other side of what its fields say. */
  readonly through: ReadonlySet<Address>;
  readonly claims: Claims;
  readonly parent: Key | undefined;
}

export const NOTHING: ReadonlySet<never> = new Set();
/** How something stands that is not there. */
export const NOWHERE: Standing = {
  ...{ fields: {}, points: NOTHING, through: NOTHING, parent: undefined },
  claims: { takes: NOTHING, holds: NOTHING },
};

/** What is claimed now and was not before, and the other way round. */
export function claimed(
  before: Standing,
  after: Standing,
): Pick<Draft, 'takes' | 'holds' | 'leaves'> {
  return {
    takes: after.claims.takes.difference(before.claims.takes),
    holds: after.claims.holds.difference(before.claims.holds),
    leaves: before.claims.holds.difference(after.claims.holds),
  };
}

/** Before its change. */
export function standingBefore({ live }: ObjectChange, context: StandingContext): Standing {
  if (!live) return NOWHERE;
  const parent = parentKey(context.kind(live.kind), live, context.naming);
  return standing(live, context.fieldsOf(live), parent, context);
}

/** Once its change is made. */
export function standingAfter(
  { change, desired, live }: ObjectChange,
  context: StandingContext,
): Standing {
  if (!desired || change.type === 'delete') return NOWHERE;
  const kind = context.kind(desired.kind);
  const owned = change.after ?? {};
  const fields =
    change.type === 'replace' && live
      ? replacementFields(kind, owned, live, context)
      : resultingFields(kind, owned, live, context);
  return standing(desired, fields, desired.parent, context);
}

function standing(
  object: { readonly kind: KindName },
  fields: Fields,
  parent: Key | undefined,
  context: StandingContext,
): Standing {
  const kind = context.kind(object.kind);
  const home = kind.parent && parent !== undefined ? [addressOf(kind.parent, parent)] : [];
  return {
    fields,
    parent,
    points: pointedAt(kind, fields).union(new Set(home)),
    through: writtenThrough(kind, fields),
    claims: claimsOf(kind, fields, parent, context.reach),
  };
}
