// Opens the secrets of an action that have a visible host. They must be opened because they
// identify the object of the action and are compared with the account.
import type { Kind, Shape } from '../../../kinds/kind.ts';
import { isHidden } from '../../../kinds/values/hidden.ts';
import { shapeAt } from '../../../kinds/values/shapeAt.ts';
import type { Fault } from '../../../model/outcome.ts';
import type { Action } from '../../../model/plan.ts';
import { isHosted } from '../../../model/secrets/hostedSecret.ts';
import { isSecret, secretsIn } from '../../../model/secrets/secret.ts';
import { type Fields, isList, isObject, type Json } from '../../../model/value.ts';
import type { OpenSecret } from '../../port.ts';
import { Refused } from '../refused.ts';

/**
 * The action in the form that is sent to the server. Secrets that no response shows stay closed.
 * Throws a `Refused` if a secret cannot be opened.
 */
export async function unsealed<T extends Action>(
  action: T,
  { kind, openSecret }: { readonly kind: Kind; readonly openSecret: OpenSecret },
): Promise<T> {
  if (action.verb === 'delete') return action;
  const opened = await openedFields(kind.shape, action.fields, openSecret);
  if ('fault' in opened) {
    const { message } = opened.fault;
    throw new Refused({ ...opened.fault, message: `${action.address}: ${message}` });
  }
  return { ...action, fields: opened.fields };
}

/**
 * The fields with the values of the secrets that have a visible host, or why such a secret cannot
 * be opened.
 */
export async function openedFields(
  shape: Shape,
  fields: Fields,
  open: OpenSecret,
): Promise<{ readonly fields: Fields } | { readonly fault: Fault }> {
  const values = new Map<Json, string>();
  for (const { path, secret } of secretsIn(fields)) {
    if (!isHosted(secret) || !isHidden(shapeAt(shape, path))) continue;
    const value = await open(secret);
    if (typeof value !== 'string') return { fault: value };
    values.set(secret, value);
  }
  return { fields: values.size === 0 ? fields : (replaced(fields, values) as Fields) };
}

function replaced(value: Json, values: ReadonlyMap<Json, string>): Json {
  const own = values.get(value);
  if (own !== undefined) return own;
  if (isSecret(value)) return value;
  if (isList(value)) return value.map(item => replaced(item, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaced(item, values)]),
  );
}
