// Secrets as an account gives them back: masked, empty or in clear, all of it says only that there is one.
import { secretFrom } from '../model/secrets/secret.ts';
import type { Json } from '../model/value.ts';

/** What stands in live fields for a secret. It has no value: it can be compared, and never be sent. */
export const READ_SECRET = secretFrom('');

/** Whether a value stands for a secret that is not shown: `****`, or its first characters and `****`. */
export function isMasked(value: Json): boolean {
  return typeof value === 'string' && /^[\w-]{0,8}\*{3,}$/.test(value);
}
