// The bases that finished runs of a folder recorded, as their journals say.
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { baseIn, isSignedJournal } from '../../report/run/journalLines.ts';
import { journalEnd, journalsIn, readJournal } from './journalFile.ts';
import { type JournalsHost, journalsFor } from './journalFolder.ts';

/** Older runs are left out: the newest one of the folder counts. */
const MOST = 200;

/** A base that a run recorded, and the path of its journal. */
export interface BaseInJournal {
  readonly base: BaseCommit;
  readonly journal: string;
}

/** Which bases are asked for: those at a ref, recorded after a time in RFC 3339. */
export interface NewerBasesRequest {
  readonly host: JournalsHost;
  readonly signer: Signer;
  readonly ref: string;
  /** Without it, all of them. */
  readonly than: string | undefined;
}

/** The bases that runs of the desired state in `folder` recorded, the newest first. A journal that is not verified tells of none. */
export async function newerBases(
  folder: string,
  { host, signer, ref, than }: NewerBasesRequest,
): Promise<readonly BaseInJournal[]> {
  const found: BaseInJournal[] = [];
  for (const journal of (await journalsIn(await journalsFor(folder, host))).slice(0, MOST)) {
    // A journal holds a whole plan: it is read whole, and verified, only if its end matters.
    const base = baseIn(await journalEnd(journal).catch(() => ''));
    if (base?.ref !== ref || !isAfter(base.recordedAt, than)) continue;
    const text = await readJournal(journal).catch(() => '');
    if (isSignedJournal(text, signer)) found.push({ base, journal });
  }
  return found.sort((a, b) => Date.parse(b.base.recordedAt) - Date.parse(a.base.recordedAt));
}

const isAfter = (time: string, than: string | undefined): boolean =>
  than === undefined || Date.parse(time) > Date.parse(than);
