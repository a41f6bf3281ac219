// A certificate that signs itself, made on the spot: nothing in the repository expires or looks like a credential.
import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const SUBJECT_ALTERNATIVE_NAME = [0x55, 0x1d, 0x11];

/** A certificate of one host name, valid for as long as certificates can be. */
export function selfSigned(host: string): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(node(0x06, bytes(ECDSA_WITH_SHA256)));
  const name = sequence(
    node(0x31, sequence(node(0x06, bytes(COMMON_NAME)), node(0x0c, Buffer.from(host)))),
  );
  const alternativeNames = sequence(node(0x82, Buffer.from(host)));
  const extension = sequence(
    node(0x06, bytes(SUBJECT_ALTERNATIVE_NAME)),
    node(0x04, alternativeNames),
  );
  const body = sequence(
    node(0xa0, node(0x02, bytes([2]))),
    node(0x02, bytes([1])),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('99991231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, sequence(extension)),
  );
  const signature = node(0x03, bytes([0]), sign('sha256', body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(sequence(body, algorithm, signature)),
  };
}

/** One element of DER: a tag, a length, and what it holds. */
function node(tag: number, ...content: readonly Buffer[]): Buffer {
  const held = Buffer.concat(content);
  return Buffer.concat([bytes([tag, ...lengthOf(held)]), held]);
}

// DER takes the shortest form alone.
function lengthOf({ length }: Buffer): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const bytes = (numbers: readonly number[]): Buffer => Buffer.from(numbers);
const sequence = (...content: readonly Buffer[]): Buffer => node(0x30, ...content);
const time = (text: string): Buffer => node(0x18, Buffer.from(text));

function pem(der: Buffer): string {
  const lines = der.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
