// Finds the name of the whole object for undeclared live objects whose names look like parts of one object.
import { partsIn, wholeName } from '../../kinds/identity/parts.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { addressOf, idInKey, keyOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import { livePart } from './droppedParts.ts';
import type { Part } from './wholes.ts';

/**
 * The names of whole objects, by the names of their live parts. At least two objects share the prefix, and no object in the
 * account or in `known` has the prefix as its name. An export joins the same objects.
 */
export function liveWholes(
  live: readonly Live[],
  known: ReadonlySet<Address>,
  { kinds, dialect }: { readonly kinds: KindTable; readonly dialect: Dialect },
): readonly Part[] {
  const found = live.flatMap(one => {
    const kind = kinds.get(one.kind);
    const parts = kind && partsIn(kind, dialect);
    const part = parts && idInKey(one.key) === null ? livePart(kind, one) : null;
    const name = parts && part && part.item !== '' && wholeName(parts, part.name, part.item);
    if (!name) return [];
    const whole = keyOf([name]);
    return [{ kind: one.kind, key: one.key, whole }];
  });
  const taken = new Set([...known, ...live.map(({ kind, key }) => addressOf(kind, key))]);
  const groups = Map.groupBy(found, ({ kind, whole }) => addressOf(kind, whole));
  return [...groups].flatMap(([address, parts]) =>
    parts.length > 1 && !taken.has(address) ? parts : [],
  );
}
