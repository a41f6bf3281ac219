// The renames that `plan --suggest-renames` offers: objects with the same content and another name first, then the hints of the
// plan.
import { identityName, isNameless } from '../../kinds/identity/identity.ts';
import { wholeName } from '../../kinds/identity/parts.ts';
import type { Kind } from '../../kinds/kind.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Key, KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type {
  AlikeRenames,
  SuggestedRename,
  SuggestedRenames,
} from '../../model/suggestedRename.ts';
import type { Fields } from '../../model/value.ts';
import { parentKey } from '../pairing/naming.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { type SameContent, sameContent } from './exactRenames.ts';
import { oldObjects, type RenameHint } from './renameHints.ts';
import { isRenamable, type OldObject, type Similarity } from './similarity.ts';
import { unprovenRenames } from './unprovenRenames.ts';

interface Pair {
  readonly created: Similarity['created'];
  readonly old: OldObject;
}

/** The suggestions of a plan. */
export function suggestedRenames(
  { objects, unpaired, hints }: Compared,
  context: PlanContext,
): SuggestedRenames {
  const olds = oldObjects(objects, unpaired);
  const found = sameContent(objects, olds, context);
  const same = found.filter(({ created: [one] }) => {
    const kind = one && context.kind(one.change.kind);
    return kind !== undefined && (isRenamable(kind) || isBindable(kind));
  });
  const pairs = [...same.flatMap(pairIn), ...asked(hints, olds, same)];
  const renamed = renamedBy([...found.flatMap(pairIn), ...pairs], context);
  const suggested = pairs.flatMap(pair => suggestion(pair, renamed, context) ?? []);
  const known = new Map(suggested.map(one => [addressOf(one.kind, one.key), one]));
  return {
    suggested: [...known.values()],
    alike: same.filter(one => pairIn(one).length === 0).flatMap(one => alike(one, pairs, context)),
    refused: [],
    unproven: unprovenRenames({ objects, olds, ...settledBy(found, pairs) }, context),
  };
}

// The objects that are in a suggestion, or listed as ambiguous.
const settledBy = (found: readonly SameContent[], pairs: readonly Pair[]) => ({
  settledNew: new Set(
    [...found.flatMap(one => one.created), ...pairs.map(one => one.created)].map(
      ({ change }) => change.address,
    ),
  ),
  settledOld: new Set([...found.flatMap(one => one.oldObjects), ...pairs.map(one => one.old)]),
});

// Kinds without a name field whose objects can be bound by an id.
const isBindable = (kind: Kind): boolean => isNameless(kind) && kind.verbs.has('update');

function pairIn({ created, oldObjects: found }: SameContent): Pair[] {
  const [one] = created;
  const [old] = found;
  const isPair = created.length === 1 && found.length === 1;
  return isPair && one && old ? [{ created: one, old }] : [];
}

/** All renames of a suggestion together. */
interface Renamed {
  /** Returns the new key of a live object, by its kind and its key in references. */
  readonly keyOf: (kind: KindName, key: Key) => Key;
  /** The new key of a renamed object, by its kind and id. */
  readonly parents: ReadonlyMap<string, Key>;
}

function renamedBy(pairs: readonly Pair[], context: PlanContext): Renamed {
  const keys = new Map(
    pairs.map(({ created: { change }, old }) => [context.addressOf(old.live), change.key]),
  );
  return {
    keyOf: (kind, key) => keys.get(addressOf(kind, key)) ?? key,
    parents: new Map(
      pairs.map(({ created: { change }, old }) => [`${change.kind} ${old.live.id}`, change.key]),
    ),
  };
}

interface Compared {
  readonly objects: readonly ObjectChange[];
  readonly unpaired: readonly Live[];
  readonly hints: readonly RenameHint[];
}

// Hints about objects that their content alone does not pair.
function asked(
  hints: readonly RenameHint[],
  olds: readonly OldObject[],
  same: readonly SameContent[],
): Pair[] {
  const known = new Set<unknown>(
    same.flatMap(({ created, oldObjects: found }) => [
      ...created.map(({ change }) => change.address),
      ...found.map(({ live }) => live),
    ]),
  );
  return hints.flatMap(({ created, desired, live }): Pair[] => {
    const old = olds.find(one => one.live === live);
    if (old === undefined || known.has(created.change.address) || known.has(live)) return [];
    return [{ created: { ...created, desired }, old }];
  });
}

