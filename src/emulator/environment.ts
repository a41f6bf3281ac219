// The effects that the emulator uses: time, randomness, timers and new ids. Only this file contains their real implementations.
import { randomBytes } from 'node:crypto';
import type { Edition } from '../contract/index.ts';
import type { Behaviour } from './dialect.ts';

/** The current time. */
export type Clock = () => Date;

/** A random number from 0 up to, but not including, 1. */
export type Random = () => number;

/** Runs `work` once after this number of milliseconds, but never before the call returns. The returned function cancels it. */
export type Schedule = (milliseconds: number, work: () => void) => () => void;

/** The provider of sign-ins: `embedded` is the server itself, `external` an identity provider that the server manages. */
export type SignIn = 'embedded' | 'external' | 'none';

/** Properties of a new object that controls can choose. */
export interface Chosen {
  readonly id?: string | undefined;
  /** The text of a token, or the key of a setup key. */
  readonly secret?: string | undefined;
}

/** The context of a handler, apart from the account and the request. */
export interface Environment {
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: () => string;
  readonly behaviour: Behaviour;
  readonly edition: Edition;
  readonly signIn: SignIn;
  /** Whether an issuer can be used for sign-in. */
  readonly acceptsIssuer: (issuer: string) => boolean;
  /** Milliseconds between an event and its appearance in the audit log. */
  readonly eventDelay: number;
  /** The chosen id and secret of the next object; absent if none was chosen. */
  readonly chosen?: Chosen;
}

/** The clock of this machine. */
export const realClock: Clock = () => new Date();

/** A random number from 0 to 1, without 1, from the operating system. */
export const realRandom: Random = () => randomBytes(4).readUInt32BE() / 2 ** 32;

/** Runs `work` after a pause, which keeps no process alive. Returns a function that cancels it. */
export const realSchedule: Schedule = (milliseconds, work) => {
  if (milliseconds > 0) {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(work).unref();
  return () => clearImmediate(immediate);
};

/** A deterministic random source: equal seeds yield equal numbers. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    // A Weyl sequence with mixed steps. It is good enough for ids and orders, but never for real secrets.
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
