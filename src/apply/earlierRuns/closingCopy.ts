// Completes the journal of an apply that carried out all its actions and whose base is recorded
// later, either by a command or by the next apply of the same plan.
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { JsonObject } from '../../model/value.ts';
import { awaitsBase, journalClose } from '../../report/run/journalLines.ts';
import { JournalFile } from '../journal/journalFile.ts';
import type { JournalCopy, SharedJournals } from '../journal/sharedJournals.ts';
import type { FoundJournal } from './foundJournal.ts';
import { continuedElsewhere } from './remoteRuns.ts';

/**
 * The line that names the base in the journal of an apply. It is added at the remote and on this
 * machine.
 */
export interface ClosingCopy {
  /** The journal for the push that moves the base; null if the journal at the remote does not have the same content. */
  readonly atRemote: JournalCopy | null;
  /**
   * Adds the line to the journal on this machine if it is missing. Resolves even if the line cannot
   * be added, because the remote has it.
   */
  readonly closeHere: (base: BaseCommit) => Promise<void>;
}

/** Prepares the line that names the base for a journal. Rejects if git fails. */
export async function closingCopy(
  journal: FoundJournal,
  { journals, now }: { readonly journals: SharedJournals | undefined; readonly now: () => number },
): Promise<ClosingCopy> {
  const { chain, text, digest: plan, isCopy = false } = journal;
  const at = new Date(now()).toISOString();
  const entryOf = (base: BaseCommit): JsonObject => ({ at, ...journalClose(true, base) });
  const name = chain === null ? undefined : journals?.nameOf(chain.run);
  const isSame =
    journals !== undefined && (await continuedElsewhere(journals, journal)) === undefined;
  const atRemote =
    chain === null || name === undefined || !isSame
      ? null
      : {
          name,
          plan,
          text: async () => text,
          closed: async (base: BaseCommit) => text + chain.copy().lineOf(entryOf(base)),
        };
  return {
    atRemote,
    closeHere: async base => {
      const isElsewhere = journals !== undefined && atRemote === null;
      if (chain === null || isCopy || isElsewhere || !awaitsBase(text)) return;
      const lineOf = (entry: object) => chain.copy().lineOf(entry);
      const file = await JournalFile.continue(journal, { now, lineOf }).catch(() => null);
      await file?.write(entryOf(base)).catch(() => {});
      await file?.close();
    },
  };
}
