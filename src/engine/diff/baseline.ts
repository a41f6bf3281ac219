// With a base: determines whether the files, the account or both changed a value
// (docs/design.md#the-base).
import type { ObjectShape } from '../../kinds/kind.ts';
import type { FieldChange, MembersChange, Since } from '../../model/change.ts';
import type { Desired } from '../../model/object.ts';
import { stableText } from '../../model/text/stableText.ts';
import type { Fields } from '../../model/value.ts';
import { type DiffOptions, diffFields } from './diff.ts';
import { overlaps } from './overlap.ts';

/** The declared object, the live object, and the base as their last common state. */
interface Sides {
  readonly desired: Fields;
  readonly live: Fields;
  readonly base: Fields;
  /** The possible interpretations of the base. The account changed a value only if the value differs from all of them. */
  readonly meant: readonly Fields[];
  /**
   * Fields of which the files own more than they owned in the base. A change of such a field counts
   * as a change in the files, whatever value the base has.
   */
  readonly taken: ReadonlySet<string>;
}

/**
 * Returns a function that determines which side caused a difference between `desired` and `live`.
 * `base` is their last common state. Each side is compared with the base by the same rules as the
 * two sides are compared with each other.
 */
export function sideThatChanged(
  shape: ObjectShape,
  { desired, live, base, meant, taken }: Sides,
): (change: FieldChange) => Since {
  const plain: DiffOptions = { written: {}, ignore: new Set(), exact: new Set(), base: {} };
  // In a shared set, the files and the base declare every member that they want. A side without a
  // value wants no member.
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

// Whether two changes of a shared set concern different members. Each member is compared
// separately. If both the account and the files removed a member, there is no conflict.
function areOfOthers(moved: FieldChange, change: FieldChange): boolean {
  if (moved.type !== 'members' || change.type !== 'members') return false;
  const members = (one: MembersChange) => [...one.added, ...one.removed].map(stableText);
  return new Set(members(moved)).isDisjointFrom(new Set(members(change)));
}

/**
 * The fields of which a declaration owns more than an earlier declaration. It no longer ignores
 * such a field, or it now declares all members.
 */
export function newlyOwnedFields(
  { lifecycle: { ignore: ignored = [], exact = [] } }: Pick<Desired, 'lifecycle'>,
  { lifecycle: was }: Pick<Desired, 'lifecycle'>,
): ReadonlySet<string> {
  const seen = new Set(was.ignore ?? []).difference(new Set(ignored));
  return seen.union(new Set(exact).difference(new Set(was.exact ?? [])));
}
