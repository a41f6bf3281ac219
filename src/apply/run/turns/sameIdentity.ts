// Whether a live object has the identity that an action gives its object, compared in id space.
import { exactIdentity } from '../../../kinds/identity/identity.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { canonicalFields } from '../../../kinds/values/canonical.ts';
import { mapFieldRefs } from '../../../kinds/values/refs.ts';
import { idKey } from '../../../model/key.ts';
import type { CreateAction, UpdateAction } from '../../../model/plan.ts';
import type { JsonObject } from '../../../model/value.ts';
import { byId, decodeFields } from '../../../wire/decode.ts';
import type { CheckContext } from './context.ts';

/**
 * The identity that an action gives its object; null if it gives none. If the identity refers to an
 * object that the run has not created yet, no object in the account can have it.
 */
export function identityGiven(
  { fields }: CreateAction | UpdateAction,
  { kind, names }: Pick<CheckContext, 'kind' | 'names'>,
): string | null {
  const inIds = mapFieldRefs(kind, fields, (ref, key) => {
    const id = names.find(ref, key);
    return id === undefined ? key : idKey(id);
  });
  return exactIdentity(kind, canonicalFields(kind.shape, inIds, 'desired'));
}

/** The identity of a live object, from its body; null if a part of the identity is missing. */
export function identityHeld(kind: Kind, body: JsonObject): string | null {
  return exactIdentity(
    kind,
    canonicalFields(kind.shape, decodeFields(kind.shape, body, byId), 'live'),
  );
}

/** Returns a function that checks whether the body of a live object has the identity of the object to be created. */
export function hasIdentityOf(
  action: CreateAction,
  context: Pick<CheckContext, 'kind' | 'names'>,
): (body: JsonObject) => boolean {
  const name = identityGiven(action, context);
  return body => name !== null && name === identityHeld(context.kind, body);
}
