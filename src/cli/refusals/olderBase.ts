// The message for a base that does not follow the newest base recorded on this machine.
import type { OlderBase } from '../../apply/refusal.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, pathText, quoted } from '../../model/text/visible.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { Io } from '../io.ts';

/** Why an apply refuses the base. */
export function olderBaseText(
  { ref, found, recorded, forgottenAt, file, isReplaced }: OlderBase,
  { cwd }: Pick<Io, 'cwd'>,
): string {
  if (isReplaced)
    return `an apply recorded ${nameText(ref)} at ${recorded}, after this plan was made with the base of ${found}`;
  const now =
    found === undefined
      ? 'there is no base now'
      : `the base there now, of ${found}, does not follow it`;
  if (forgottenAt !== undefined)
    return `${nameText(ref)} was forgotten at ${forgottenAt}, and ${found === undefined ? now : `the base there now, of ${found}, is not newer: somebody may have restored it`} (${pathText(nearPath(cwd, file))})`;
  const why = 'it was not pushed, or somebody may have restored an older base';
  return `an apply recorded ${nameText(ref)} at ${recorded}, and ${now}: ${why} (${pathText(nearPath(cwd, file))})`;
}

/** What the user can do about an older base. */
export function olderBaseHint({
  folder,
  found,
  lost,
  forgottenAt,
  isReplaced,
  isUnsigned,
}: OlderBase): string {
  if (isReplaced) return `make a new plan: \`meshform apply ${shellWord(folder)}\``;
  if (isUnsigned)
    return `${unsignedBaseHint(folder, lost)}; if another key signed it, add that key to MESHFORM_SIGNING_KEY, after a comma`;
  const goOn =
    found === undefined
      ? `${whenToBegin(folder, lost, forgottenAt)} add --first: what was removed from the files since the last apply then stays in the account`
      : `to continue with the present base, look at it with \`meshform base show ${shellWord(folder)}\`, and record its commit with \`meshform base record ${shellWord(folder)} --as-newest --commit COMMIT\``;
  if (forgottenAt !== undefined) return goOn;
  const again =
    lost === undefined
      ? 'fetch the bases and try again'
      : `record it again with ${quoted(`meshform base record ${shellWord(folder)} --commit ${lost}`)}`;
  return `${again}; ${goOn}`;
}

// If a base can be recorded again, it is not lost, so starting over is not the first remedy.
function whenToBegin(
  folder: string,
  lost: string | undefined,
  forgottenAt: string | undefined,
): string {
  if (forgottenAt !== undefined) return 'to begin again,';
  const when = lost === undefined ? 'if it is lost,' : 'to begin again without it,';
  return `${when} forget it with \`meshform base forget NAME ${shellWord(folder)}\`, and`;
}

/** What to do about a base that is not signed with a key of the run: the base of the last apply can replace it. */
export function unsignedBaseHint(folder: string, last: string | undefined): string {
  const named = shellWord(folder);
  const again = (commit: string) => quoted(`meshform base record ${named} --commit ${commit}`);
  if (last !== undefined) return `restore the base of the last apply with ${again(last)}`;
  return `restore the base of the last apply with ${again('BASE')}, where BASE is the first \`base\` in \`meshform runs ${named} --format json\`; if it is lost, remove this base with \`meshform base forget NAME ${named}\`, and apply with --first`;
}
