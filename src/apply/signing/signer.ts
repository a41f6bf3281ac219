// Signs with a key of the environment, or else with one that is derived from the API token.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SignedPurpose, Signer } from '../../model/signer.ts';
import type { SigningKeyRefusal } from '../refusal.ts';

/** The environment variable with the keys. Jobs that only plan do not get it. */
export const SIGNING_KEY = 'MESHFORM_SIGNING_KEY';

/** Characters. With a key that can be guessed, anybody can sign. */
const SHORTEST_KEY = 16;

/** Where the keys come from. */
export interface SigningKeys {
  /** Keys with commas between them: the first key signs, all keys verify. Empty for none; spaces and commas alone are refused. */
  readonly signingKey?: string | undefined;
  /** The API token. Without a signing key, a key is derived from it. */
  readonly token: string;
  /** Receives every key, so that it is redacted. */
  readonly onSecret?: ((key: string) => void) | undefined;
}

/** The signer with these keys; a refusal if a key can be guessed, or if there is neither a key nor a token. */
export function signerOf({
  signingKey = '',
  token,
  onSecret,
}: SigningKeys): Signer | SigningKeyRefusal {
  const given = signingKey.split(',').flatMap(key => key.trim() || []);
  // Whoever set it meant a key, and the token is another one.
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

// Each purpose has a key of its own, so that no signature can be used for another purpose.
function signingWith(secret: string, origin: string): Signer['sign'] {
  const keys = new Map<SignedPurpose, Buffer>();
  const keyFor = (purpose: SignedPurpose): Buffer => {
    const label = `meshform 1 ${origin} ${purpose}`;
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', secret, '', label, 32));
    keys.set(purpose, key);
    return key;
  };
  return (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex');
}

// Takes the same time wherever the texts differ, which would reveal how much of a forged signature is right.
function isSame(made: string, claimed: string): boolean {
  const a = Buffer.from(made);
  const b = Buffer.from(claimed);
  return a.length === b.length && timingSafeEqual(a, b);
}
