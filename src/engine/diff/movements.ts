// Side effects of an update on other objects. If the references of a user change, the server moves
// members of sets. If the update blocks the user, the server ends the logins of the user.
import { cascadingTo } from '../../kinds/dialect/cascades.ts';
import { belongingsByOwner } from '../../kinds/dialect/propagation.ts';
import type { Belonging, Field, Kind } from '../../kinds/kind.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import type { Change } from '../../model/change.ts';
import { present } from '../../model/errors.ts';
import { addressOf } from '../../model/key.ts';
import type { Address, Key, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { RestoredSet } from '../../model/plan.ts';
import { type Fields, isList, type Json } from '../../model/value.ts';
import { ownedFields } from '../pairing/planContext.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pair, Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { pairChange, withNotes } from './changes.ts';
import { isSharedSet } from './setChanges.ts';

/** Members that the server moves into or out of a set when another object changes. */
export interface Movement {
  /** The object whose change moves the members. */
  readonly source: Address;
  readonly set: Address;
  /** The field that contains the members. */
  readonly field: string;
  readonly joins: readonly Live[];
  readonly leaves: readonly Live[];
  /** Whether the movement is certain, because no setting of the account can prevent it. */
  readonly isCertain?: true;
  /** Whether the run creates the set. If it does, it creates the set before the movement. */
  readonly isNew: boolean;
  /** The members to restore after the movement, if the run creates the set and owns it as a whole. */
  readonly restored?: RestoredSet;
}

/** The side effects of a run. */
export interface Movements {
  readonly list: readonly Movement[];
  /** Notes, by the address of the change that they describe. */
  readonly notes: ReadonlyMap<Address, readonly string[]>;
}

/** The side effects of the changes of these pairs on other live objects. */
export function movementsOf(
  { pairs, creates }: Pick<Pairing, 'pairs' | 'creates'>,
  live: readonly Live[],
  context: PlanContext,
): Movements {
  const list: Movement[] = [];
  const notes = new Map<Address, string[]>();
  const note = (address: Address, text: string) =>
    notes.set(address, [...(notes.get(address) ?? []), text]);
  for (const mover of changedMovers(pairs, context)) {
    const ended = loginsEnded(mover, live, context);
    if (ended.length > 0) note(mover.change.address, `the logins of ${named(ended)} end`);
    const moved = [
      ...carried(mover, live, context),
      ...carriedIntoNew(mover, { creates, live }, context),
    ];
    for (const movement of moved) {
      list.push(movement);
      for (const [address, text] of sentences(movement, context)) note(address, text);
    }
  }
  for (const movement of propagated(pairs, live, context)) {
    list.push(movement);
    for (const [address, text] of sentences(movement, context)) note(address, text);
  }
  return { list, notes };
}

/** A field whose change moves the objects that belong to the field's object. */
interface ChangedMover {
  readonly field: Field;
  readonly owner: Live;
  readonly change: Change;
}

function changedMovers(pairs: readonly Pair[], context: PlanContext): readonly ChangedMover[] {
  return pairs.flatMap(pair => {
    const fields = [...context.kind(pair.desired.kind).shape.fields.values()].filter(
      ({ movesMembers, endsLogins }) => movesMembers || endsLogins,
    );
    const change = fields.length > 0 ? pairChange(pair, context)?.change : undefined;
    if (change?.type !== 'update') return [];
    const changed = new Set(change.fields.map(({ path }) => path[0]));
    return fields
      .filter(({ name }) => changed.has(name))
      .map(field => ({ field, owner: pair.live, change }));
  });
}

function loginsEnded(
  { field: { endsLogins, name }, owner, change: { after = {} } }: ChangedMover,
  live: readonly Live[],
  context: PlanContext,
): readonly string[] {
  if (!endsLogins || after[name] !== true) return [];
  return belongings(endsLogins, owner, live, context).map(context.keyOf);
}

/**
 * The context in which sets have the members that they have after the server moved members; see
 * `heldBetween`.
 */
export function withMovements(
  { list }: Movements,
  pairs: readonly Pair[],
  context: PlanContext,
): PlanContext {
  if (list.length === 0) return context;
  const bySet = Map.groupBy(list, ({ set }) => set);
  const held = new Map(
    pairs.flatMap((pair): [Live, Fields][] => {
      const moved = bySet.get(context.addressOf(pair.live));
      return moved ? [[pair.live, heldBetween(pair, moved, context)]] : [];
    }),
  );
  return { ...context, fieldsOf: live => held.get(live) ?? context.fieldsOf(live) };
}

/**
 * The ids of members, by field, of which it is unknown whether they are in a set when an update of
 * the set starts.
 */
export function movingIn(
  list: readonly Movement[],
  set: Address,
): Readonly<Record<string, readonly RemoteId[]>> {
  const own = Map.groupBy(
    list.filter(one => one.set === set),
    ({ field }) => field,
  );
  return Object.fromEntries(
    [...own].map(([field, moved]) => {
      const ids = moved.flatMap(({ joins, leaves }) => [...joins, ...leaves]).map(({ id }) => id);
      return [field, [...new Set(ids)].sort()];
    }),
  );
}

function belongings(
  { kind: name, by }: Belonging,
  owner: Live,
  live: readonly Live[],
  { kind }: PlanContext,
): readonly Live[] {
  const cascade = { kind: name, by, onlyInCascade: false };
  const isOf = (one: Live) => cascadingTo(cascade, owner.kind, kind(name), one).includes(owner.id);
  return live.filter(one => one.kind === name && isOf(one));
}

function carried(
  {
    field: { movesMembers, name, shape },
    owner,
    change: { before = {}, after = {} },
  }: ChangedMover,
  live: readonly Live[],
  context: PlanContext,
): readonly Movement[] {
  if (!movesMembers) return [];
  const own = belongings(movesMembers, owner, live, context);
  if (own.length === 0) return [];
  const targets = (fields: Fields) =>
    new Set(refsIn(shape, fields[name]).map(({ kind, key }) => addressOf(kind, key as Key)));
  const old = targets(before);
  const fresh = targets(after);
  return live.flatMap(set => {
    const address = context.addressOf(set);
    const isLeft = old.has(address) && !fresh.has(address);
    const isJoined = fresh.has(address) && !old.has(address);
    if (!isLeft && !isJoined) return [];
    const members = new Set(membersIn(context.fieldsOf(set)[movesMembers.into]));
    const isMember = (one: Live) => members.has(context.keyOf(one));
    const joins = isJoined ? own.filter(one => !isMember(one)) : [];
    const leaves = isLeft ? own.filter(isMember) : [];
    if (joins.length + leaves.length === 0) return [];
    const source = context.addressOf(owner);
    return [{ source, set: address, field: movesMembers.into, joins, leaves, isNew: false }];
  });
}

// The members that the server adds to sets when an update enables the setting that makes members move.
function propagated(
  pairs: readonly Pair[],
  live: readonly Live[],
  context: PlanContext,
): readonly Movement[] {
  return pairs.flatMap(pair => {
    const { propagates } = context.kind(pair.desired.kind);
    if (propagates === undefined) return [];
    const change = pairChange(pair, context)?.change;
    if (change?.type !== 'update' || change.after?.[propagates.field] !== true) return [];
    if (context.fieldsOf(pair.live)[propagates.field] === true) return [];
    const owner = context.kind(propagates.kind);
    const source = context.addressOf(pair.live);
    return [...owner.shape.fields.values()].flatMap(field =>
      added(field, owner, { pairs, live }, context).map(one => ({ source, ...one })),
    );
  });
}

function added(
  { movesMembers, name, shape }: Field,
  owner: Kind,
  { pairs, live }: { readonly pairs: readonly Pair[]; readonly live: readonly Live[] },
  context: PlanContext,
): readonly Omit<Movement, 'source'>[] {
  if (!movesMembers) return [];
  const wanted = new Map(pairs.map(pair => [pair.live, ownedFields(pair.desired, context)]));
  const child = context.kind(movesMembers.kind);
  const own = belongingsByOwner(movesMembers, owner.name, child, live);
  const bySet = new Map<Address, Set<Live>>();
  for (const one of live.filter(({ kind }) => kind === owner.name)) {
    const fields = { ...context.fieldsOf(one), ...wanted.get(one) };
    for (const { kind, key } of refsIn(shape, fields[name])) {
      const address = addressOf(kind, key as Key);
      bySet.set(address, (bySet.get(address) ?? new Set()).union(new Set(own.get(one.id))));
    }
  }
  return live.flatMap(set => {
    const address = context.addressOf(set);
    const members = new Set(membersIn(context.fieldsOf(set)[movesMembers.into]));
    const joins = [...(bySet.get(address) ?? [])].filter(one => !members.has(context.keyOf(one)));
    if (joins.length === 0) return [];
    const field = movesMembers.into;
    return [{ set: address, field, joins, leaves: [], isNew: false, isCertain: true as const }];
  });
}

// The movements into a set that the run creates. The set has its declared members before the server
// moves members.
function carriedIntoNew(
  { field: { movesMembers, name, shape }, owner, change: { after = {} } }: ChangedMover,
  { creates, live }: { readonly creates: readonly Desired[]; readonly live: readonly Live[] },
  context: PlanContext,
): readonly Movement[] {
  if (!movesMembers) return [];
  const targets = new Set<string>(
    refsIn(shape, after[name]).map(({ kind, key }) => addressOf(kind, key as Key)),
  );
  const fed = creates.filter(({ kind, key }) => targets.has(addressOf(kind, key)));
  const own = fed.length > 0 ? belongings(movesMembers, owner, live, context) : [];
  return fed.flatMap(desired => {
    const { kind, key, lifecycle } = desired;
    const declared = ownedFields(desired, context)[movesMembers.into];
    const members = new Set(membersIn(declared));
    const joins = own.filter(one => !members.has(context.keyOf(one)));
    if (joins.length === 0) return [];
    const into = present(context.kind(kind).shape.fields.get(movesMembers.into), movesMembers.into);
    const isWhole = declared !== undefined && !isSharedSet(into, new Set(lifecycle.exact ?? []));
    const restored = { kind, key, field: movesMembers.into, members: [...members] };
    return [
      {
        source: context.addressOf(owner),
        set: addressOf(kind, key),
        field: movesMembers.into,
        joins,
        leaves: [],
        isNew: true,
        ...(isWhole && { restored }),
      },
    ];
  });
}

/**
 * The members of a set between two changes. The account does not show whether the server moves
 * members with their owner. So declared members are always written, and undeclared members count as
 * present. This is correct in both cases.
 */
function heldBetween(
  { desired, live }: Pair,
  moved: readonly Movement[],
  context: PlanContext,
): Fields {
  const owned = ownedFields(desired, context);
  const held: Record<string, Json> = { ...context.fieldsOf(live) };
  for (const { field, joins, leaves } of moved) {
    const declared = new Set(membersIn(owned[field]));
    const movers = new Set<string>([...joins, ...leaves].map(context.keyOf));
    const others = new Set(membersIn(held[field])).difference(movers);
    held[field] = [...others.union(movers.difference(declared))].sort();
  }
  return held;
}

function sentences(
  { source, set, joins, leaves, isNew, isCertain, restored }: Movement,
  { keyOf }: PlanContext,
): readonly (readonly [Address, string])[] {
  const who = named([...joins, ...leaves].map(keyOf));
  const where = joins.length > 0 ? `into ${set}` : `out of ${set}`;
  const then = restored ? '; the run removes them again' : '';
  const moves = `the server moves ${who} ${where}`;
  const unless = isCertain ? '' : ', unless the account disables that';
  const own = [source, `${moves}${unless}${then}`] as const;
  return isNew ? [own] : [own, [set, `${source} comes first: ${moves} with it`]];
}

const membersIn = (value: Json | undefined): string[] => (isList(value) ? value.map(String) : []);

const named = (names: readonly string[]): string =>
  names.length <= 5
    ? names.toSorted().join(', ')
    : `${names.toSorted().slice(0, 5).join(', ')} and ${names.length - 5} more`;

/** The changes, with notes on their side effects. */
export function withMovementNotes(
  changes: readonly ObjectChange[],
  { notes }: Movements,
): readonly ObjectChange[] {
  return changes.map(object => {
    const own = notes.get(object.change.address);
    return own === undefined ? object : withNotes(object, ...own);
  });
}
