// Messages about refs at the remote that meshform did not make.
import type { AtRemote } from '../../apply/lock/gitAccountLock.ts';
import { sentenceOfRef } from '../../apply/lock/inTheWay.ts';
import { journalRef } from '../../base/refName.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { Remote } from '../../read/remote/remoteRefs.ts';
import { type Io, say } from '../io.ts';

/** Prints, for a command that only reads, why no apply can use the remote. */
export function tellInTheWay(
  { inTheWay }: Pick<AtRemote, 'inTheWay'>,
  { name }: Pick<Remote, 'name'>,
  io: Io,
): void {
  for (const one of inTheWay) {
    const { why, hint } = sentenceOfRef(one, name);
    say(io.stderr, `note: no apply can use the remote ${quoted(name)}: ${why}; ${hint}`);
  }
}

/** Prints a warning if something else is in the place of an account's journals. */
export function tellGoneJournals(
  { areJournalsGone }: Pick<AtRemote, 'areJournalsGone'>,
  { remote, account }: { readonly remote: Pick<Remote, 'name'>; readonly account: string },
  io: Io,
): void {
  if (!areJournalsGone) return;
  const ref = nameText(journalRef(account));
  say(
    io.stderr,
    `warning: ${ref} at the remote ${quoted(remote.name)} is no commit: somebody else moved it, and the journals that it had are gone there, so nothing tells what unfinished applies left; an apply begins new journals in its place. Put back the commit that it had, if somebody has it`,
  );
}
