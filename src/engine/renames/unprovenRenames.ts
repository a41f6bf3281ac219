// New objects and old objects of one kind that nothing connects: they may be renames with other changes, which only a person knows.
import { addressOf } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { UnprovenRenames } from '../../model/suggestedRename.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { PlanContext } from '../types/planContext.ts';
import { isRenamable, type OldObject } from './similarity.ts';

interface Compared {
  readonly objects: readonly ObjectChange[];
  readonly olds: readonly OldObject[];
  /** The new objects that are suggested or listed otherwise. */
  readonly settledNew: ReadonlySet<Address>;
  /** The same for live objects. */
  readonly settledOld: ReadonlySet<OldObject>;
}

/** By kind, the objects that are neither recognised nor ambiguous; only kinds with such objects on both sides. */
export function unprovenRenames(compared: Compared, context: PlanContext): UnprovenRenames[] {
  const { objects, olds, settledNew, settledOld } = compared;
  const news = objects.filter(
    ({ change, desired }) =>
      change.type === 'create' && desired !== undefined && !settledNew.has(change.address),
  );
  const open = new Set(news.map(({ change }) => change.address));
  // A child waits until it is known what became of its parent.
  const isInOpen = (kind: KindName, parent: Key | undefined): boolean => {
    const above = context.kind(kind).parent;
    return above !== undefined && parent !== undefined && open.has(addressOf(above, parent));
  };
  const created = Map.groupBy(
    news.filter(({ change, desired }) => !isInOpen(change.kind, desired?.parent)),
    ({ change }) => change.kind,
  );
  // An entry that deletes an object shows that the object was not renamed.
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
