// New objects and old objects of one kind for which nothing indicates a rename. They may have been
// renamed and changed in other ways; only a person knows.
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { UnprovenRenames } from '../../model/suggestedRename.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { isRenamable, type OldObject } from './similarity.ts';

interface Compared {
  readonly objects: readonly ObjectChange[];
  readonly olds: readonly OldObject[];
  /** The new objects that another list already contains. */
  readonly settledNew: ReadonlySet<Address>;
  /** The live objects that another list already contains. */
  readonly settledOld: ReadonlySet<OldObject>;
}

/** By kind, the objects that are neither recognised nor ambiguous. Only kinds with such objects on both sides are included. */
export function unprovenRenames(compared: Compared, context: PlanContext): UnprovenRenames[] {
  const { objects, olds, settledNew, settledOld } = compared;
  const news = objects.filter(
    ({ change, desired }) =>
      change.type === 'create' && desired !== undefined && !settledNew.has(change.address),
  );
  const open = new Set(news.map(({ change }) => change.address));
  // A child is left out until its parent is known.
  const isInOpen = (kind: KindName, parent: Key | undefined): boolean => {
    const above = context.kind(kind).parent;
    return above !== undefined && parent !== undefined && open.has(addressOf(above, parent));
  };
  const created = Map.groupBy(
    news.filter(({ change, desired }) => !isInOpen(change.kind, desired?.parent)),
    ({ change }) => change.kind,
  );
  // If an entry deletes an object, the object was not renamed.
  const former = Map.groupBy(
    olds.filter(old => !old.isDeclared && !settledOld.has(old)),
    ({ live }) => live.kind,
  );
  return [...created].flatMap(([kind, some]) => {
    const found = former.get(kind) ?? [];
    if (found.length === 0 || !isRenamable(context.kind(kind))) return [];
    return {
      created: some.map(({ change }) => change.address).sort(),
      former: found.map(({ live }) => context.addressOf(live)).sort(),
    };
  });
}
