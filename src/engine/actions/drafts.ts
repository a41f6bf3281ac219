// Turns changes into drafts of actions, with everything that determines the order of the actions. A
// replacement has two drafts; a cascaded delete has none.
import type { Address } from '../../model/names.ts';
import type { RestoredSet } from '../../model/plan.ts';
import type { Fields } from '../../model/value.ts';
import { type Movement, movingIn } from '../diff/movements.ts';
import { heldBy, membersOf, pointedAt } from '../diff/references.ts';
import { declaredFields } from '../pairing/planContext.ts';
import type { Draft } from '../types/draft.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import { type ActionParts, createAction, deleteAction, updateAction } from './actions.ts';
import type { Preconditions } from './preconditions.ts';
import {
  constraintChanges,
  NOTHING,
  NOWHERE,
  type Relations,
  type RelationsContext,
  relationsAfter,
  relationsBefore,
} from './relations.ts';

/** The context in which changes become drafts. */
interface DraftContext extends RelationsContext {
  readonly preconditions: Preconditions;
  readonly movements: readonly Movement[];
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
      const { requires } = context.kind(object.change.kind);
      const needed = requires
        .flatMap(name => ofKind.get(name) ?? [])
        .map(({ change }) => change.address);
      return draftsOf(object, { children, renewed }, context).map(draft => inNeedOf(draft, needed));
    });
}

// The draft, with the objects that it requires. Like the targets of references, these objects are
// created before the draft's object and deleted after it.
function inNeedOf(draft: Draft, needed: readonly Address[]): Draft {
  if (needed.length === 0) return draft;
  const all = new Set(needed);
  const isGone = draft.action.verb === 'delete';
  return isGone
    ? { ...draft, lostTargets: draft.lostTargets.union(all) }
    : { ...draft, newTargets: draft.newTargets.union(all) };
}

/** Other objects that affect how a change is carried out. */
interface Others {
  /** Objects that the server deletes together with this object. */
  readonly children: readonly ObjectChange[];
  /** Objects that the plan replaces with new objects. */
  readonly renewed: ReadonlySet<Address>;
}

function draftsOf(
  object: ObjectChange,
  { children, renewed }: Others,
  context: DraftContext,
): Draft[] {
  const { change } = object;
  const subject = subjectOf(object, context);
  switch (change.type) {
    case 'create':
      return [creation(subject, change.after ?? {})];
    case 'replace':
      return replacement(subject);
    case 'delete': {
      const draft = deletion(subject);
      return [children.length === 0 ? draft : withChildren(draft, children, context)];
    }
    case 'update':
      return [update(subject, renewed, context)];
  }
}

/** The common inputs of all drafts of one change. */
interface Subject {
  readonly object: ObjectChange;
  readonly before: Relations;
  readonly after: Relations;
  readonly allTargets: ReadonlySet<Address>;
  readonly parts: Pick<ActionParts, 'kind' | 'declared' | 'preconditions'>;
}

function subjectOf(object: ObjectChange, context: DraftContext): Subject {
  const before = relationsBefore(object, context);
  const after = relationsAfter(object, context);
  return {
    object,
    before,
    after,
    allTargets: touched(object, before, after, context),
    parts: {
      kind: context.kind(object.change.kind),
      declared: object.desired ? declaredFields(object.desired, context) : {},
      preconditions: context.preconditions,
    },
  };
}

const NO_EFFECTS = { newTargets: NOTHING, lostTargets: NOTHING, removes: NOTHING, moves: NOTHING };

const creation = ({ object, after, allTargets, parts }: Subject, fields: Fields): Draft => ({
  ...NO_EFFECTS,
  change: object.change,
  allTargets,
  ...constraintChanges(NOWHERE, after),
  outcome: after,
  action: createAction(object, { ...parts, fields, through: after.through }),
  newTargets: after.points,
});

const deletion = ({ object, before, allTargets, parts }: Subject): Draft => ({
  ...NO_EFFECTS,
  change: object.change,
  allTargets,
  ...constraintChanges(before, NOWHERE),
  outcome: null,
  action: deleteAction(object, { ...parts, fields: {}, through: before.through }),
  lostTargets: before.points,
  removes: new Set([object.change.address]),
});

