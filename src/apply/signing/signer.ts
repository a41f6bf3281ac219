// Signs with a key from the environment, or with a key that is derived from the API token.
import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { SignedPurpose, Signer } from '../../model/signer.ts';
import type { SigningKeyRefusal } from '../refusal.ts';

/** The environment variable with the keys. Jobs that only plan do not get it. */
export const SIGNING_KEY = 'MESHFORM_SIGNING_KEY';

/** The minimum length of a key, in characters. If a key can be guessed, anybody can sign. */
const SHORTEST_KEY = 16;

/** The sources of the keys. */
export interface SigningKeys {
  /**
   * Keys, separated by commas: the first key signs, all keys verify. An empty text means that there
   * is no key. A text that contains only spaces and commas is refused.
   */
  readonly signingKey?: string | undefined;
  /** The API token. If there is no signing key, a key is derived from it. */
  readonly token: string;
  /** Receives every key, so that output redacts it. */
  readonly onSecret?: ((key: string) => void) | undefined;
}

/**
 * The signer with these keys. A refusal if a key is short enough to be guessed, or if there is
 * neither a key nor a token.
 */
export function signerOf({
  signingKey = '',
  token,
  onSecret,
}: SigningKeys): Signer | SigningKeyRefusal {
  const given = signingKey.split(',').flatMap(key => key.trim() || []);
  // A user who set the variable intended to set a key, so the key from the token must not replace
  // it.
  if (signingKey !== '' && given.length === 0)
    return { refused: 'signing-key', variable: SIGNING_KEY, isBlank: true };
  for (const key of given) onSecret?.(key);
  if (given.some(key => key.length < SHORTEST_KEY))
    return { refused: 'signing-key', variable: SIGNING_KEY, shortest: SHORTEST_KEY };
  const [first, ...others] = given.length > 0 ? given.map(ofKey) : [ofToken(token)];
  if (first === undefined || (given.length === 0 && token === ''))
    return { refused: 'signing-key', variable: SIGNING_KEY };
  return {
    sign: first,
    isSigned: (purpose, text, signature) =>
      [first, ...others].some(sign => isSame(sign(purpose, text), signature)),
  };
}

const ofKey = (key: string): Signer['sign'] => signingWith(key, 'signing key');

const ofToken = (token: string): Signer['sign'] => signingWith(token, 'API token');

// Each purpose has its own key, so that no signature can be used for another purpose.
function signingWith(secret: string, origin: string): Signer['sign'] {
  // Cached, because a journal has many lines and preparing the key again takes longer than signing
  // a line.
  const keys = new Map<SignedPurpose, KeyObject>();
  const keyFor = (purpose: SignedPurpose): KeyObject => {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const label = `meshform 1 ${origin} ${purpose}`;
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', label, 32)));
    keys.set(purpose, key);
    return key;
  };
  return (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex');
}

// Compares two signatures in constant time. The duration of a simple comparison would show how much
// of a forged signature is correct.
function isSame(made: string, claimed: string): boolean {
  const a = Buffer.from(made);
  const b = Buffer.from(claimed);
  return a.length === b.length && timingSafeEqual(a, b);
}
