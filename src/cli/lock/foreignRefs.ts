// Messages about refs at the remote that meshform did not make.
import type { AtRemote } from '../../apply/lock/accountRefs.ts';
import { sentenceOfRef } from '../../apply/lock/inTheWay.ts';
import { baseRefsOf, journalRef } from '../../base/refName.ts';
import { shellWord } from '../../model/text/shellWord.ts';
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

/**
 * Prints a warning if another ref occupies the place of an account's journals, or if journals are
 * missing although the account has bases. If there are bases, there must be journals, because the
 * push that records a base also pushes a note beside the journals.
 */
export function tellGoneJournals(
  { areJournalsGone, atRemote }: Pick<AtRemote, 'areJournalsGone' | 'atRemote'>,
  { remote, account }: { readonly remote: Pick<Remote, 'name'>; readonly account: string },
  io: Io,
): void {
  const ref = nameText(journalRef(account));
  const hasBases = [...atRemote.keys()].some(one => one.startsWith(baseRefsOf(account)));
  if (!atRemote.has(journalRef(account)) && hasBases)
    say(
      io.stderr,
      `warning: the remote ${quoted(remote.name)} has bases of the account, but no journals: somebody deleted ${ref} there, or pushed the bases by hand; if it was deleted, it is unknown what unfinished applies left. Restore the commit that it had, if somebody has it; an apply that records a base begins new journals`,
    );
  if (!areJournalsGone) return;
  say(
    io.stderr,
    `warning: ${ref} at the remote ${quoted(remote.name)} is no commit: somebody else moved it, and the journals that it had are gone there, so it is unknown what unfinished applies left; an apply begins new journals in its place. Restore the commit that it had, if somebody has it`,
  );
}

/**
 * Prints a warning that somebody removed journals at the remote while this run had the lock, and
 * that the run pushed them again. They may be removed again after the push.
 */
export function tellRestoredJournals(
  {
    remote,
    account,
    path,
  }: { readonly remote: Pick<Remote, 'name'>; readonly account: string; readonly path: string },
  io: Io,
): void {
  const ref = nameText(journalRef(account));
  say(
    io.stderr,
    `warning: somebody deleted or replaced ${ref} at the remote ${quoted(remote.name)} during this run; this run has pushed the journals that were there again; see whether they are still there: \`meshform runs ${shellWord(path)}\``,
  );
}
