// The posture check of the agent's version, and the features of agent versions.
import { quoted } from '../../model/text/visible.ts';
import { type Fields, isObject, type Json } from '../../model/value.ts';
import type { Facts } from '../state/accessState.ts';
import { fail, type JudgedCheck, pass, unknown } from './verdict.ts';
import { isAtLeast, versionOf } from './version.ts';

/** The first version that understands port ranges. The server sends none to older agents. */
const UNDERSTANDS_RANGES = [0, 48, 0];

/** Whether the machine's agent understands port ranges. An unknown version counts as new. */
export function understandsRanges({ version = '' }: Facts): boolean {
  const numbers = versionOf(version);
  return numbers === null || isAtLeast(numbers, UNDERSTANDS_RANGES);
}

/** Whether every agent that passes this `nb_version_check` understands port ranges. */
export function minimumUnderstandsRanges({ min_version: least }: Fields): boolean {
  const { numbers } = minimumVersionIn(least);
  return numbers !== null && isAtLeast(numbers, UNDERSTANDS_RANGES);
}

/** Whether every agent that passes one `nb_version_check` also passes the other. */
export function minimumImplies(one: Fields, other: Fields): boolean {
  const [high, low] = [one, other].map(({ min_version: least }) => minimumVersionIn(least).numbers);
  return high != null && low != null && isAtLeast(high, low);
}

/** Judges `nb_version_check`. */
export function judgeAgentVersion(check: Fields, { version }: Facts): JudgedCheck {
  const least = minimumVersionIn(check.min_version);
  if (version === undefined) return unknown('the version of the agent is not known');
  return compared('version', version, versionOf(version), least);
}

/** Compares the version of a machine with the minimum version of a check. */
export function compared(
  what: string,
  shown: string,
  numbers: readonly number[] | null,
  { text, numbers: least }: MinimumVersion,
): JudgedCheck {
  if (numbers === null || least === null)
    return fail(`${what} ${quoted(shown)} cannot be compared`);
  return isAtLeast(numbers, least)
    ? pass(`${what} ${shown} is at least ${text}`)
    : fail(`${what} ${shown} is older than ${text}`);
}

/** The minimum version of a check. */
export interface MinimumVersion {
  readonly text: string;
  readonly numbers: readonly number[] | null;
}

export function minimumVersionIn(value: Json | undefined): MinimumVersion {
  const text = typeof value === 'string' ? value : '';
  return { text, numbers: versionOf(text) };
}

/** The object in a field of a check; undefined if there is none. */
export function partOf(check: Fields, name: string): Fields | undefined {
  const value = check[name];
  return isObject(value) ? value : undefined;
}
