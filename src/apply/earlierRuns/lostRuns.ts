// Finds applies that a recorded base names as unfinished, but whose journals are no longer at the
// remote. Nothing shows what these applies left.
import { resolve } from 'node:path';
import { accountOfJournals } from '../../base/refName.ts';
import type { ReportedRun } from '../../model/reportedRun.ts';
import type { Signer } from '../../model/signer.ts';
import { type StoredBase, storedBases } from '../../read/git/storedBases.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import { isSignedJournal } from '../../report/run/journalLines.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';
import { placeOf } from '../recordedBase/gitPlace.ts';
import { type AskingFiles, goneFolders } from './goneFolders.ts';
import { undoneAt } from './remoteRuns.ts';

/** An unfinished apply without a journal. */
export interface LostRun {
  readonly run: string;
  /** The base that names the lost apply. */
  readonly named: StoredBase;
  /**
   * Whether the base belongs to the requested files; false if it belongs to a folder without files.
   */
  readonly isOwn: boolean;
}

/** The lost applies of the files at `path`, and of folders that no longer have files. Rejects if git fails. */
export async function lostRuns(
  journals: SharedJournals,
  signer: Signer,
  { path, host }: AskingFiles,
): Promise<readonly LostRun[]> {
  const account = accountOfJournals(journals.ref);
  const bases = await storedBases(placeOf(path, host), account);
  const naming = bases.flatMap(one => ('why' in one || !one.base.unfinished ? [] : [one]));
  if (naming.length === 0) return [];
  const own = pathInRepository(resolve(host.cwd, path));
  const { isGone } = goneFolders({ path, host });
  const all = await journals.all();
  const undone = undoneAt(all, signer);
  const lost: LostRun[] = [];
  for (const named of naming) {
    const { unfinished = [], folder } = named.base;
    if (folder !== own && !(await isGone(folder))) continue;
    // Without the key that signed the base, no journal can be verified either.
    const hasKey = isSignedBase(named, signer);
    for (const run of unfinished) {
      const name = journals.nameOf(run);
      const text = all.find(journal => journal.name === name)?.text;
      const isForeign = hasKey && text !== undefined && !isSignedJournal(text, signer, run);
      if ((name === undefined || isForeign) && !undone.has(run))
        lost.push({ run, named, isOwn: folder === own });
    }
  }
  return lost;
}

/** Whether a key of this run signed a base. */
export const isSignedBase = ({ text, signature }: StoredBase, signer: Signer): boolean =>
  signer.isSigned('base', text, signature);

/** A lost apply, as commands report it. */
export const reportedLost = ({ run, named: { base }, isOwn }: LostRun): ReportedRun => ({
  run,
  lostSince: base.recordedAt,
  ...(!isOwn && { formerFolder: base.folder }),
});