function replacement(subject: Subject): Draft[] {
  const { object, before, after } = subject;
  // The plan shows the new object, including all fields that are copied from the old object.
  const kept = Object.entries(before.fields).filter(([name]) => name in after.fields);
  const change = { ...object.change, before: Object.fromEntries(kept), after: after.fields };
  return [creation(subject, after.fields), deletion(subject)].map(draft => ({ ...draft, change }));
}

function update(
  { object, before, after, allTargets, parts }: Subject,
  renewed: ReadonlySet<Address>,
  context: DraftContext,
): Draft {
  const { change } = object;
  const { movements } = context;
  const anew = after.points.intersection(renewed);
  const pointing = fieldsPointingAt(anew, after, object, context);
  const fields = { ...pointing, ...change.after };
  // A new secret alone does not write a field.
  const isRenewedOnly =
    change.renews && change.fields.length === 0 && Object.keys(pointing).length === 0;
  const kept = Object.keys(pointing).map(name => [name, before.fields[name] ?? null] as const);
  const moves = movedBy(change.address, movements);
  return {
    ...NO_EFFECTS,
    change: {
      ...change,
      after: fields,
      before: { ...Object.fromEntries(kept), ...change.before },
    },
    allTargets,
    moves,
    ...constraintChanges(before, after),
    outcome: after,
    ...(object.live && { live: object.live }),
    action: updateAction(object, {
      ...parts,
      fields: isRenewedOnly ? {} : fields,
      through: before.through.union(after.through).union(moves),
      moving: movingIn(movements, change.address),
      restores: restoredBy(change.address, movements),
    }),
    newTargets: after.points.difference(before.points).union(anew),
    lostTargets: before.points.difference(after.points),
  };
}

const movedBy = (source: Address, movements: readonly Movement[]): ReadonlySet<Address> =>
  new Set(movements.flatMap(one => (one.source === source ? one.set : [])));

const restoredBy = (source: Address, movements: readonly Movement[]): readonly RestoredSet[] =>
  movements.flatMap(one => (one.source === source && one.restored ? one.restored : []));

// The objects that a change affects. In a shared set, only added and removed members count, and
// only while the set exists. A new set gives its members no access until an object refers to it. A
// deleted set removes no access if no object refers to it.
function touched(
  { change }: ObjectChange,
  before: Relations,
  after: Relations,
  context: DraftContext,
): ReadonlySet<Address> {
  const kind = context.kind(change.kind);
  const held = heldBy(kind, before.fields).union(heldBy(kind, after.fields));
  if (change.type !== 'update') return held;
  return held.union(
    membersOf(kind, before.fields).symmetricDifference(membersOf(kind, after.fields)),
  );
}

// The undeclared fields that refer to a replaced object. An update must send these fields.
function fieldsPointingAt(
  targets: ReadonlySet<Address>,
  after: Relations,
  { change }: ObjectChange,
  context: DraftContext,
): Fields {
  const kind = context.kind(change.kind);
  const entries = Object.entries(after.fields).filter(
    ([name, value]) => !pointedAt(kind, { [name]: value }).isDisjointFrom(targets),
  );
  return Object.fromEntries(entries);
}

// The draft, with the objects of its cascade, which this action deletes. The action also removes
// their references. Other objects must stop referring to them before the action.
function withChildren(
  draft: Draft,
  children: readonly ObjectChange[],
  context: DraftContext,
): Draft {
  const along = children.map(child => ({ child, before: relationsBefore(child, context) }));
  const [own = draft.action.address, ...others] = draft.action.writes;
  const written = along.flatMap(({ child, before }) => [child.change.address, ...before.through]);
  const and = <T>(set: ReadonlySet<T>, of: (one: (typeof along)[number]) => Iterable<T>) =>
    set.union(new Set(along.flatMap(one => [...of(one)])));
  return {
    ...draft,
    action: { ...draft.action, writes: [own, ...[...new Set([...others, ...written])].sort()] },
    allTargets: and(draft.allTargets, ({ child, before }) =>
      touched(child, before, NOWHERE, context),
    ),
    lostTargets: and(draft.lostTargets, ({ before }) => before.points),
    removes: and(draft.removes, ({ child }) => [child.change.address]),
    freedValues: and(draft.freedValues, ({ before }) => before.constraints.held),
  };
}
