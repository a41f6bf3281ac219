// Changes → actions with everything that their order hangs on. Two for a replacement, none for what a cascade deletes.
import { addressOf } from '../model/key.ts';
import type { Address, Key } from '../model/names.ts';
import type { Action } from '../model/plan.ts';
import type { Fields } from '../model/value.ts';
import { createAction, deleteAction, updateAction } from './actions.ts';
import type { ObjectChange } from './changes.ts';
import { type Claims, claimsOf } from './claims.ts';
import { declaredFields, type PlanContext, resultingFields } from './context.ts';
import type { IdOf } from './digest.ts';
import type { Draft } from './draft.ts';
import { parentKey } from './naming.ts';
import { heldBy, membersOf, pointedAt, writtenThrough } from './pointers.ts';
import type { Reach } from './reach.ts';

/** What drafting needs besides the changes. */
export interface DraftContext extends PlanContext {
  readonly reach: Reach;
  /** What keys stand for when the plan is made. */
  readonly idOf: IdOf;
}

/** The drafts of all changes. */
export function draftActions(objects: readonly ObjectChange[], context: DraftContext): Draft[] {
  const along = Map.groupBy(objects, ({ change }) => change.with);
  const replaced = objects.filter(({ change }) => change.type === 'replace');
  const renewed = new Set(replaced.map(({ change }) => change.address));
  const ofKind = Map.groupBy(objects, ({ change }) => change.kind);
  return objects
    .filter(({ change }) => change.with === undefined)
    .flatMap(object => {
      const children = along.get(object.change.address) ?? [];
      const { needs } = context.kind(object.change.kind);
      const needed = needs
        .flatMap(name => ofKind.get(name) ?? [])
        .map(({ change }) => change.address);
      return draftsOf(object, children, renewed, context).map(draft => inNeedOf(draft, needed));
    });
}

// What must be there without being pointed at comes before and goes after, like what is.
function inNeedOf(draft: Draft, needed: readonly Address[]): Draft {
  if (needed.length === 0) return draft;
  const all = new Set(needed);
  const isGone = draft.action.verb === 'delete';
  return isGone
    ? { ...draft, loses: draft.loses.union(all) }
    : { ...draft, gains: draft.gains.union(all) };
}

/** How an object stands to others, at one end of its change. */
interface Standing {
  readonly fields: Fields;
  /** What it points at and what it is in. */
  readonly points: ReadonlySet<Address>;
  /** Objects that hold the other side of what its fields say. */
  readonly through: ReadonlySet<Address>;
  readonly claims: Claims;
  readonly parent: Key | undefined;
}

const NOTHING: ReadonlySet<never> = new Set();
const NOWHERE: Standing = {
  ...{ fields: {}, points: NOTHING, through: NOTHING, parent: undefined },
  claims: { takes: NOTHING, holds: NOTHING },
};

function draftsOf(
  object: ObjectChange,
  children: readonly ObjectChange[],
  renewed: ReadonlySet<Address>,
  context: DraftContext,
): Draft[] {
  const { change } = object;
  const [before, after] = [standingBefore(object, context), standingAfter(object, context)];
  const touches = touched(object, before, after, context);
  const none = { gains: NOTHING, loses: NOTHING, removes: NOTHING };
  const parts = {
    kind: context.kind(change.kind),
    declared: object.desired ? declaredFields(object.desired, context) : {},
  };
  const made = (fields: Fields): Draft => ({
    ...{ ...none, change, touches, ...claimed(NOWHERE, after), outcome: after },
    action: createAction(object, { ...parts, fields, through: after.through }),
    gains: after.points,
  });
  const gone = (): Draft => ({
    ...{ ...none, change, touches, ...claimed(before, NOWHERE), outcome: null },
    action: deleteAction(object, { ...parts, fields: {}, through: before.through }),
    loses: before.points,
    removes: new Set([change.address]),
  });
  switch (change.type) {
    case 'create':
      return [made(change.after ?? {})];
    case 'replace':
      return [made(after.fields), gone()];
    case 'delete':
      return [children.reduce((draft, child) => withChild(draft, child, context), gone())];
    case 'update': {
      const anew = after.points.intersection(renewed);
      const fields = { ...fieldsPointingAt(anew, after, object, context), ...change.after };
      const through = before.through.union(after.through);
      return [
        {
          ...{ ...none, change, touches, ...claimed(before, after), outcome: after },
          action: updateAction(object, { ...parts, fields, through }, context.idOf),
          gains: after.points.difference(before.points).union(anew),
          loses: before.points.difference(after.points),
        },
      ];
    }
  }
}

// What is claimed now and was not before, and the other way round.
function claimed(before: Standing, after: Standing): Pick<Draft, 'takes' | 'holds' | 'leaves'> {
  return {
    takes: after.claims.takes.difference(before.claims.takes),
    holds: after.claims.holds.difference(before.claims.holds),
    leaves: before.claims.holds.difference(after.claims.holds),
  };
}

function standingBefore({ live }: ObjectChange, context: DraftContext): Standing {
  if (!live) return NOWHERE;
  const parent = parentKey(context.kind(live.kind), live, context.naming);
  return standing(live, context.fieldsOf(live), parent, context);
}

function standingAfter({ change, desired, live }: ObjectChange, context: DraftContext): Standing {
  if (!desired || change.type === 'delete') return NOWHERE;
  const kind = context.kind(desired.kind);
  const fields = resultingFields(kind, change.after ?? {}, live, context);
  return standing(desired, fields, desired.parent, context);
}

function standing(
  object: Pick<ObjectChange['change'], 'kind'>,
  fields: Fields,
  parent: Key | undefined,
  context: DraftContext,
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

// Of a shared set only the members that come or go count, and only while the set stands: a new one gives its members
// nothing until something points at it, and one that goes takes nothing from them once nothing does.
function touched(
  { change }: ObjectChange,
  before: Standing,
  after: Standing,
  context: DraftContext,
): ReadonlySet<Address> {
  const kind = context.kind(change.kind);
  const held = heldBy(kind, before.fields).union(heldBy(kind, after.fields));
  if (change.type !== 'update') return held;
  return held.union(
    membersOf(kind, before.fields).symmetricDifference(membersOf(kind, after.fields)),
  );
}

// A field that the files leave as it is must be sent by name where it points at what is made anew.
function fieldsPointingAt(
  targets: ReadonlySet<Address>,
  after: Standing,
  { change }: ObjectChange,
  context: DraftContext,
): Fields {
  const kind = context.kind(change.kind);
  const entries = Object.entries(after.fields).filter(
    ([name, value]) => !pointedAt(kind, { [name]: value }).isDisjointFrom(targets),
  );
  return Object.fromEntries(entries);
}

// What goes along goes in this action: it lets go of what it points at, and others must let go of it before.
function withChild(draft: Draft, child: ObjectChange, context: DraftContext): Draft {
  const { address } = child.change;
  const before = standingBefore(child, context);
  const [own, ...others] = draft.action.writes;
  const along = new Set([...others, address, ...before.through]);
  const action: Action = {
    ...draft.action,
    writes: [own ?? draft.action.address, ...[...along].sort()],
  };
  return {
    ...draft,
    action,
    touches: draft.touches.union(touched(child, before, NOWHERE, context)),
    loses: draft.loses.union(before.points),
    removes: draft.removes.union(new Set([address])),
    leaves: draft.leaves.union(before.claims.holds),
  };
}
