// Keys of objects whose name is shared, because what tells them apart is hidden: `host#1`, `host#2`.
import {
  childKey,
  exactIdentity,
  identityName,
  sharesNames,
} from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { addressOf, idInKey } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';

interface OfKind {
  readonly kind: Kind;
  readonly desired: Desired;
}

/**
 * The objects with numbers in the keys that several of them would have. The order is that of what is hidden, so that it
 * does not depend on the order of the files. Two objects that are one get one key.
 */
export function withNumberedKeys<T extends OfKind>(objects: readonly T[]): readonly T[] {
  const named = objects.flatMap(object => namesOf(object) ?? []);
  if (named.length === 0) return objects;
  const namesakes = Map.groupBy(named, ({ address }) => address);
  const keys = new Map(
    [...namesakes.values()].flatMap(group => {
      const order = [...new Set(group.map(({ exact }) => exact))].sort();
      return group.map(({ object, name, exact }) => {
        const number = order.length > 1 ? `#${order.indexOf(exact) + 1}` : '';
        return [object, childKey(object.desired.parent, `${name}${number}`)] as const;
      });
    }),
  );
  return objects.map(object => {
    const key = keys.get(object);
    return key === undefined || key === object.desired.key
      ? object
      : { ...object, desired: { ...object.desired, key } };
  });
}

// None for what goes by its id, and for kinds whose names are whole.
function namesOf<T extends OfKind>(object: T) {
  const { kind, desired } = object;
  if (!sharesNames(kind) || idInKey(desired.key) !== null) return undefined;
  const fields = canonicalFields(kind.shape, desired.fields, 'desired');
  const [name, exact] = [identityName(kind, fields), exactIdentity(kind, fields)];
  if (name === null || exact === null) return undefined;
  const address = addressOf(kind.name, childKey(desired.parent, name));
  return { object, name, exact, address };
}
