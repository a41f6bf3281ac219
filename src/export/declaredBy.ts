// The declarations of folders, by the live objects that they mean. An object is found by its name and by its id in the base of
// the folder, because somebody may have renamed it since.

import type { Meant } from '../engine/types/pairing.ts';
import type { Field } from '../kinds/kind.ts';
import { memberKind } from '../kinds/values/sharedSets.ts';
import { addressOf, idInKey, keyOf } from '../model/key.ts';
import type { Address, Key, KindName } from '../model/names.ts';
import type { Desired } from '../model/object.ts';
import { stableText } from '../model/text/stableText.ts';
import { isList } from '../model/value.ts';
import { boundAs } from './boundById.ts';
import type { Exported } from './model.ts';

/** An object that a folder declares. */
export interface Declared {
  /** The folder; empty for the folder of the export. */
  readonly folder: string;
  readonly key: Key;
  readonly declares: (field: string) => boolean;
  /** The texts of the members of a set, by their names in the folder and by their present names. */
  readonly members: (field: Field) => readonly string[];
}

/** The declarations of a folder, and the objects that its names mean according to its base. */
interface Folder {
  readonly name: string;
  readonly objects: readonly Desired[];
  readonly ids: Meant;
}

/**
 * Returns lookups of the declarations of a live object, under its present or former name. `keys` are the keys of live objects by
 * kind and id.
 */
export function declaredBy(
  folders: readonly Folder[],
  keys: ReadonlyMap<string, Key>,
): (object: Exported) => readonly Declared[] {
  const byName = new Map<Address, Declared[]>();
  const byId = new Map<string, Declared[]>();
  for (const folder of folders) {
    for (const object of folder.objects) {
      const { kind, key, lifecycle } = object;
      const name = addressOf(kind, key);
      const declared = declaredIn(folder, object, keys);
      const id = lifecycle.id ?? folder.ids.get(name);
      byName.set(name, [...(byName.get(name) ?? []), declared]);
      if (id === undefined || id === null) continue;
      byId.set(`${kind} ${id}`, [...(byId.get(`${kind} ${id}`) ?? []), declared]);
    }
  }
  return object => {
    const key = keys.get(boundAs(object));
    const named = key === undefined ? [] : (byName.get(addressOf(object.kind.name, key)) ?? []);
    const found = [...new Set([...named, ...(byId.get(boundAs(object)) ?? [])])];
    // If several objects of the account share one name, the key of each of them contains its id.
    return found.length > 0 || idInKey(key ?? '') === null
      ? found
      : (byName.get(nameOf(object)) ?? []);
  };
}

const nameOf = ({ kind, name }: Exported): Address => addressOf(kind.name, keyOf([name]));

function declaredIn(
  { name, ids }: Folder,
  object: Desired,
  keys: ReadonlyMap<string, Key>,
): Declared {
  const now = (kind: KindName, key: Key) => keys.get(`${kind} ${ids.get(addressOf(kind, key))}`);
  return {
    folder: name,
    key: object.key,
    declares: field => object.fields[field] !== undefined,
    members: field => {
      const ref = memberKind(field);
      const members = object.fields[field.name];
      return (isList(members) ? members : []).flatMap(member => {
        const called = ref === undefined ? undefined : now(ref, member as Key);
        return [stableText(member), ...(called === undefined ? [] : [stableText(called)])];
      });
    },
  };
}
