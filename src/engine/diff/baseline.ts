// With a base: whether the files changed, the account, or both (docs/design.md#the-base).
import type { ObjectShape } from '../../kinds/kind.ts';
import type { FieldChange, MembersChange, Since } from '../../model/change.ts';
import type { Desired } from '../../model/object.ts';
import { stableText } from '../../model/text/stableText.ts';
import type { Fields } from '../../model/value.ts';
import { type DiffOptions, diffFields } from './diff.ts';
import { overlaps } from './overlap.ts';

/** An object on both sides, and in their last common state. */
interface Sides {
  readonly desired: Fields;
  readonly live: Fields;
  readonly base: Fields;
  /** The possible meanings of the base: the account changed only values that differ from all of them. */
  readonly meant: readonly Fields[];
  /**
   * Fields of which the files own more than in the base: their changes there count as the files', whatever value the base has.
   */
  readonly taken: ReadonlySet<string>;
}

/**
 * Classifies each difference between `desired` and `live` by who made it; `base` is the last common state. The rules of
 * comparison with the base are the same as between the two sides.
 */
export function whoMoved(
  shape: ObjectShape,
  { desired, live, base, meant, taken }: Sides,
): (change: FieldChange) => Since {
  const plain: DiffOptions = { written: {}, ignore: new Set(), exact: new Set(), base: {} };
  // Of a shared set, files and base declare all members that they want, even if there are none.
  const shared = [...shape.fields.values()].filter(field => field.shared).map(({ name }) => name);
  const nobody = Object.fromEntries(shared.map(name => [name, []]));
  const declared = { ...nobody, ...desired };
  const byFiles = diffFields(shape, declared, base, { ...plain, exact: new Set(shared) });
  const byAccount = meant.map(fields => diffFields(shape, fields, live, plain));
  return change => {
    const { path } = change;
    if (taken.has(path[0] ?? '')) return 'pending';
    const isOverlapping = (one: FieldChange) => overlaps(one.path, path);
    const isNew = base[path[0] ?? ''] === undefined;
    if (!isNew && !byFiles.some(isOverlapping)) return 'drift';
    const isOverwritten = (moved: FieldChange) =>
      isOverlapping(moved) && !(shared.includes(path[0] ?? '') && areOfOthers(moved, change));
    return byAccount.every(changes => changes.some(isOverwritten)) ? 'conflict' : 'pending';
  };
}

// In a shared set each member is compared separately: a member that both the account and the files have lost is no conflict.
function areOfOthers(moved: FieldChange, change: FieldChange): boolean {
  if (moved.type !== 'members' || change.type !== 'members') return false;
  const members = (one: MembersChange) => [...one.added, ...one.removed].map(stableText);
  return new Set(members(moved)).isDisjointFrom(new Set(members(change)));
}

/** The fields of which a declaration owns more than a former one: it no longer ignores them, or is exact about their members. */
export function takenOver(
  { lifecycle: { ignore: ignored = [], exact = [] } }: Pick<Desired, 'lifecycle'>,
  { lifecycle: was }: Pick<Desired, 'lifecycle'>,
): ReadonlySet<string> {
  const seen = new Set(was.ignore ?? []).difference(new Set(ignored));
  return seen.union(new Set(exact).difference(new Set(was.exact ?? [])));
}
