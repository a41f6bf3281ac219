// The message for a base that does not follow the newest base recorded on this machine.
import type { OlderBase } from '../../apply/refusal.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';

/** Why an apply refuses the base. */
export function olderBaseText(
  { ref, found, recorded, file, isReplaced }: OlderBase,
  { cwd }: Pick<Io, 'cwd'>,
): string {
  if (isReplaced)
    return `an apply recorded ${nameText(ref)} at ${recorded}, after this plan was made with the base of ${found}`;
  const now =
    found === undefined
      ? 'there is none now'
      : `the base there now, of ${found}, does not follow it`;
  const why = 'it was not pushed, or somebody may have put an older base back';
  return `an apply recorded ${nameText(ref)} at ${recorded}, and ${now}: ${why} (${pathText(nearPath(cwd, file))})`;
}

/** What to do about it. */
export function olderBaseHint({ folder, found, lost, isReplaced }: OlderBase): string {
  if (isReplaced) return `make a new plan: \`meshform apply ${shellWord(folder)}\``;
  const goOn =
    found === undefined
      ? 'if it is lost, add --first: what was removed from the files since the last apply then stays in the account'
      : `to go on with the base there now, look at it with \`meshform base show\`, and record its commit with \`meshform base record ${shellWord(folder)} --as-newest --commit COMMIT\``;
  const again =
    lost === undefined
      ? 'fetch the bases and try again'
      : `record it again with ${quoted(`meshform base record ${shellWord(folder)} --commit ${lost}`)}`;
  return `${again}; ${goOn}`;
}
