// What the emulator takes from the world: time, chance, timers and fresh ids. The real ones are made here and nowhere
// else.
import { randomBytes } from 'node:crypto';
import type { Edition } from '../contract/index.ts';
import type { Behaviour } from './dialect.ts';

/** The time it is. */
export type Clock = () => Date;

/** A number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Does `work` once, after so many milliseconds, and never before the caller is done. What it returns calls it off. */
export type Schedule = (milliseconds: number, work: () => void) => () => void;

/** The provider of sign-ins: the server itself, an identity provider that it manages, or none. */
export type SignIn = 'embedded' | 'external' | 'none';

/** What may be chosen of a new object that a server makes up. */
export interface Chosen {
  readonly id?: string | undefined;
  /** The text of a token, or the key of a setup key. */
  readonly secret?: string | undefined;
}

/** What a handler may know besides the account and the request. */
export interface Environment {
  readonly clock: Clock;
  readonly random: Random;
  /** An id that no object has yet. */
  readonly newId: () => string;
  readonly behaviour: Behaviour;
  readonly edition: Edition;
  readonly signIn: SignIn;
  /** Whether people can sign in at an issuer. */
  readonly acceptsIssuer: (issuer: string) => boolean;
  /** Milliseconds from what happens to when the audit log shows it. */
  readonly eventDelay: number;
  /** The chosen id and secret of the next object; absent if none was chosen. */
  readonly chosen?: Chosen;
}

export const realClock: Clock = () => new Date();

export const realRandom: Random = () => randomBytes(4).readUInt32BE() / 2 ** 32;

export const realSchedule: Schedule = (milliseconds, work) => {
  if (milliseconds > 0) {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(work).unref();
  return () => clearImmediate(immediate);
};

/** Chance that can be repeated: equal seeds give equal numbers. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    // A Weyl sequence, its steps well mixed: enough for ids and orders, never for secrets that matter.
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 up to, but not including, `end`. */
export function randomBelow(random: Random, end: number): number {
  return Math.floor(random() * end);
}
