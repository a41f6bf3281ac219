// The part of the account that a run reads: only the kinds and parents that its files mention.
import { kindsInCascade } from '../../kinds/dialect/cascades.ts';
import { formerName, formerParentAndName } from '../../kinds/identity/formerKeys.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { refsIn, refsOf, refsOfShape } from '../../kinds/values/refs.ts';
import { idInKey, segmentsOf } from '../../model/key.ts';
import { type KindName, kindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Fields } from '../../model/value.ts';
import type { Selection } from '../types/selection.ts';
import type { PruneMode } from '../types/settings.ts';
import { inParts } from './parts.ts';
import { selected } from './selection.ts';
import { wholesOf } from './wholes.ts';

/** The objects to read. */
export interface ReadScope {
  readonly kinds: ReadonlySet<KindName>;
  /** The names and ids of the parents to list, by nested kind; `all` for every parent. */
  readonly parents: ReadonlyMap<KindName, ReadonlySet<string> | 'all'>;
}

/**
 * The scope of a run: all objects that it needs. If the run may delete objects, the scope also
 * contains all objects that may refer to deleted objects, and the objects that give these their
 * names.
 */
export function readScope(
  kinds: KindTable,
  allDesired: readonly Desired[],
  allBase: readonly Desired[],
  prune: PruneMode,
  select: Selection = {},
): ReadScope {
  // The dialect is not known yet, so the parts of every dialect count.
  const inAny = (objects: readonly Desired[]) =>
    DIALECTS.flatMap(dialect => inParts(objects, kinds, dialect));
  const isSelected = selected(select, kinds, wholesOf(inAny(allDesired), inAny(allBase), []));
  const desired = allDesired.filter(isSelected);
  const base = allBase.filter(isSelected);
  const needed = new Set(neededKinds(kinds, desired, base, prune).keys());
  const moved = desired.flatMap(object => movedKinds(kinds, object));
  if (!mayDelete(desired, prune))
    return {
      kinds: needed.union(new Set(moved)),
      parents: parentsOf(kinds, withHomes([...desired, ...base], [...allDesired, ...allBase])),
    };
  const along = new Set(
    deletable(kinds, needed, desired).flatMap(kind =>
      kindsInCascade(kinds, kind).map(({ name }) => name),
    ),
  );
  const concerned = [...kinds.values()].filter(
    kind =>
      needed.has(kind.name) ||
      along.has(kind.name) ||
      !refsOf(kind).isDisjointFrom(needed) ||
      [...kind.requires, ...(kind.identitySuffix?.kinds ?? [])].some(name => needed.has(name)),
  );
  const around = concerned.flatMap(kind => [kind.name, ...refsOf(kind)]);
  const homes = around.flatMap(name => kinds.get(name)?.parent ?? []);
  return {
    kinds: new Set([...around, ...homes, ...moved]),
    parents: new Map([...kinds.keys()].map(name => [name, 'all'])),
  };
}

/**
 * The scope, with the parents whose ids are in the base, because somebody may have renamed these
 * parents.
 */
export function withRecordedParents(
  scope: ReadScope,
  ids: readonly RecordedId[],
  kinds: KindTable,
): ReadScope {
  const parents = [...scope.parents].map(([name, needed]) => {
    const parent = kinds.get(name)?.parent;
    if (needed === 'all' || parent === undefined) return [name, needed] as const;
    const known = ids.filter(({ kind, key }) => kind === parent && needed.has(key));
    return [name, needed.union(new Set(known.map(({ id }) => id)))] as const;
  });
  return { ...scope, parents: new Map(parents) };
}

/**
 * The kinds that a run needs, each with a declaration that needs it, if there is one. These are the
 * kinds of declarations in the files and in the base, the kinds to which the declarations refer,
 * and the parents of all of these. If the run may delete objects, the kinds of cascades are
 * included too.
 */
export function neededKinds(
  kinds: KindTable,
  desired: readonly Desired[],
  base: readonly Desired[],
  prune: PruneMode,
): ReadonlyMap<KindName, Desired | undefined> {
  const needed = kindsToRead(kinds, desired, base);
  if (!mayDelete(desired, prune)) return needed;
  const along = deletable(kinds, needed.keys(), desired).flatMap(kind =>
    kindsOfCascades(kinds, kind),
  );
  const homes = along.flatMap(name => kinds.get(name)?.parent ?? []);
  const more = [...along, ...homes].map((name): [KindName, undefined] => [name, undefined]);
  return new Map([...more, ...needed]);
}

/**
 * The kinds that a run needs. Kinds that are needed only because of cascades are left out, because they matter only if the run
 * deletes an object.
 */
export function kindsToRead(
  kinds: KindTable,
  desired: readonly Desired[],
  base: readonly Desired[],
): ReadonlyMap<KindName, Desired | undefined> {
  const needed = new Map<KindName, Desired | undefined>();
  const need = (name: KindName | undefined, by?: Desired): void => {
    if (name === undefined || needed.has(name)) return;
    needed.set(name, by);
    need(kinds.get(name)?.parent, by);
  };
  const needAll = (object: Desired, by?: Desired): void => {
    need(object.kind, by);
    const kind = kinds.get(object.kind);
    for (const name of [
      kind?.fulfilledBy?.kind,
      ...(kind?.requires ?? []),
      ...(kind?.identitySuffix?.kinds ?? []),
    ])
      need(name, by);
    for (const ref of kind ? refsIn(kind.shape, object.fields) : []) need(ref.kind, by);
  };
  for (const object of desired) needAll(object, object);
  for (const object of base) needAll(object);
  return needed;
}

