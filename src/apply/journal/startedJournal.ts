// A journal that begins before the run has the lock of its account, because the plan is already
// known. The remote can then get the lock and the journal in one push.
import { type LogStart, logEntry } from '../../model/journal.ts';
import type { Signer } from '../../model/signer.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { JournalChain } from '../../report/run/journalChain.ts';
import { type JournalHead, journalHead, type RunBy } from '../../report/run/journalLines.ts';
import { type JournalCopy, sharedName } from './sharedJournals.ts';

/** The first lines of a journal, and the signer of the next lines. */
export interface StartedJournal extends Pick<JournalCopy, 'name' | 'plan'> {
  readonly text: string;
  /** The newest position of the audit log in these lines. */
  readonly newest: number;
  readonly chain: JournalChain;
}

/**
 * The inputs for a new journal: the user who begins it, the last position of the audit log, and the
 * time in milliseconds since 1970.
 */
export interface Starting {
  readonly log: LogStart;
  readonly signer: Signer;
  readonly by: RunBy & { readonly id: string };
  readonly now: () => number;
}

/** Begins the journal of a run that is about to apply a plan. */
export function startedJournal(
  saved: SavedPlan,
  recording: Omit<JournalHead, 'run' | 'account' | 'by'>,
  { log, signer, by, now }: Starting,
): StartedJournal {
  const head = { ...recording, account: saved.plan.account ?? null, run: by.id, by };
  const chain = new JournalChain(head, signer);
  const at = new Date(now()).toISOString();
  const lines = [journalHead(saved, head), logEntry(log)];
  const text = lines.map(line => chain.lineOf({ at, ...line })).join('');
  return { name: sharedName(at, by.id), plan: saved.digest, text, newest: log.newest, chain };
}
