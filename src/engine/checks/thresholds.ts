// Limits how many objects of a kind a run may delete without `--allow` (docs/design.md#hazards).
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Change } from '../../model/change.ts';
import type { Threshold, Thresholds } from '../../model/guards.ts';
import { BUILT_IN, limitAt } from '../../model/limits.ts';
import type { KindName } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';

/** The number of live objects below which a share is meaningless. */
const SHARE_COUNTS_FROM = 10;

/**
 * The kinds with too many deletes in a run, each with a description. Objects that are deleted with
 * their parent count too.
 */
export function overThreshold(
  changes: readonly Change[],
  live: readonly Live[],
  kinds: KindTable,
  thresholds: Thresholds,
): ReadonlyMap<KindName, string> {
  const gone = countByKind(changes.filter(({ type }) => type === 'delete'));
  const all = countByKind(live);
  const over = new Map<KindName, string>();
  for (const [name, count] of gone) {
    const kind = kinds.get(name);
    const total = all.get(name) ?? 0;
    if (kind && isOver(limitAt(thresholds, placeKey(kind), BUILT_IN), count, total))
      over.set(name, `${count} of ${total} ${kind.plural} are deleted in one run`);
  }
  return over;
}

function isOver({ deletes, share }: Threshold, count: number, total: number): boolean {
  const isTooMany = deletes !== undefined && count > deletes;
  const isTooLarge = share !== undefined && total >= SHARE_COUNTS_FROM && count > total * share;
  return isTooMany || isTooLarge;
}

function countByKind(objects: readonly { readonly kind: KindName }[]): Map<KindName, number> {
  const groups = Map.groupBy(objects, ({ kind }) => kind);
  return new Map([...groups].map(([kind, group]) => [kind, group.length]));
}

// The name of a kind in files and thresholds: `networks.resources`.
const placeKey = (kind: Kind): string => kind.at.replaceAll('[]', '');
