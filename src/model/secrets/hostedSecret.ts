// A secret whose host is shown. A plan contains its source, and a mark (a keyed digest) that detects a changed value.
import type { Json } from '../value.ts';
import { isSecret, type Secret } from './secret.ts';
import type { ShownText } from './shown.ts';

/** The address of a webhook in a plan. */
export interface HostedSecret extends Secret {
  /** The host, and the port if there is one; empty if the host is secret too. */
  readonly $host: ShownText;
  /** A keyed digest of the value, with the name of its key: see `Mark`. Present for declared values only. */
  readonly $digest?: string;
}

/** Returns a keyed digest of a value as `hmac-sha256:<name of the key>:<digest>`. Without the key, the digest reveals nothing. */
export type Mark = (value: string) => string;

/**
 * The mark of an address that a file contains literally. The mark of the same address from a secret is different. Otherwise,
 * somebody could declare guesses and compare their marks with the mark of the secret.
 */
export const markOfWritten =
  (mark: Mark): Mark =>
  value =>
    mark(`written ${value}`);

/**
 * The mark of an address in a plan. It depends on the text in the file that represents the address,
 * because a default, or a file that a reference names, can be a guess too. Without such a text, the
 * file contains the address itself. An address that comes from two texts has two marks.
 */
export const markOfText = (mark: Mark, text: string | undefined): Mark =>
  text === undefined
    ? markOfWritten(mark)
    : value => mark(`reference ${JSON.stringify([text, value])}`);

/**
 * The mark of an address in a base. A base does not contain the texts of files. So the mark includes the part that depends on the
 * text, and a later run can recognise the address in the account. An address that comes from two texts has two marks, as in a
 * plan.
 */
export function markOfRecorded(mark: Mark, text: string | undefined, value: string): string {
  const salt =
    mark(`text ${text ?? value}`)
      .split(':')
      .at(-1)
      ?.slice(0, SALT_LENGTH) ?? '';
  return recordedMark(mark, salt, value);
}

/** The mark of a value in a base that was recorded with this salt. */
export const recordedMark = (mark: Mark, salt: string, value: string): string =>
  `${mark(`recorded ${salt} ${value}`)}:${salt}`;

/** The salt in a mark of a base; undefined in marks of earlier versions. */
export const saltIn = (mark: string): string | undefined => mark.split(':')[3];

const SALT_LENGTH = 16;

// The values of secrets that this process read to create a plan. They are kept outside the objects, so that nothing can store
// them.
const held = new WeakMap<Secret, string>();

/** A secret with a visible host. `heldValue` returns its value, but only in this process. */
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

/**
 * Compares the value that a text represents with the mark in a plan. The result is unknown if the
 * mark was made with another key.
 */
export function comparedWith(
  { $digest: digest }: HostedSecret,
  value: string,
  mark: Mark | undefined,
  text?: string,
): 'same' | 'other' | 'unknown' {
  if (digest === undefined || mark === undefined) return 'unknown';
  const own = markOfText(mark, text)(value);
  if (keyIn(own) !== keyIn(digest)) return 'unknown';
  // Earlier versions had one mark, whatever the text.
  return own === digest || mark(value) === digest ? 'same' : 'other';
}

const keyIn = (mark: string): string | undefined => mark.split(':')[1];
