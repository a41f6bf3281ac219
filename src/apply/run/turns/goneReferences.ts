// Removes dangling references from the fields that a write sends back. The server would refuse
// them.
import type { Kind } from '../../../kinds/kind.ts';
import { quoted } from '../../../model/text/visible.ts';
import { type Fields, isList, type Json, type JsonObject } from '../../../model/value.ts';
import type { TurnContext } from './context.ts';

/** The object as read, without dangling references, and a note for each field that loses some. */
export async function withoutGoneReferences(
  kind: Kind,
  fields: Fields,
  read: JsonObject,
  { kinds, lists }: Pick<TurnContext, 'kinds' | 'lists'>,
): Promise<{ readonly read: JsonObject; readonly notes: readonly string[] }> {
  let kept = read;
  const notes: string[] = [];
  for (const { name, shape, withoutGone } of kind.shape.fields.values()) {
    const value = read[name];
    const ref =
      shape.type === 'list' && shape.items.type === 'scalar' ? shape.items.ref : undefined;
    const pointedAt = ref && kinds.get(ref);
    if (!withoutGone || !pointedAt || name in fields || !isList(value) || value.length === 0)
      continue;
    const there = new Set((await lists.list(pointedAt)).map(({ id }) => String(id)));
    const gone = value.filter(id => !there.has(String(id)));
    if (gone.length === 0) continue;
    kept = withList(
      kind,
      kept,
      name,
      value.filter(id => !gone.includes(id)),
    );
    notes.push(
      `left out of ${quoted(name)}, because it no longer exists: ${gone.map(String).join(', ')}`,
    );
  }
  return { read: kept, notes };
}

// Sets the list both at the top of the object and at the path where the server stores it.
function withList(kind: Kind, read: JsonObject, name: string, list: readonly Json[]): JsonObject {
  const inside = (object: JsonObject, path: readonly string[]): JsonObject => {
    const [step, ...rest] = path;
    if (step === undefined) return { ...object, [name]: list };
    return { ...object, [step]: inside((object[step] ?? {}) as JsonObject, rest) };
  };
  const path = kind.layout?.get(name) ?? [];
  return { ...inside(read, path.map(String)), [name]: list };
}
