// The base with current names. An object that was renamed since the base was recorded is still the
// same object.
import { childKey, identityName, sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Address, Key, KindName } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import type { Naming } from '../types/naming.ts';
import type { Meant, RecordedIds } from '../types/pairing.ts';
import { type BaseObject, currentKeys, type PairedKind } from './currentKeys.ts';

/** What is known about the ids of objects in the base. */
export interface KnownByIds {
  /** The objects that names denote, if they are not simply the live objects with these names. */
  readonly meant?: Meant | undefined;
  readonly recordedIds?: RecordedIds | undefined;
}

/** The base, converted to current names kind by kind while objects are paired. */
export class BaseNames {
  readonly #names = new Map<string, Key>();
  /** The objects of the base, by current address. */
  readonly byAddress = new Map<Address, Desired>();
  /** The key of an object in the base, by its current address. */
  readonly formerNames = new Map<Address, Key>();
  /**
   * By current address: the fields of objects whose ids in the base belong to other objects than
   * their names.
   */
  readonly fieldsByIds = new Map<Address, Fields>();
  readonly #meant: Meant;
  readonly #recordedIds: RecordedIds;

  constructor({ meant = new Map(), recordedIds = new Map() }: KnownByIds = {}) {
    this.#meant = meant;
    this.#recordedIds = recordedIds;
  }

  /** Returns the objects of one kind in the base with current names. All kinds to which they refer must be settled before. */
  translate(kind: Kind, objects: readonly Desired[], naming: Naming): BaseObject[] {
    return objects.map(object => {
      const keyOf = (ref: KindName, key: string) =>
        idInKey(key) === null ? this.#keyOf(ref, key) : naming.keyOf(ref, key);
      const fields = mapFieldRefs(kind, object.fields, keyOf);
      const byIds = this.#fieldsByIds(kind, object, keyOf, naming);
      const parent = kind.parent && object.parent && this.#keyOf(kind.parent, object.parent);
      const name = identityName(kind, canonicalFields(kind.shape, fields, 'desired'));
      const key = name === null || sharesNames(kind) ? object.key : childKey(parent, name);
      return {
        object: { ...object, fields, key, ...(parent !== undefined && { parent }) },
        written: object.key,
        ...(byIds && { byIds }),
      };
    });
  }

  /** Determines the current names of a kind's objects in the base, after the kind is paired and named. */
  settle(former: readonly BaseObject[], paired: PairedKind): void {
    const { kind } = paired;
    const keyOf = currentKeys(paired, { meant: this.#meant, recordedIds: this.#recordedIds });
    for (const one of former) {
      const { object, written, byIds } = one;
      const key = keyOf(one);
      this.#names.set(`${kind.name} ${written}`, key);
      const address = addressOf(kind.name, key);
      if (this.byAddress.has(address)) continue;
      this.byAddress.set(address, { ...object, key });
      this.formerNames.set(address, written);
      if (byIds) this.fieldsByIds.set(address, byIds);
    }
  }

  #fieldsByIds(
    kind: Kind,
    { fields }: Desired,
    keyOf: (ref: KindName, key: string) => string,
    naming: Naming,
  ): Fields | undefined {
    if (this.#recordedIds.size === 0) return undefined;
    let isOther = false;
    const named = mapFieldRefs(kind, fields, (ref, key) => {
      const byName = keyOf(ref, key);
      const id = this.#recordedIds.get(addressOf(ref, key as Key));
      const byId = (id && naming.keyOfId(ref, id)) ?? byName;
      isOther ||= byId !== byName;
      return byId;
    });
    return isOther ? named : undefined;
  }

  #keyOf(kind: KindName, key: string): Key {
    return this.#names.get(`${kind} ${key}`) ?? (key as Key);
  }
}
