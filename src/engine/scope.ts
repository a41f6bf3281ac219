// What of the account a run has to look at: the kinds and parents that its files speak of, and no more.
import type { KindTable } from '../kinds/kind.ts';
import { refsIn, refsOf } from '../kinds/refs.ts';
import { idInKey, segmentsOf } from '../model/key.ts';
import type { KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import type { PruneMode } from './settings.ts';

/** What to read. */
export interface ReadScope {
  readonly kinds: ReadonlySet<KindName>;
  /** By kind of parent, the names and ids of those whose children are to be listed; `all` for every one. */
  readonly parents: ReadonlyMap<KindName, ReadonlySet<string> | 'all'>;
}

/**
 * The scope of a run: all it needs to know and, where it may delete, whatever may point at what goes, and what that is
 * called.
 */
export function readScope(
  kinds: KindTable,
  desired: readonly Desired[],
  base: readonly Desired[],
  prune: PruneMode,
): ReadScope {
  const needed = new Set(neededKinds(kinds, desired, base, prune).keys());
  if (!mayDelete(desired, prune))
    return { kinds: needed, parents: parentsOf(kinds, [...desired, ...base]) };
  const concerned = [...kinds.values()].filter(
    kind => needed.has(kind.name) || !refsOf(kind).isDisjointFrom(needed),
  );
  const around = concerned.flatMap(kind => [kind.name, ...refsOf(kind)]);
  const homes = around.flatMap(name => kinds.get(name)?.parent ?? []);
  return {
    kinds: new Set([...around, ...homes]),
    parents: new Map([...kinds.keys()].map(name => [name, 'all'])),
  };
}

/**
 * The kinds that a run cannot do without, each with a declaration that needs it, if one does: those declared, now or
 * in the base, those that declarations point at, their parents and, where the run may delete, what would go along.
 */
export function neededKinds(
  kinds: KindTable,
  desired: readonly Desired[],
  base: readonly Desired[],
  prune: PruneMode,
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
    for (const ref of kind ? refsIn(kind.shape, object.fields) : []) need(ref.kind, by);
  };
  for (const object of desired) needAll(object, object);
  for (const object of base) needAll(object);
  if (!mayDelete(desired, prune)) return needed;
  for (const name of [...needed.keys()]) {
    for (const child of kinds.get(name)?.cascades ?? []) need(child);
  }
  return needed;
}

function mayDelete(desired: readonly Desired[], prune: PruneMode): boolean {
  return prune !== 'none' || desired.some(({ lifecycle }) => lifecycle.delete === true);
}

// Children are listed under the parents that are spoken of; where an id stands for a child, any parent may hold it.
function parentsOf(kinds: KindTable, objects: readonly Desired[]): ReadScope['parents'] {
  const parents = new Map<KindName, Set<string> | 'all'>();
  const name = (parent: KindName | undefined, names: readonly (string | undefined)[]): void => {
    if (parent === undefined || parents.get(parent) === 'all') return;
    const known = parents.get(parent) ?? new Set();
    parents.set(parent, new Set([...known, ...names.filter(text => text !== undefined)]));
  };
  for (const { kind, key, lifecycle, fields } of objects) {
    const own = kinds.get(kind);
    if (!own) continue;
    name(kind, [key, lifecycle.was, lifecycle.id]);
    if (own.parent && lifecycle.id !== undefined) parents.set(own.parent, 'all');
    for (const ref of refsIn(own.shape, fields)) {
      const { parent, depth = 1 } = kinds.get(ref.kind) ?? {};
      if (parent && idInKey(ref.key) !== null) parents.set(parent, 'all');
      else name(parent, (segmentsOf(ref.key, depth) ?? []).slice(0, 1));
    }
  }
  return parents;
}
