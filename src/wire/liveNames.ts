// How references of live objects are named: by name if it is unique, otherwise by id (docs/design.md#name-space).
import { childKey, fieldAt, identityName } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { isNamedById } from '../kinds/lookup.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { idInKey } from '../model/key.ts';
import type { Key, KindName, RemoteId } from '../model/names.ts';
import type { Fields } from '../model/value.ts';
import { byId, type KeyOfId } from './decode.ts';

/** A live object before it has a name. */
export interface Nameless {
  readonly kind: KindName;
  readonly id: RemoteId;
  readonly parentId?: RemoteId;
  /** Its fields, with ids left as ids. */
  readonly idFields: Fields;
}

/** The names of live objects by kind and id. A name that is empty, shared or unknown is replaced by `id:<value>`. */
export function liveNames(kinds: KindTable, objects: readonly Nameless[]): KeyOfId {
  const byKind = Map.groupBy(objects, object => object.kind);
  const names = new Map<KindName, ReadonlyMap<string, Key>>();
  // Parents come before their children in the table, so the names of parents are known first.
  for (const kind of kinds.values()) {
    if (hasName(kind)) names.set(kind.name, uniqueKeys(kind, byKind.get(kind.name) ?? [], names));
  }
  const isName = new Set([...kinds.values()].filter(isNamedById).map(({ name }) => name));
  return (kind, id) => names.get(kind)?.get(id) ?? (isName.has(kind) ? id : byId(kind, id));
}

function uniqueKeys(
  kind: Kind,
  objects: readonly Nameless[],
  names: ReadonlyMap<KindName, ReadonlyMap<string, Key>>,
): ReadonlyMap<string, Key> {
  const holders = new Map<Key, RemoteId[]>();
  const identifying = identifyingFields(kind);
  for (const { id, parentId, idFields } of objects) {
    const parent = kind.parent && parentId && names.get(kind.parent)?.get(parentId);
    const name = identityName(kind, identifying(idFields));
    if (name === null || (kind.parent && !parent)) continue;
    const key = childKey(parent || undefined, name);
    const others = holders.get(key);
    if (others) others.push(id);
    // A name that looks like an id is not used, because it would be mistaken for an id.
    else if (idInKey(key) === null) holders.set(key, [id]);
  }
  return new Map(
    [...holders].flatMap(([key, [id, ...others]]) =>
      id !== undefined && others.length === 0 ? [[id, key]] : [],
    ),
  );
}

// Returns a function for the canonical form of the identifying fields. The other fields are skipped, because they may be many and
// large.
function identifyingFields(kind: Kind): (fields: Fields) => Fields {
  const names = [...new Set(stepsOf(kind).map(([name = '']) => name))];
  const only = new Map([...kind.shape.fields].filter(([name]) => names.includes(name)));
  const shape = { ...kind.shape, fields: only };
  return fields => {
    const picked = names.flatMap(name =>
      fields[name] === undefined ? [] : [[name, fields[name]] as const],
    );
    return canonicalFields(shape, Object.fromEntries(picked), 'live');
  };
}

// Whether references can use the name of a kind. They cannot if the name consists of references.
function hasName(kind: Kind): boolean {
  return stepsOf(kind).every(steps => {
    const shape = fieldAt(kind.shape, steps)?.shape;
    return shape?.type === 'scalar' && !shape.ref;
  });
}

const stepsOf = (kind: Kind): string[][] => kind.identity.flat().map(path => path.split('.'));
