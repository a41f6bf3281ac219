// Keyed digests of secrets. A plan stores digests instead of values, and an apply uses them to
// detect a changed value.
import { createHash, createHmac } from 'node:crypto';
import type { Mark } from '../../model/secrets/hostedSecret.ts';
import { FINGERPRINT_KEY } from './fingerprintKey.ts';

/**
 * Returns a function that marks values with the key for fingerprints. Without such a key, the key is derived from the API token.
 */
export function markWith(
  token: string,
  env: Readonly<Record<string, string | undefined>>,
): Mark | undefined {
  const given = env[FINGERPRINT_KEY] ?? '';
  const key = given === '' ? derived(token) : given;
  if (key === '') return undefined;
  const name = createHash('sha256').update(`meshform marks ${key}`).digest('hex').slice(0, 4);
  return value => {
    const digest = createHmac('sha256', key).update(`secret with a visible host\n${value}`);
    return `hmac-sha256:${name}:${digest.digest('hex')}`;
  };
}

// The token is used only to derive keys.
const derived = (token: string): string =>
  token === '' ? '' : createHmac('sha256', token).update('meshform marks').digest('hex');
