// Hard constraints: which action must wait for which other action. They are derived from references
// and unique constraints, not from a table.
import type { KindTable } from '../../kinds/kind.ts';
import type { ActionId, Address } from '../../model/names.ts';
import type { Draft } from '../types/draft.ts';

/** `later` starts only after `earlier` is done. */
export interface Edge {
  readonly earlier: ActionId;
  readonly later: ActionId;
}

/** The edge between two drafts. */
export const edge = (earlier: Draft, later: Draft): Edge => ({
  earlier: earlier.action.id,
  later: later.action.id,
});

/**
 * The order that the API requires (docs/design.md#order). An object is created before any reference
 * to it, and deleted after the last reference. A unique value is released before another object
 * takes it. The two actions of a replacement follow the order of their kind, and the second step of
 * a two-step change follows the first. Objects among which the server chooses are deleted before it
 * chooses. Members that the server moves into a set are moved before the set is written. If other
 * objects refer to an object by its address, the object gets a new address before the others are
 * written.
 */
export function hardEdges(drafts: readonly Draft[], kinds: KindTable): Edge[] {
  const isFirstMade = (draft: Draft) => kinds.get(draft.action.kind)?.replace === 'create-first';
  return [
    ...makingEdges(drafts),
    ...removalEdges(drafts, isFirstMade),
    ...replacementEdges(drafts, isFirstMade),
    ...claimEdges(drafts),
    ...needEdges(drafts, kinds),
    ...movementEdges(drafts),
    ...addressEdges(drafts, kinds),
    ...drafts.flatMap(({ action, firstHalf }) =>
      firstHalf === undefined ? [] : [{ earlier: firstHalf, later: action.id }],
    ),
  ];
}

function makingEdges(drafts: readonly Draft[]): Edge[] {
  const makers = makersOf(drafts);
  return drafts.flatMap(draft =>
    [...draft.newTargets].flatMap(address => {
      const maker = makers.get(address);
      return maker && maker !== draft ? [edge(maker, draft)] : [];
    }),
  );
}

// The constraints of removals. An object that refers to a replaced object must refer to the new object before the old one is
// deleted.
function removalEdges(drafts: readonly Draft[], isFirstMade: (draft: Draft) => boolean): Edge[] {
  const losers = byEach(drafts, ({ lostTargets }) => lostTargets);
  const gainers = byEach(drafts, ({ newTargets }) => newTargets);
  return drafts.flatMap(gone =>
    [...gone.removes].flatMap(address => {
      const renewers = isFirstMade(gone) ? (gainers.get(address) ?? []) : [];
      const earlier = [...(losers.get(address) ?? []), ...renewers];
      return earlier.filter(draft => draft !== gone).map(draft => edge(draft, gone));
    }),
  );
}

function replacementEdges(
  drafts: readonly Draft[],
  isFirstMade: (draft: Draft) => boolean,
): Edge[] {
  const makers = makersOf(drafts);
  return drafts.flatMap(gone => {
    const made = gone.action.verb === 'delete' ? makers.get(gone.action.address) : undefined;
    if (!made) return [];
    return [isFirstMade(gone) ? edge(made, gone) : edge(gone, made)];
  });
}

// The constraints of unique values. An object releases a value before another object takes it, and takes a value before a third
// object excludes others from it.
function claimEdges(drafts: readonly Draft[]): Edge[] {
  const leavers = byEach(drafts, ({ freedValues }) => freedValues);
  const holders = byEach(drafts, ({ newlyHeldValues }) => newlyHeldValues);
  return drafts.flatMap(taker =>
    [...taker.neededValues].flatMap(constraint => {
      const isOther = (draft: Draft) => draft !== taker;
      const later = (holders.get(constraint) ?? []).filter(
        other => isOther(other) && !excludes(taker, other),
      );
      return [
        ...(leavers.get(constraint) ?? []).filter(isOther).map(leaver => edge(leaver, taker)),
        ...later.map(holder => edge(taker, holder)),
      ];
    }),
  );
}

/** Whether each of two drafts needs a value that the other will hold. */
export function excludes(one: Draft, other: Draft): boolean {
  return (
    !one.neededValues.isDisjointFrom(other.newlyHeldValues) &&
    !other.neededValues.isDisjointFrom(one.newlyHeldValues)
  );
}

// The constraints of automatic choices. The server chooses the object that serves a new object, and
// must not choose an object that a later action deletes or disables.
function needEdges(drafts: readonly Draft[], kinds: KindTable): Edge[] {
  const made = drafts.filter(({ action }) => action.verb === 'create');
  const isSwitch = ({ action }: Draft) =>
    action.verb === 'update' && kinds.get(action.kind)?.servesWhile !== undefined;
  const earlier = Map.groupBy(
    drafts.filter(draft => draft.action.verb === 'delete' || isSwitch(draft)),
    ({ action }) => action.kind,
  );
  return made.flatMap(draft => {
    const { requires = [] } = kinds.get(draft.action.kind) ?? {};
    return requires.flatMap(name => earlier.get(name) ?? []).map(other => edge(other, draft));
  });
}

// The constraints of moved members. An action that writes a set first reads the set, so the server must have moved the members by
// then.
function movementEdges(drafts: readonly Draft[]): Edge[] {
  const movers = byEach(drafts, ({ moves }) => moves);
  return drafts
    .filter(({ action }) => action.verb === 'update')
    .flatMap(draft => (movers.get(draft.action.address) ?? []).map(mover => edge(mover, draft)))
    .filter(({ earlier, later }) => earlier !== later);
}

// The constraints of addresses. A write says whether its target is an address, a network or a name.
// The server compares this with the address that the target has at that time.
function addressEdges(drafts: readonly Draft[], kinds: KindTable): Edge[] {
  const updates = Map.groupBy(
    drafts.filter(({ action }) => action.verb === 'update'),
    ({ action }) => action.address,
  );
  return drafts.flatMap(draft => {
    const { addressed = [] } = kinds.get(draft.action.kind) ?? {};
    if (draft.outcome === null || addressed.length === 0) return [];
    const isReaddressed = ({ change: { kind, fields } }: Draft) =>
      addressed.some(
        one => one.kind === kind && fields.some(({ path: [name] }) => name === one.field),
      );
    return [...draft.allTargets]
      .flatMap(address => updates.get(address) ?? [])
      .filter(isReaddressed)
      .map(other => edge(other, draft));
  });
}

function makersOf(drafts: readonly Draft[]): ReadonlyMap<Address, Draft> {
  const makers = drafts.filter(({ action }) => action.verb === 'create');
  return new Map(makers.map(draft => [draft.action.address, draft]));
}

/** The items, by default drafts, grouped by each of the values that `of` returns for them. */
export function byEach<T, D = Draft>(
  all: readonly D[],
  of: (one: D) => Iterable<T>,
): ReadonlyMap<T, readonly D[]> {
  const found = new Map<T, D[]>();
  for (const one of all) {
    for (const thing of of(one)) {
      const known = found.get(thing);
      if (known) known.push(one);
      else found.set(thing, [one]);
    }
  }
  return found;
}
