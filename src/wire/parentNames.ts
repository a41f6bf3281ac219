// The names of parents, before the whole account is decoded.
import { identityName } from '../kinds/identity/identity.ts';
import type { KindTable } from '../kinds/kind.ts';
import { canonicalFields } from '../kinds/values/canonical.ts';
import { present } from '../model/errors.ts';
import { byId, decodeFields } from './decode.ts';
import type { ReadObject } from './decodeAccount.ts';
import { liveNames } from './liveNames.ts';

/**
 * The names that the identity of its kind gives to each of these objects: once with references as names, and once with references
 * as ids.
 */
export function parentNames(
  kinds: KindTable,
  objects: readonly ReadObject[],
): (object: ReadObject) => readonly string[] {
  const kindOf = ({ kind }: ReadObject) => present(kinds.get(kind), `the kind ${kind}`);
  const keyOf = liveNames(
    kinds,
    objects.map(object => ({
      ...object,
      idFields: decodeFields(kindOf(object).shape, object.body, byId),
    })),
  );
  return object => {
    const kind = kindOf(object);
    return [keyOf, byId].flatMap(keys => {
      const fields = canonicalFields(
        kind.shape,
        decodeFields(kind.shape, object.body, keys),
        'live',
      );
      return identityName(kind, fields) ?? [];
    });
  };
}
