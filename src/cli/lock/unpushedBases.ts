// Reports bases that exist only in the clone. The next apply would restore them, even if somebody
// deleted them at the remote.
import type { AtRemote } from '../../apply/lock/gitAccountLock.ts';
import { nameOfBaseRef } from '../../base/refName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Remote } from '../../read/remote/remoteRefs.ts';

/** The findings about bases that the remote does not have. These bases still count: the objects in them stay protected. */
export const unpushedBases = (
  { name }: Pick<Remote, 'name'>,
  { onlyHere: refs }: Pick<AtRemote, 'onlyHere'>,
): readonly Diagnostic[] =>
  refs.map(ref => ({
    code: 'BASE_ONLY_HERE',
    severity: 'warning',
    message: `the remote ${quoted(name)} does not have ${nameText(ref)}: it was not pushed, or somebody deleted it there; the copy in this clone is used, and the next apply of its folder that records a base pushes it`,
    hint: `restore it with \`git push ${shellWord(name)} ${shellWord(`${ref}:${ref}`)}\`; if it was deleted on purpose, delete the copy with \`meshform base forget ${shellWord(nameOfBaseRef(ref))} FOLDER\`, or with \`git update-ref -d ${shellWord(ref)}\``,
  }));
