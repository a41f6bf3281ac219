// A secret whose host is shown: its source, and a mark that detects a changed value.
import type { Json } from '../value.ts';
import { isSecret, type Secret } from './secret.ts';
import type { ShownText } from './shown.ts';

/** The address of a webhook in a plan. */
export interface HostedSecret extends Secret {
  /** The host, and the port if there is one; empty if the host is secret too. */
  readonly $host: ShownText;
  /** A keyed digest of the value, with the name of its key: see `Mark`. Only for declared values. */
  readonly $digest?: string;
}

/** A keyed digest of a value as `hmac-sha256:<name of the key>:<digest>`: it reveals nothing without the key. */
export type Mark = (value: string) => string;

/**
 * The mark of an address that a file contains. It differs from the mark of the same address from a secret, so that a reader of
 * a plan cannot compare declared guesses with the value of a variable.
 */
export const markOfWritten =
  (mark: Mark): Mark =>
  value =>
    mark(`written ${value}`);

/**
 * The mark of an address in a plan, which depends on the text that a file has in its place: a default, or a file that a reference names, is
 * a guess too. Without a text, the address itself is written. Addresses of two texts have two marks, whether they are the same or not.
 */
export const markOfText = (mark: Mark, text: string | undefined): Mark =>
  text === undefined
    ? markOfWritten(mark)
    : value => mark(`reference ${JSON.stringify([text, value])}`);

/**
 * The mark of an address in a base, which knows no texts of files: it contains what of it depends on the text, so that a later run recognises
 * the address in the account. Addresses of two texts have two marks, as in a plan.
 */
export function markOfRecorded(mark: Mark, text: string | undefined, value: string): string {
  const salt =
    mark(`text ${text ?? value}`)
      .split(':')
      .at(-1)
      ?.slice(0, SALT_LENGTH) ?? '';
  return recordedMark(mark, salt, value);
}

/** The mark that a base has for a value if it recorded it with this salt. */
export const recordedMark = (mark: Mark, salt: string, value: string): string =>
  `${mark(`recorded ${salt} ${value}`)}:${salt}`;

/** The salt in a mark of a base; undefined in those of earlier versions. */
export const saltIn = (mark: string): string | undefined => mark.split(':')[3];

const SALT_LENGTH = 16;

// The values are known in the process that creates a plan. They are kept outside of objects, so that nothing can store
// them.
const held = new WeakMap<Secret, string>();

/** A secret with a visible host, which this process can open with `heldValue`. */
export function hostedSecret(value: string, secret: HostedSecret): HostedSecret {
  held.set(secret, value);
  return secret;
}

/** Whether a value is a secret with a visible host. */
export function isHosted(value: Json | undefined): value is HostedSecret {
  return isSecret(value) && typeof value.$host === 'string';
}

/** The value of a secret that this process read for the plan; undefined for a secret from a saved plan. */
export function heldValue(secret: Secret): string | undefined {
  return held.get(secret);
}

/** Compares a value that this text stands for with the mark in a plan; with another key, the result is unknown. */
export function comparedWith(
  { $digest: digest }: HostedSecret,
  value: string,
  mark: Mark | undefined,
  text?: string,
): 'same' | 'other' | 'unknown' {
  if (digest === undefined || mark === undefined) return 'unknown';
  const own = markOfText(mark, text)(value);
  if (keyIn(own) !== keyIn(digest)) return 'unknown';
  // Earlier versions had one mark for all.
  return own === digest || mark(value) === digest ? 'same' : 'other';
}

const keyIn = (mark: string): string | undefined => mark.split(':')[1];
