// Tokens with a checksum: a prefix, 30 random characters and their checksum (docs/server-behaviour.md#credentials).
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Random, randomBelow } from '../environment.ts';

const PREFIXES = { personal: 'nbp_', invite: 'nbi_', scim: 'nbs_', proxy: 'nbx_' } as const;

export type TokenKind = keyof typeof PREFIXES;

const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new, unused token. */
export function newSecretToken(kind: TokenKind, random: Random): string {
  const characters = Array.from({ length: SECRET_LENGTH }, () =>
    ALPHABET.charAt(randomBelow(random, ALPHABET.length)),
  );
  const secret = characters.join('');
  return `${PREFIXES[kind]}${secret}${checksum(secret)}`;
}

/** Whether a text has the length, prefix and checksum of a token of this kind. */
export function isWellFormed(kind: TokenKind, token: string): boolean {
  const prefix = PREFIXES[kind];
  if (token.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH) return false;
  const secret = token.slice(prefix.length, prefix.length + SECRET_LENGTH);
  return token.startsWith(prefix) && token.endsWith(checksum(secret));
}

/** Whether a text has the prefix of an invite's token. */
export function isInviteToken(text: string): boolean {
  return text.startsWith(PREFIXES.invite);
}

/** The digest that is stored in place of a token. */
export function digest(token: string): string {
  return hash('sha256', token, 'base64');
}

/** A masked secret: its beginning, and a mark for the rest. */
export function masked(secret: string): string {
  return `${secret.slice(0, 5)}****`;
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  while (rest > 0) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text.padStart(CHECKSUM_LENGTH, '0');
}
