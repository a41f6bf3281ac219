// Whether a live object has the identity that an action gives its object, compared in id space.
import { exactIdentity } from '../../kinds/identity/identity.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../kinds/values/refs.ts';
import { idKey } from '../../model/key.ts';
import type { CreateAction } from '../../model/plan.ts';
import type { JsonObject } from '../../model/value.ts';
import { byId, decodeFields } from '../../wire/decode.ts';
import type { CheckContext } from './context.ts';

/**
 * Tells of live objects, by their bodies, whether they have the identity of the object to be created. What the run has
 * not created yet has no id, so nothing in the account can point at it.
 */
export function hasIdentityOf(
  { fields }: CreateAction,
  { kind, names }: Pick<CheckContext, 'kind' | 'names'>,
): (body: JsonObject) => boolean {
  const inIds = mapFieldRefs(kind, fields, (ref, key) => {
    const id = names.find(ref, key);
    return id === undefined ? key : idKey(id);
  });
  const name = exactIdentity(kind, canonicalFields(kind.shape, inIds, 'desired'));
  return body => {
    const live = canonicalFields(kind.shape, decodeFields(kind.shape, body, byId), 'live');
    return name !== null && name === exactIdentity(kind, live);
  };
}
