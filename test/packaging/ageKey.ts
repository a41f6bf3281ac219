// A new key pair for age, as sops takes it: X25519 keys in Bech32.
import { generateKeyPairSync } from 'node:crypto';

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

export function ageKey(): { readonly recipient: string; readonly identity: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const jwk = { ...privateKey.export({ format: 'jwk' }), ...publicKey.export({ format: 'jwk' }) };
  const bytes = (text = '') => Buffer.from(text, 'base64url');
  return {
    recipient: bech32('age', bytes(jwk.x)),
    identity: bech32('age-secret-key-', bytes(jwk.d)).toUpperCase(),
  };
}

function bech32(prefix: string, bytes: Buffer): string {
  const words = fiveBits(bytes);
  const codes = [...prefix].map(character => character.charCodeAt(0));
  const expanded = [...codes.map(code => code >> 5), 0, ...codes.map(code => code & 31)];
  const sum = checksum([...expanded, ...words, 0, 0, 0, 0, 0, 0]) ^ 1;
  const last = [25, 20, 15, 10, 5, 0].map(shift => (sum >> shift) & 31);
  return `${prefix}1${[...words, ...last].map(word => ALPHABET[word]).join('')}`;
}

/** The bits in groups of five, the last one filled with zeros. */
function fiveBits(bytes: Buffer): readonly number[] {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map(group => Number.parseInt(group.padEnd(5, '0'), 2));
}

function checksum(words: readonly number[]): number {
  return words.reduce((sum, word) => {
    const next = ((sum & 0x1ffffff) << 5) ^ word;
    return GENERATOR.reduce(
      (mixed, part, bit) => ((sum >> (25 + bit)) & 1 ? mixed ^ part : mixed),
      next,
    );
  }, 1);
}
