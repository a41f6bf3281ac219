// The base under current names: an object that was renamed since is still the same object.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { childKey, identityName, sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Address, Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import type { Fields } from '../../model/value.ts';
import { isPart } from '../scope/parts.ts';
import type { Naming } from '../types/naming.ts';
import type { Meant, RecordedIds } from '../types/pairing.ts';
import { exactKey, type Named } from './namedObjects.ts';

/** The objects of one kind in the base, with their references and parents under current names. */
export interface BaseObjects {
  /** The name of the object in the base. */
  readonly object: Desired;
  /** The key of the object in the references of the base. */
  readonly written: Key;
  /**
   * The fields of the object, with references to the objects that had these ids in the base, if other objects have the names now.
   */
  readonly byIds?: Fields;
}

/** The known ids of names in the base. */
export interface KnownByIds {
  /** The objects that names mean, where these are not simply the live objects with the names. */
  readonly meant?: Meant | undefined;
  readonly recordedIds?: RecordedIds | undefined;
}

/** The base, translated kind by kind while objects are paired. */
export class BaseNames {
  readonly #names = new Map<string, Key>();
  /** The objects of the base, by current address. */
  readonly byAddress = new Map<Address, Desired>();
  /** The key of an object in the base, by its current address. */
  readonly formerNames = new Map<Address, Key>();
  /** The fields of objects whose references mean other objects by the ids in the base than by their names, by current address. */
  readonly fieldsByIds = new Map<Address, Fields>();
  readonly #meant: Meant;
  readonly #recordedIds: RecordedIds;

  constructor({ meant = new Map(), recordedIds = new Map() }: KnownByIds = {}) {
    this.#meant = meant;
    this.#recordedIds = recordedIds;
  }

  /** Returns the objects of one kind in the base under current names, once all objects that they point at are settled. */
  translate(kind: Kind, objects: readonly Desired[], naming: Naming): BaseObjects[] {
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

  /** Settles the current names of the objects of a kind in the base, once the kind is paired and named. */
  settle(
    kind: Kind,
    former: readonly BaseObjects[],
    desired: readonly Desired[],
    named: readonly Named[],
    naming: Naming,
  ): void {
    const declared = new Map(desired.map(one => [exactKey(kind, one), one]));
    const taken = new Set(desired.map(({ key }) => key));
    const renamed = new Map(
      desired.flatMap(one => {
        const { parent, lifecycle } = one;
        const formers = lifecycle.was === undefined ? [] : formerKeys(kind, parent, lifecycle.was);
        return formers.map(former => [former, one] as const);
      }),
    );
    const partKeys = new Map(
      desired.flatMap(({ key, part }) =>
        part === undefined
          ? []
          : [part.whole, part.formerWhole].map(
              whole => [JSON.stringify([whole, part.item]), key] as const,
            ),
      ),
    );
    const bearers = Map.groupBy(named, ({ exact }) => exact);
    const holders = new Map(desired.map(one => [one.lifecycle.id, one]));
    const nowOf = ({ object, written }: BaseObjects): Key => {
      const { key, lifecycle, part } = object;
      const exact = exactKey(kind, object);
      const bound = lifecycle.id && naming.keyOfId(kind.name, lifecycle.id as RemoteId);
      if (bound) return bound;
      const [bearer, ...others] = bearers.get(exact) ?? [];
      const isSure = bearer !== undefined && others.length === 0;
      // The files may give the name to another object by its id, and give this object another name.
      const known = this.#recordedIds.get(addressOf(kind.name, written));
      const own = known ?? (isSure ? bearer.live.id : undefined);
      const holder = own && holders.get(own);
      if (holder) return holder.key;
      // The files declare the object under another name, whichever object has the name of the base now.
      const followed = known && naming.keyOfId(kind.name, known);
      if (followed !== undefined && taken.has(followed)) return followed;
      const namesake = declared.get(exact);
      const isNamesakeOnly =
        namesake !== undefined && (holdsOther(namesake, object) || isBoundToOther(namesake, own));
      // Somebody has renamed the object in the account since.
      const id = this.#meant.get(addressOf(kind.name, key));
      const remembered = id ? naming.keyOfId(kind.name, id) : undefined;
      // An object that the files mark for deletion keeps its name in the account.
      if (namesake?.lifecycle.delete && remembered !== undefined) return remembered;
      if (namesake !== undefined && !isNamesakeOnly) return namesake.key;
      if (remembered !== undefined) return remembered;
      const later = renamed.get(key);
      const newName = later === undefined || holdsOther(later, object) ? undefined : later.key;
      const borne = isSure ? naming.keyOfId(kind.name, bearer.live.id) : undefined;
      const samePart = part && partKeys.get(JSON.stringify([part.whole, part.item]));
      // A shared name may belong to another object now.
      const isOther = isNamesakeOnly || (sharesNames(kind) && taken.has(key));
      return newName ?? borne ?? samePart ?? (isOther ? (`${key}#former` as Key) : key);
    };
    for (const one of former) {
      const { object, written, byIds } = one;
      const key = nowOf(one);
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

const isBoundToOther = ({ lifecycle: { id } }: Desired, own: RemoteId | undefined): boolean =>
  id !== undefined && own !== undefined && id !== own;

// Whether the two declarations hold different items: two parts can have one name, such as `p` with the rule `a / b`, and `p / a`
// with the rule `b`.
const holdsOther = (desired: Desired, former: Desired): boolean =>
  isPart(desired) && former.part !== undefined && former.part.item !== desired.part?.item;
