// The parent and the name of an object, now and before, to detect renames and moves.
import { childKey, identityName, sharesNames } from '../../kinds/identity/identity.ts';
import type { Kind } from '../../kinds/kind.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { addressOf } from '../../model/key.ts';
import type { Key } from '../../model/names.ts';
import type { Desired, Live } from '../../model/object.ts';
import { hasSecretHost } from '../../model/secrets/secretHost.ts';
import { parentKey } from '../pairing/naming.ts';
import type { Pair } from '../types/pairing.ts';
import type { PlanContext } from '../types/planContext.ts';

/** Whether the object has another parent in the account than in the files. */
export function isElsewhere(kind: Kind, { desired, live }: Pair, { naming }: PlanContext): boolean {
  return kind.parent !== undefined && parentKey(kind, live, naming) !== desired.parent;
}

/** The parent of the object in the base. */
export const formerParent = ({ kind, key }: Desired, { base }: PlanContext): Key | undefined =>
  base.get(addressOf(kind, key))?.parent;

/** The name in the account if the object is renamed or moved. A rename of the parent does not count. */
export function formerKey(
  kind: Kind,
  desired: Desired,
  live: Live,
  { fieldsOf, naming }: PlanContext,
): Key | undefined {
  if (live.hasSecretHost || hasSecretHost(desired)) return undefined;
  const name = identityName(kind, fieldsOf(live));
  const own = identityName(kind, canonicalFields(kind.shape, desired.fields, 'desired'));
  // If objects share a name, the key contains a number after the name.
  if (sharesNames(kind) && name === own) return undefined;
  if (name === null || childKey(parentKey(kind, live, naming), name) === desired.key)
    return undefined;
  const written = canonicalFields(kind.shape, live.fields, 'live');
  const parent = kind.parent && live.parentId && naming.formerKeyOfId(kind.parent, live.parentId);
  return childKey(parent, identityName(kind, written) ?? name);
}
