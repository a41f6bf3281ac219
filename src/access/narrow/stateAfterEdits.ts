// The declared objects after edits.
import type { Desired } from '../../model/object.ts';
import type { ObjectEdit } from '../../model/objectEdit.ts';
import { type Fields, isList, isObject, type Json } from '../../model/value.ts';

/** The desired state after the edits. Values keep the positions that they had before the edits. */
export function stateAfterEdits(
  desired: readonly Desired[],
  edits: readonly ObjectEdit[],
): readonly Desired[] {
  const byObject = Map.groupBy(edits, ({ object }) => object);
  return desired.flatMap(object => {
    const own = byObject.get(object) ?? [];
    if (own.some(({ path, fields }) => path.length === 0 && fields === undefined)) return [];
    if (own.length === 0) return object;
    // Removals run last, from the end of a list, so that the positions of the other items stay valid.
    const ordered = own.toSorted((one, other) => positionOf(other) - positionOf(one));
    let { fields } = object;
    for (const edit of ordered) fields = edited(fields, edit);
    return { ...object, fields };
  });
}

const positionOf = ({ path }: ObjectEdit): number => Number(path.at(-1) ?? -1);

function edited(value: Fields, { path, fields }: Pick<ObjectEdit, 'path' | 'fields'>): Fields {
  const [name, index] = path;
  if (name === undefined) return withFields(value, fields ?? {});
  const list = value[name];
  if (index === undefined || !isList(list)) return value;
  const items = list.flatMap((item): Json[] => {
    if (item !== list[Number(index)]) return [item];
    return fields && isObject(item) ? [withFields(item, fields)] : [];
  });
  return { ...value, [name]: items };
}

function withFields(value: Fields, fields: Readonly<Record<string, Json | undefined>>): Fields {
  const all: Record<string, Json | undefined> = { ...value, ...fields };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, item]) => (item === undefined ? [] : [[name, item]])),
  );
}
