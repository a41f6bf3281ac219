// The development issuer, which creates bearer tokens and verifies its own. No account at an identity provider is needed.
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { Clock } from '../environment.ts';
import { SECOND } from '../time/times.ts';

/** The claims of a bearer token. */
interface Claims {
  readonly account: string;
  /** Id of the user, both at the identity provider and in the account. */
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  /** Names of groups at the identity provider; absent if the token has none. */
  readonly groups?: readonly string[];
}

/** The claims of a token that was verified. */
export interface IssuedClaims extends Claims {
  /** The time at which the token was issued. */
  readonly issuedAt: Date;
}

export interface Issuer {
  /** The URL of the issuer in its tokens. */
  readonly url: string;
  /** The key with which others can verify the tokens of the issuer. */
  readonly publicKey: KeyObject;
  /** Returns a token that is valid for this number of seconds. */
  issue(claims: Claims, seconds: number): string;
  /** The claims of a token of this issuer; undefined if another issuer created the token, or if it was changed or has expired. */
  read(token: string): IssuedClaims | undefined;
}

const HEADER = encoded({ alg: 'ES256', typ: 'JWT' });

/** An issuer with its own key pair. */
export function newIssuer(clock: Clock, url = 'https://issuer.emulator.internal'): Issuer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const seconds = () => Math.floor(clock().getTime() / SECOND);
  return {
    url,
    publicKey,
    issue: (claims, lifetime) => {
      const iat = seconds();
      const body = `${HEADER}.${encoded({ ...claims, iss: url, iat, exp: iat + lifetime })}`;
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
      return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
    },
    read: token => {
      const [header, payload = '', signature = '', ...rest] = token.split('.');
      if (header !== HEADER || rest.length > 0) return undefined;
      const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      const body = Buffer.from(`${header}.${payload}`);
      if (!verify('sha256', body, key, Buffer.from(signature, 'base64url'))) return undefined;
      // The signature proves that the issuer created this payload, so the payload has the type that the issuer gave it.
      const { iss, iat, exp, ...claims } = JSON.parse(
        Buffer.from(payload, 'base64url').toString('utf8'),
      ) as Claims & { iss: string; iat: number; exp: number };
      if (iss !== url || exp <= seconds()) return undefined;
      return { ...claims, issuedAt: new Date(iat * SECOND) };
    },
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
