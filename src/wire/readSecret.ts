// Secrets as an account returns them. Whether masked, empty or in clear text, such a value only shows that there is a secret.
import { secretFrom } from '../model/secrets/secret.ts';
import type { Json } from '../model/value.ts';

/** The placeholder of a secret in live fields. It has no value, so it can be compared but is never sent. */
export const READ_SECRET = secretFrom('');

/** Whether a value is a masked secret: `****`, or its first characters and `****`. */
export function isMasked(value: Json): boolean {
  return typeof value === 'string' && /^[\w-]{0,8}\*{3,}$/.test(value);
}