function suggestion(
  { created, old }: Pair,
  renamed: Renamed,
  context: PlanContext,
): SuggestedRename | null {
  const { live, isDeclared } = old;
  const { desired, change } = created;
  const kind = context.kind(live.kind);
  const parent = kind.parent && renamed.parents.get(`${kind.parent} ${live.parentId}`);
  const follows = parent !== undefined && parent === desired.parent;
  // A child of a renamed object needs no entry. An object that is identified only by names of
  // renamed objects needs none either.
  const stays = follows || parentKey(kind, live, context.naming) === desired.parent;
  if (stays && keepsOwnName({ kind, fields: change.after ?? {} }, live, { renamed, context }))
    return null;
  const entry = entryOf(created, live, { follows }, context);
  if (entry === null) return null;
  const key = desired.part?.whole ?? desired.key;
  const former = context.addressOf(live);
  return { kind: live.kind, key, at: desired.at, former, entry, isDeclared };
}

// The entry that binds a declared object to the live object: `was` with the former name (`parent/name` for another parent), or
// `id`. Null if the whole object keeps its name.
function entryOf(
  { desired }: Pair['created'],
  live: Live,
  { follows }: { readonly follows: boolean },
  context: PlanContext,
): SuggestedRename['entry'] | null {
  const kind = context.kind(live.kind);
  const name = identityName(kind, context.fieldsOf(live));
  if (isNameless(kind)) return { name: 'id', value: live.id };
  const { parts } = kind;
  const { part } = desired;
  if (parts && part && name !== null && desired.key !== part.whole) {
    const whole = wholeName(parts, name, part.item);
    return whole === undefined || whole === part.whole ? null : { name: 'was', value: whole };
  }
  const isBeside = follows || parentKey(kind, live, context.naming) === desired.parent;
  if (isBeside && name !== null && idInKey(context.keyOf(live)) === null)
    return { name: 'was', value: name };
  const key = context.keyOf(live);
  return idInKey(key) === null ? { name: 'was', value: key } : { name: 'id', value: live.id };
}

/** Whether an object keeps its own name, apart from the names of renamed objects in it. */
function keepsOwnName(
  { kind, fields }: { readonly kind: Kind; readonly fields: Fields },
  live: Live,
  { renamed, context }: { readonly renamed: Renamed; readonly context: PlanContext },
): boolean {
  const now = mapFieldRefs(kind, context.fieldsOf(live), (to, key) =>
    renamed.keyOf(to, key as Key),
  );
  return identityName(kind, fields) === identityName(kind, now);
}

// The ambiguous objects of one group; empty if their parents are renamed and they keep their names,
// because then they need no suggestion.
function alike(
  { created, oldObjects }: SameContent,
  pairs: readonly Pair[],
  context: PlanContext,
): AlikeRenames[] {
  const sure = new Set(pairs.map(({ created: { change } }) => change.address));
  const parentsAreSure = created.every(({ change, desired }) => {
    const { parent } = context.kind(change.kind);
    return parent !== undefined && desired.parent !== undefined
      ? sure.has(addressOf(parent, desired.parent))
      : false;
  });
  const [first] = created;
  if (first === undefined) return [];
  const kind = context.kind(first.change.kind);
  const formerNames = new Set(
    oldObjects.map(({ live }) => identityName(kind, context.fieldsOf(live))),
  );
  const keepNames = created.every(({ change }) =>
    formerNames.has(identityName(kind, change.after ?? {})),
  );
  if (parentsAreSure && keepNames) return [];
  return [
    {
      created: created.map(({ change, desired }) => ({ address: change.address, at: desired.at })),
      former: oldObjects.map(({ live }) => context.addressOf(live)).sort(),
      by: isNameless(kind) ? 'id' : 'was',
    },
  ];
}
