// The keys by which pairing compares objects of one kind: for live objects from their own fields, for declared objects with ids
// resolved.
import {
  childKey,
  exactIdentity,
  identityName,
  sharesNames,
} from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { idInKey, idKey, segmentsOf } from '../../model/key.ts';
import type { Key, RemoteId } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { Naming } from '../types/naming.ts';
import { liveFields, namedFields, parentKey } from './naming.ts';

/**
 * A live object with its key. The key is derived from the object's own fields; null if they contain
 * no key.
 */
export interface Named {
  readonly live: Live;
  readonly key: Key | null;
  /** The key that pairing compares. If objects share names, it contains hidden values, so it is never printed. */
  readonly exact: Key | null;
}

/** A live object with the keys from its fields, with the current name of its parent. */
export function nameLive(kind: Kind, live: Live, naming: Naming): Named {
  const parent = parentKey(kind, live, naming);
  const name = identityName(kind, liveFields(kind, live, naming));
  const isNameable = name !== null && (parent === undefined || idInKey(parent) === null);
  const key = isNameable ? childKey(parent, name) : null;
  const named = key !== null && idInKey(key) !== null ? null : key;
  if (!sharesNames(kind) || named === null) return { live, key: named, exact: named };
  const exact = exactIdentity(kind, liveFields(kind, live, naming));
  const shown = live.hasSecretHost ? null : named;
  return { live, key: shown, exact: exact === null ? null : childKey(parent, exact) };
}

/** The key by which pairing compares a declared object; see `Named`. */
export function exactKey(kind: Kind, { key, parent, fields }: Desired): Key {
  if (!sharesNames(kind)) return key;
  const exact = exactIdentity(kind, canonicalFields(kind.shape, fields, 'desired'));
  return exact === null ? key : childKey(parent, exact);
}

/**
 * A declared object, with the key of its fields after ids in them are resolved. The key of a
 * nameless object consists of references. Writing `id:<value>` instead of a name must not make it a
 * different object.
 */
export function nameDesired(kind: Kind, object: Desired, naming: Naming): Desired {
  // An object that is bound by id has no name that distinguishes it.
  if (object.lifecycle.id !== undefined && object.key === idKey(object.lifecycle.id as RemoteId))
    return object;
  // The number after the name distinguishes the object, so the key does not change.
  if (object.isNew) return object;
  // The number in a shared name depends on all declared objects, so the key cannot be computed here.
  if (sharesNames(kind)) return object;
  const fields = canonicalFields(kind.shape, namedFields(kind, object.fields, naming), 'desired');
  const name = identityName(kind, fields);
  return name === null ? object : { ...object, key: childKey(object.parent, name) };
}

/** The name of an object within its parent. */
export function lastName(kind: Kind, key: Key): string | undefined {
  return segmentsOf(key, kind.depth)?.at(-1);
}

/** The live objects of one kind that are not paired with a declared object yet. */
export class Unclaimed {
  readonly #left: Set<Named>;
  readonly #byId: ReadonlyMap<RemoteId, Named>;
  readonly #byExact: ReadonlyMap<Key | null, readonly Named[]>;
  readonly #byKey: ReadonlyMap<Key | null, readonly Named[]>;
  readonly #byName: ReadonlyMap<string | undefined, readonly Named[]>;

  constructor(kind: Kind, named: readonly Named[]) {
    this.#left = new Set(named);
    this.#byId = new Map(named.map(one => [one.live.id, one]));
    this.#byExact = Map.groupBy(named, ({ exact }) => exact);
    this.#byKey = Map.groupBy(named, ({ key }) => key);
    this.#byName = Map.groupBy(named, ({ key }) =>
      key === null ? undefined : lastName(kind, key),
    );
  }

  claim(named: Named): void {
    this.#left.delete(named);
  }

  withId(id: string): Named | undefined {
    const found = this.#byId.get(id as RemoteId);
    return found && this.#left.has(found) ? found : undefined;
  }

  /** Objects with exactly this key; see `exactKey`. */
  withExact(exact: Key): Named[] {
    return this.#only(this.#byExact.get(exact));
  }

  /** The objects with this name; several objects may share a name. */
  called(key: Key): Named[] {
    return this.#only(this.#byKey.get(key));
  }

  /** Objects with this name under any parent. */
  calledAnywhere(name: string): Named[] {
    return this.#only(this.#byName.get(name));
  }

  all(): Named[] {
    return [...this.#left];
  }

  #only(found: readonly Named[] = []): Named[] {
    return found.filter(named => this.#left.has(named));
  }
}
