// The differences between the account and declarations that a plan cannot write. The plan compares
// these declarations nevertheless.
import type { Kind, KindTable, Shape } from '../../kinds/kind.ts';
import { isEmpty } from '../../kinds/values/canonical.ts';
import { pathText } from '../../kinds/values/pathText.ts';
import { refsIn } from '../../kinds/values/refs.ts';
import { shapeAt } from '../../kinds/values/shapeAt.ts';
import type { FieldChange } from '../../model/change.ts';
import { addressOf } from '../../model/key.ts';
import type { MissingObject } from '../../model/missingObjects.ts';
import type { Key, KindName } from '../../model/names.ts';
import { pathName } from '../../model/text/pathName.ts';
import { quoted } from '../../model/text/visible.ts';
import type { Json, Path } from '../../model/value.ts';
import type { ComparedOnly } from '../types/comparedOnly.ts';
import type { ObjectChange } from '../types/objectChange.ts';
import type { Pairing } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';
import { fieldChanges } from './fieldChanges.ts';
import { overlaps } from './overlap.ts';

/**
 * The differences of declarations that a plan does not write as declared. Differences that the plan
 * reverts are left out, and so are changes that the files made since the base.
 */
export function comparedOnlyChanges(
  { objects, missing }: ComparedOnly,
  changes: readonly ObjectChange[],
  { pairs }: Pick<Pairing, 'pairs'>,
  context: PlanContext,
): readonly ObjectChange[] {
  const liveOf = new Map(
    pairs.map(({ desired: { kind, key }, live }) => [addressOf(kind, key), live]),
  );
  const planned = new Map(changes.map(({ change }) => [change.address, change.fields]));
  const isMissing = missingIn(missing, context);
  return objects.flatMap((desired): ObjectChange[] => {
    const { kind, key, at } = desired;
    const address = addressOf(kind, key);
    const live = liveOf.get(address);
    if (live === undefined) return [];
    const written = planned.get(address) ?? [];
    const isOpen = ({ path, since }: FieldChange) =>
      since !== 'pending' && !written.some(other => overlaps(other.path, path));
    const fields = fieldChanges({ desired, live }, context)
      .filter(isOpen)
      .flatMap(change => unexplained(change, context.kind(kind), isMissing) ?? []);
    if (fields.length === 0) return [];
    const partOf = context.wholeOf(desired);
    const named = { address, kind, key, ...(partOf !== undefined && { partOf }), at };
    return [
      { desired, live, change: { ...named, type: 'update', id: live.id, fields, notes: [] } },
    ];
  });
}

/**
 * Whether a name denotes a missing object. It may be the name of the object, or the current name of
 * an object that may be the missing object.
 */
type IsMissing = (kind: KindName, key: Json) => boolean;

function missingIn(missing: readonly MissingObject[], { naming }: PlanContext): IsMissing {
  const names = new Set(
    missing.flatMap(({ kind, key, fate, namesakes = [] }) => {
      const ids = [...namesakes, ...(fate?.id === undefined ? [] : [fate.id])];
      const others = ids.flatMap(id => naming.keyOfId(kind, id) ?? []);
      return [key, ...others].map(name => addressOf(kind, name));
    }),
  );
  return (kind, key) => names.has(addressOf(kind, key as Key));
}

// The difference without the missing objects; undefined if nothing else differs.
function unexplained(
  change: FieldChange,
  { shape }: Kind,
  isMissing: IsMissing,
): FieldChange | undefined {
  const at = shapeAt(shape, change.path);
  const isGone = (inner: Shape | undefined, value: Json) => {
    const refs = inner ? refsIn(inner, value) : [];
    return refs.length > 0 && refs.every(ref => isMissing(ref.kind as KindName, ref.key));
  };
  if (change.type === 'members') {
    const items = at?.type === 'list' ? at.items : undefined;
    const isOther = (member: Json) => !isGone(items, member);
    const added = change.added.filter(isOther);
    const removed = change.removed.filter(isOther);
    return added.length + removed.length > 0 ? { ...change, added, removed } : undefined;
  }
  if (at?.type !== 'scalar' && at?.type !== 'choice') return change;
  const { before, after } = change;
  const isReplaced = before !== undefined && !isEmpty(before) && !isGone(at, before);
  return after !== undefined && isGone(at, after) && !isReplaced ? undefined : change;
}

/** The fields in which objects differ, in words: `"enabled", "rules["in"].ports"`. */
export const differingIn = (
  changes: readonly {
    readonly kind: KindName;
    readonly fields: readonly { readonly path: Path }[];
  }[],
  kinds: KindTable,
): string =>
  [
    ...new Set(
      changes.flatMap(({ kind, fields }) =>
        fields.map(({ path }) => quoted(textIn(kinds.get(kind), path))),
      ),
    ),
  ]
    .sort()
    .join(', ');

const textIn = (kind: Kind | undefined, path: Path): string =>
  kind ? pathText(kind.shape, path) : pathName(path);
