// A secret of which people see the host: where its value comes from, and a mark by which another value is recognised.
import type { Json } from '../value.ts';
import { isSecret, type Secret } from './secret.ts';
import type { ShownText } from './shown.ts';

/** What a plan holds of the address of a webhook. */
export interface HostedSecret extends Secret {
  /** The host, and the port where there is one. */
  readonly $host: ShownText;
  /** A keyed digest of the value, with the name of its key: see `Mark`. Only of what files declare. */
  readonly $digest?: string;
}

/** A keyed digest of a value as `hmac-sha256:<name of the key>:<digest>`: who does not have the key learns nothing from it. */
export type Mark = (value: string) => string;

// The process that makes a plan knows the values. They are in no object, so that nothing can write them down.
const held = new WeakMap<Secret, string>();

/** A secret with a visible host. This process can still open it by `heldValue`. */
export function hostedSecret(value: string, secret: HostedSecret): HostedSecret {
  held.set(secret, value);
  return secret;
}

/** Whether a value is a secret with a visible host. */
export function isHosted(value: Json | undefined): value is HostedSecret {
  return isSecret(value) && typeof value.$host === 'string';
}

/** The value of a secret that this process has read for the plan; undefined for one that was read back from a file. */
export function heldValue(secret: Secret): string | undefined {
  return held.get(secret);
}

/** How a value compares with the mark that a plan has: with another key nothing can be said. */
export function comparedWith(
  { $digest: digest }: HostedSecret,
  value: string,
  mark: Mark | undefined,
): 'same' | 'other' | 'unknown' {
  if (digest === undefined || mark === undefined) return 'unknown';
  const own = mark(value);
  if (keyIn(own) !== keyIn(digest)) return 'unknown';
  return own === digest ? 'same' : 'other';
}

const keyIn = (mark: string): string | undefined => mark.split(':')[1];
