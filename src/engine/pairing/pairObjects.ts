// Pairs each declared object with a live object (docs/design.md#pairing). It never guesses.
import { childKey, identityName, sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { addressOf, idKey } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Naming } from '../types/naming.ts';
import type { IsMarkedForDeletion, Meant, Pairing } from '../types/pairing.ts';
import { BaseNames, type KnownByIds } from './baseNames.ts';
import { Matching } from './matching.ts';
import { type Named, nameDesired, nameLive } from './namedObjects.ts';
import { emptyNaming } from './naming.ts';

/** The objects to pair. */
export interface ObjectsToPair {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  readonly live: readonly Live[];
  readonly base: readonly Desired[];
}

/** How objects are paired. */
export interface PairRules extends KnownByIds {
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** Whether the files follow the account if an object has another parent there. */
  readonly followsMoves?: boolean;
}

/** Pairs the objects of all kinds. Kinds whose names are part of other names come first. */
export function pairObjects(
  { kinds, desired, live, base }: ObjectsToPair,
  { isMarkedForDeletion, followsMoves = false, meant, recordedIds }: PairRules,
): Pairing {
  const desiredOf = byKind(desired);
  const liveOf = byKind(live);
  const baseOf = byKind(base);
  const naming = emptyNaming();
  const baseNames = new BaseNames({ meant, recordedIds });
  const matchings = [...kinds.values()].map(kind => {
    const named = liveOf(kind).map(object => asMeant(kind, nameLive(kind, object, naming), meant));
    const wanted = desiredOf(kind).map(object => nameDesired(kind, object, naming));
    const former = baseNames.translate(kind, baseOf(kind), naming);
    const isSatisfied = satisfaction(kind, kinds, liveOf);
    const unmatched = { wanted, named, former, naming, meant, isMarkedForDeletion };
    const matching = new Matching(kind, { ...unmatched, isSatisfied, followsMoves });
    matching.run();
    nameAll(matching, { kind, wanted, named, isMarkedForDeletion }, naming);
    baseNames.settle(former, { kind, desired: wanted, named, naming });
    return matching;
  });
  return {
    pairs: matchings.flatMap(({ pairs }) => pairs),
    creates: matchings.flatMap(({ creates }) => creates.filter(({ isFormer }) => !isFormer)),
    bystanders: [],
    unpaired: matchings.flatMap(({ left }) => left.map(named => named.live)),
    naming,
    base: baseNames.byAddress,
    formerNames: baseNames.formerNames,
    fieldsByIds: baseNames.fieldsByIds,
    keyOfRecorded: (ref, key) => {
      const id = recordedIds?.get(addressOf(ref, key as Key));
      return id && naming.keyOfId(ref, id);
    },
    diagnostics: matchings.flatMap(({ diagnostics }) => diagnostics),
    ambiguous: matchings.flatMap(({ ambiguous }) => ambiguous),
  };
}

// The live object, without the name that it would have in files if that name denotes another
// object.
function asMeant({ name }: Kind, named: Named, meant: Meant | undefined): Named {
  const { key, live } = named;
  const id = key === null ? undefined : meant?.get(addressOf(name, key));
  return id === undefined || id === live.id ? named : { live, key: null, exact: null };
}

// Returns whether an object of another kind fulfils the declaration, such as a user who accepted an invitation.
function satisfaction(
  { fulfilledBy }: Kind,
  kinds: KindTable,
  liveOf: (kind: Kind) => readonly Live[],
): (desired: Desired) => boolean {
  const other = fulfilledBy && kinds.get(fulfilledBy.kind);
  if (!other) return () => false;
  const names = new Set(
    liveOf(other).map(
      ({ fields }) => canonicalFields(other.shape, fields, 'live')[fulfilledBy.field],
    ),
  );
  return ({ key }) => names.has(key);
}

/** The objects of one kind that are to be named. */
interface ToName {
  readonly kind: Kind;
  readonly wanted: readonly Desired[];
  readonly named: readonly Named[];
  readonly isMarkedForDeletion: IsMarkedForDeletion;
}

// Names all live objects of a kind. A paired object gets the declared name. Every other live object
// keeps its name if the name is still unique. An object that is deleted also keeps its name,
// because the person who approves the deletion knows the name in the account.
function nameAll(
  { pairs, left, namesOnly }: Matching,
  { kind, wanted, named, isMarkedForDeletion }: ToName,
  naming: Naming,
): void {
  const declaredKey = new Map(pairs.map(({ desired, live }) => [live, desired.key]));
  const isLeaving = (desired: Desired) => isMarkedForDeletion(desired) && !sharesNames(kind);
  const leavers = new Set(pairs.flatMap(({ desired, live }) => (isLeaving(desired) ? live : [])));
  for (const { desired, live } of pairs) if (!leavers.has(live)) naming.name(live, desired.key);
  const taking = wanted.filter(object => !namesOnly.has(object) && !isLeaving(object));
  const taken = new Set(taking.flatMap(object => [object.key, ...sharedNames(kind, object)]));
  const others = [...left, ...named.filter(({ live }) => leavers.has(live))].map(
    // If an object has no name in the account, it gets the name of its declaration.
    ({ live, key }) => ({ live, key: key ?? declaredKey.get(live) ?? null }),
  );
  const bearers = Map.groupBy(others, ({ key }) => key);
  for (const { live, key } of others) {
    const isDistinguishing = key !== null && bearers.get(key)?.length === 1 && !taken.has(key);
    naming.name(live, isDistinguishing ? key : idKey(live.id));
  }
}

// The name to which a number is appended, to distinguish declared objects with the same name.
function sharedNames(kind: Kind, { parent, fields }: Desired): Key[] {
  if (!sharesNames(kind)) return [];
  const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
  return name === null ? [] : [childKey(parent, name)];
}

function byKind<T extends { readonly kind: Kind['name'] }>(
  objects: readonly T[],
): (kind: Kind) => readonly T[] {
  const groups = Map.groupBy(objects, ({ kind }) => kind);
  return ({ name }) => groups.get(name) ?? [];
}
