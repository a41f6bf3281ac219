// The passwords of people at the embedded identity provider: their rules, and the stored hash.
import { digest } from '../ids/secret-tokens.ts';
import { invalid } from '../request/refusal.ts';
import type { Account } from '../store/account.ts';

const SHORTEST = 8;

/** The required characters: a capital letter, a digit, and a character that is neither a letter nor a digit. */
const NEEDED: readonly (readonly [string, RegExp])[] = [
  ['an uppercase letter', /\p{Lu}/u],
  ['a digit', /\p{Nd}/u],
  ['a special character', /[^\p{L}\p{Nd}]/u],
];

/** Throws a 422 for a password that violates the rules. */
export function refuseWeak(password: string): void {
  if ([...password].length < SHORTEST)
    throw invalid(`a password needs at least ${SHORTEST} characters`);
  for (const [what, pattern] of NEEDED)
    if (!pattern.test(password)) throw invalid(`a password needs ${what}`);
}

/** Sets the password of a user. */
export function setPassword(account: Account, user: string, password: string): void {
  account.passwords.put({ id: user, digest: digest(`${user}:${password}`) });
}

/** Whether a text is the password of a user; false if the user has no password. */
export function isPassword(account: Account, user: string, password: string): boolean {
  return account.passwords.get(user)?.digest === digest(`${user}:${password}`);
}
