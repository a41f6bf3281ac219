// Keys of objects that share a name because the distinguishing part is hidden: `host#1`, `host#2`.
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
import { hasSecretHost } from '../../model/secrets/secretHost.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';

interface OfKind {
  readonly kind: Kind;
  readonly desired: Desired;
}

/**
 * Numbers the keys that several objects would share. The order of the written texts decides: it does not depend on the order of
 * files, and reveals nothing about a secret. Two declarations with the same text get the same key. The value of a reference is
 * not compared with written texts: otherwise an author could declare many guesses of an address to find out which one a variable
 * contains.
 */
export function withNumberedKeys<T extends OfKind>(objects: readonly T[]): readonly T[] {
  const named = objects.flatMap(object => namesOf(object) ?? []);
  if (named.length === 0) return objects;
  const namesakes = Map.groupBy(named, ({ address }) => address);
  const keys = new Map(
    [...namesakes.values()].flatMap(group => {
      const texts = group.toSorted((one, other) => compareTexts(one.text, other.text));
      const order = [...new Set(texts.map(({ text }) => text))];
      return group.map(({ object, name, text }) => {
        const number = order.length > 1 ? `#${order.indexOf(text) + 1}` : '';
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

// Undefined for an object whose key needs no number, for example because its key is an id or the names of its kind are complete.
function namesOf<T extends OfKind>(object: T) {
  const { kind, desired } = object;
  if (!sharesNames(kind) || idInKey(desired.key) !== null) return undefined;
  if (hasSecretHost(desired)) return undefined;
  const fields = canonicalFields(kind.shape, desired.fields, 'desired');
  const name = identityName(kind, fields);
  const exact = exactIdentity(kind, fields);
  if (name === null || exact === null) return undefined;
  const address = addressOf(kind.name, childKey(desired.parent, name));
  const written = desired.hidden?.written.values().next().value;
  return { object, name, address, text: written ?? exact };
}
