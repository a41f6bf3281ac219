// With a base: whether the files changed, the account, or both (docs/design.md#the-base).
import type { ObjectShape } from '../../kinds/kind.ts';
import type { FieldChange, Since } from '../../model/change.ts';
import type { Fields } from '../../model/value.ts';
import { type DiffOptions, diffFields } from './diff.ts';
import { overlaps } from './overlap.ts';

/**
 * Classifies each difference between `desired` and `live` by who made it; `base` is the last common state. The rules of
 * comparison with the base are the same as between the two sides.
 */
export function whoMoved(
  shape: ObjectShape,
  sides: { readonly desired: Fields; readonly live: Fields; readonly base: Fields },
): (change: FieldChange) => Since {
  const { desired, live, base } = sides;
  const plain: DiffOptions = { written: {}, ignore: new Set(), exact: new Set(), base: {} };
  // Of a shared set, files and base declare all members that they want, even if there are none.
  const shared = [...shape.fields.values()].filter(field => field.shared).map(({ name }) => name);
  const nobody = Object.fromEntries(shared.map(name => [name, []]));
  const declared = { ...nobody, ...desired };
  const byFiles = diffFields(shape, declared, base, { ...plain, exact: new Set(shared) });
  const byAccount = diffFields(shape, base, live, plain);
  return ({ path }) => {
    const isOverlapping = (change: FieldChange) => overlaps(change.path, path);
    const isNew = base[path[0] ?? ''] === undefined;
    if (!isNew && !byFiles.some(isOverlapping)) return 'drift';
    return byAccount.some(isOverlapping) ? 'conflict' : 'pending';
  };
}