// Kinds that a declared object needs besides its references. These are the kinds of objects that
// belong to it and that its fields move, of objects that its hazards count, of members that it
// removes from sets, and of objects with a value that it must not have.
function movedKinds(kinds: KindTable, { kind: name, fields, lifecycle }: Desired): KindName[] {
  const kind = kinds.get(name);
  const own = [...(kind?.shape.fields.values() ?? [])];
  const counted = (kind?.dangers ?? [])
    .filter(({ field }) => fields[field] !== undefined)
    .map(({ counts }) => kindName(counts.kind));
  const moved = own
    .filter(field => fields[field.name] !== undefined)
    .flatMap(({ movesMembers, endsLogins }) =>
      [movesMembers, endsLogins].flatMap(one => one?.kind ?? []),
    );
  const exact = (lifecycle.exact ?? []).flatMap(member => {
    const shape = kind?.shape.fields.get(member)?.shape;
    return shape ? [...refsOfShape(shape)] : [];
  });
  const { differsFrom } = kind ?? {};
  const apartFrom =
    differsFrom && fields[differsFrom.field] !== undefined ? [differsFrom.kind] : [];
  return [...moved, ...counted, ...exact, ...apartFrom, ...propagatedKinds(kinds, kind, fields)];
}

// The kinds that matter if a declared setting makes members follow their owners into sets: the
// kinds of the owners and of the members, and the kinds to which the owners refer, such as the
// sets.
function propagatedKinds(kinds: KindTable, kind: Kind | undefined, fields: Fields): KindName[] {
  const { propagates } = kind ?? {};
  if (propagates === undefined || fields[propagates.field] !== true) return [];
  const owner = kinds.get(propagates.kind);
  if (owner === undefined) return [];
  const moved = [...owner.shape.fields.values()].flatMap(one => one.movesMembers?.kind ?? []);
  return [owner.name, ...moved, ...refsOf(owner)];
}

// The kinds among these whose objects the run may delete.
function deletable(
  kinds: KindTable,
  names: Iterable<KindName>,
  desired: readonly Desired[],
): readonly Kind[] {
  const asked = new Set(
    desired.flatMap(({ kind, lifecycle }) => (lifecycle.delete === true ? kind : [])),
  );
  return [...names]
    .flatMap(name => kinds.get(name) ?? [])
    .filter(({ name, neverPruned }) => !neverPruned || asked.has(name));
}

/**
 * The kinds to which a delete cascades. Kinds that an account may lack need not be read: if the
 * account has an object of such a kind, the server refuses the delete.
 */
export function kindsOfCascades(kinds: KindTable, kind: Kind): KindName[] {
  return kind.cascades.flatMap(cascade => {
    const child = kinds.get(cascade.kind);
    return child && !cascade.onlyInCascade ? [child.name, ...kindsOfCascades(kinds, child)] : [];
  });
}

// Objects and their parents. The former name of a parent shows where its children are in the account.
function withHomes(objects: readonly Desired[], all: readonly Desired[]): readonly Desired[] {
  const homes = new Set(objects.flatMap(({ parent }) => parent ?? []));
  const chosen = new Set(objects);
  return all.filter(object => chosen.has(object) || homes.has(object.key));
}

function mayDelete(desired: readonly Desired[], prune: PruneMode): boolean {
  return prune !== 'none' || desired.some(({ lifecycle }) => lifecycle.delete === true);
}

// The parents whose children are listed. These are the parents that the objects mention. If any
// parent may contain an object, all parents are listed, because the object is found by its id or by
// a name that is unique in the account.
function parentsOf(kinds: KindTable, objects: readonly Desired[]): ReadScope['parents'] {
  const children = Map.groupBy(kinds.values(), ({ parent }) => parent);
  const namedIn = new Map<KindName, Set<string>>();
  const anywhere = new Set<KindName>();
  const listIn = (child: KindName, ...names: readonly (string | undefined)[]): void => {
    const known = namedIn.get(child) ?? new Set();
    for (const name of names) if (name !== undefined) known.add(name);
    namedIn.set(child, known);
  };
  for (const { kind: name, key, lifecycle, fields } of objects) {
    const kind = kinds.get(name);
    if (!kind) continue;
    for (const child of children.get(name) ?? [])
      listIn(child.name, key, lifecycle.was && formerName(kind, lifecycle.was), lifecycle.id);
    if (lifecycle.id !== undefined || kind.unique === 'account') anywhere.add(name);
    if (lifecycle.was !== undefined) listIn(name, formerParentAndName(kind, lifecycle.was)?.parent);
    for (const { kind: referent, key: named } of refsIn(kind.shape, fields)) {
      const segments = segmentsOf(named, kinds.get(referent)?.depth ?? 1) ?? [];
      if (idInKey(named) !== null) anywhere.add(referent);
      else if (segments.length > 1) listIn(referent, segments[0]);
    }
  }
  const parents = new Map<KindName, ReadonlySet<string> | 'all'>(namedIn);
  for (const name of anywhere) if (kinds.get(name)?.parent !== undefined) parents.set(name, 'all');
  return parents;
}
