// What is said of a base that is older than what a journal of this machine says.
import type { OlderBase } from '../../apply/refusal.ts';
import { nameText, pathText } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';

/** Why an apply refuses the base. */
export function olderBaseText(
  { ref, found, recorded, journal }: OlderBase,
  { cwd }: Pick<Io, 'cwd'>,
): string {
  const now = found === undefined ? 'there is none now' : `the base there now is of ${found}`;
  return `an apply recorded ${nameText(ref)} at ${recorded}, and ${now}: somebody may have put an older base back (journal: ${pathText(nearPath(cwd, journal))})`;
}

/** What to do about it. */
export const olderBaseHint = ({ found }: OlderBase): string =>
  found === undefined
    ? 'fetch the bases and try again; if they are lost, add --first: what was removed from the files since the last apply then stays in the account'
    : 'fetch the bases and try again; to go on with the older base, look at it with `meshform base show`, and then remove that journal';
