// The names of live objects in an export, and whether an object is identified by its id alone.
import { childKey, exactIdentity, identityName, sharesNames } from '../kinds/identity/identity.ts';
import type { Kind, KindTable } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { idInKey } from '../model/key.ts';
import type { Key, RemoteId } from '../model/names.ts';
import type { Live } from '../model/object.ts';

/** The name of an object. */
export interface Title {
  /** Its name within its parent; its id if it has none. */
  readonly name: string;
  /** Whether the name does not identify the object, because it is missing, shared, or looks like an id. */
  readonly isBound: boolean;
}

/** The names of live objects by kind and id. Objects in `dead` do not count. */
export function titlesOf(
  kinds: KindTable,
  objects: readonly Live[],
  isDead: (live: Live) => boolean,
): (live: Live) => Title {
  const titles = new Map<string, Title>();
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  // Parents come before their children in the table.
  for (const kind of kinds.values()) {
    const named = (byKind.get(kind.name) ?? []).map(live => ({ live, name: nameOf(kind, live) }));
    const bearers = Map.groupBy(
      named.filter(({ live }) => !isDead(live)),
      one => scopedName(kind, one),
    );
    for (const one of named) {
      const { live, name } = one;
      const parent = kind.parent && titles.get(`${kind.parent} ${live.parentId}`);
      const others = (bearers.get(scopedName(kind, one)) ?? []).filter(other => other !== one);
      const isTold = name !== null && idInKey(name) === null && others.length === 0;
      titles.set(`${kind.name} ${live.id}`, {
        name: name ?? live.id,
        isBound: !isTold || parent?.isBound === true,
      });
    }
  }
  return ({ kind, id }) => titles.get(`${kind} ${id}`) ?? { name: id, isBound: true };
}

/** The name of an object; null if it has none, or none that may be shown. */
function nameOf(kind: Kind, { fields, hasSecretHost }: Live): string | null {
  if (hasSecretHost) return null;
  const name = identityName(kind, canonicalFields(kind.shape, fields, 'live'));
  return name === '' ? null : name;
}

// Within its parent, or within the account if the server requires unique names there.
function scopedName(kind: Kind, one: { live: Live; name: string | null }): string | null {
  const name = sharesNames(kind) ? tellingName(kind, one.live) : one.name;
  if (one.name === null || name === null) return null;
  return kind.unique === 'account' || one.live.parentId === undefined
    ? name
    : childKey(parentOf(one.live.parentId), name);
}

// The whole identity of an object: objects that share a name are distinguished by it.
function tellingName(kind: Kind, { fields }: Live): string | null {
  return exactIdentity(kind, canonicalFields(kind.shape, fields, 'live'));
}

const parentOf = (id: RemoteId): Key => id as string as Key;
