// The names of live objects as the files would write them, so that a rename does not look like a change of the objects that refer
// to the renamed one.
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { idInKey, idKey } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Live } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from '../types/naming.ts';

/** A naming without objects. */
export function emptyNaming(): Naming {
  const byLiveKey = new Map<string, Key>();
  const byId = new Map<string, Key>();
  const formerById = new Map<string, Key>();
  return {
    keyOf: (kind, key) => byLiveKey.get(`${kind} ${key}`) ?? key,
    keyOfId: (kind, id) => byId.get(`${kind} ${id}`),
    formerKeyOfId: (kind, id) => formerById.get(`${kind} ${id}`),
    name: (live, key) => {
      byId.set(`${live.kind} ${live.id}`, key);
      formerById.set(`${live.kind} ${live.id}`, live.key);
      byLiveKey.set(`${live.kind} ${live.key}`, key);
      byLiveKey.set(`${live.kind} ${idKey(live.id)}`, key);
    },
  };
}

/** The key of the parent of a live object; undefined without a parent. */
export function parentKey(kind: Kind, live: Live, naming: Naming): Key | undefined {
  return kind.parent && live.parentId && naming.keyOfId(kind.parent, live.parentId);
}

/** The fields of a live object in canonical form, with references as the files would write them. */
export function liveFields(kind: Kind, live: Live, naming: Naming): Fields {
  return canonicalFields(kind.shape, mapFieldRefs(kind, live.fields, naming.keyOf), 'live');
}

/** The fields of a declared object, with every `id:<value>` reference replaced by a name. */
export function namedFields(kind: Kind, fields: Fields, naming: Naming): Fields {
  return mapFieldRefs(kind, fields, (ref, key) =>
    idInKey(key) === null ? key : naming.keyOf(ref, key),
  );
}
