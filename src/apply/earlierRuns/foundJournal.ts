// Finds, reads and checks the journals of earlier applies.

import { resolve } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { Signer } from '../../model/signer.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import {
  changesEnds,
  isClosed,
  isOfEnds,
  type JournalFault,
  journalOfText,
  type ReadJournal,
  serverIn,
  unverifiedJournal,
  wroteNothing,
} from '../../report/run/journalLines.ts';
import type { ApplyHost } from '../host.ts';
import { goneJournals, journalsIn, readJournal, timeOf } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import type { NotedJournal } from '../journal/notedFiles.ts';
import type { Locked } from '../lock/serverLock.ts';
import type { JournalRefusal, KeptJournal } from '../refusal.ts';

/** A journal, its path, and its text at the time of reading. */
export interface FoundJournal extends ReadJournal {
  readonly path: string;
  readonly text: string;
  /**
   * Whether the journal was copied from a remote. If it was, `path` is where the copy belongs on
   * this machine.
   */
  readonly isCopy?: boolean;
}

/** The place of journals, and the signer that verifies them. */
export interface JournalPlace extends JournalsHost {
  readonly signer: Signer;
  /** The server whose last journal is requested. Journals of other servers are skipped. */
  readonly url?: string | undefined;
  /**
   * Whether to skip the journals of runs that only removed what had expired. Used when the last
   * journal is requested.
   */
  readonly skipsEnds?: boolean;
  /**
   * Whether to skip the journals of complete runs that wrote nothing. Used when the last journal is
   * requested. `but-ends`: does not skip runs that changed end times.
   */
  readonly skipsEmpty?: boolean | 'but-ends';
  /**
   * Asks a person whether to use an unsigned journal of an older version. Anybody who could write
   * to the file may have changed it. If absent, an unsigned journal is refused.
   */
  readonly acceptsUnsigned?: ((file: string) => Promise<boolean>) | undefined;
}

/** Reads the journal in a text. */
export const journalIn = (text: string, signer: Signer): ReadJournal | JournalFault =>
  journalOfText(text, { ...schemas(), signer });

/**
 * Reads the journal in a text, without a check of its signatures. Use the result only in messages.
 */
export const unverifiedIn = (text: string): ReadJournal | undefined =>
  unverifiedJournal(text, schemas());

/** Reads the journal in `file`. */
export async function journalAt(
  file: string,
  place: JournalPlace,
): Promise<FoundJournal | JournalRefusal> {
  const { cwd, signer, acceptsUnsigned } = place;
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = await readJournal(path);
  } catch (error) {
    return { refused: 'journal-unreadable', file, why: reasonOf(error), kept: await kept(place) };
  }
  const read = journalOfText(text, { ...schemas(), signer });
  if ('why' in read) return { refused: 'journal-invalid', file, why: read.why };
  if ('unverified' in read) return { refused: 'journal-unverified', file, line: read.unverified };
  if (read.chain === null && (await acceptsUnsigned?.(file)) !== true)
    return { refused: 'journal-unsigned', file };
  return { ...read, path, text };
}

/** Reads the journal of the last apply of the files in `folder`. */
export async function lastJournal(
  folder: string,
  host: JournalPlace,
): Promise<FoundJournal | JournalRefusal> {
  const journals = await journalsFor(folder, host);
  const last = await newestFor(host, journals);
  const gone = await goneSince(last, journals, host);
  if (gone) {
    const file = nearPath(host.cwd, gone.path);
    return { refused: 'journal-gone', folder, file, ...(gone.run && { run: gone.run }) };
  }
  if (last === undefined) return { refused: 'no-journal', folder, kept: await kept(host) };
  return journalAt(nearPath(host.cwd, last), host);
}

// The newest journal that was chosen with a flag and removed since, if it is newer than the journal
// `last`.
async function goneSince(
  last: string | undefined,
  folder: string,
  { url }: JournalPlace,
): Promise<NotedJournal | undefined> {
  const [gone] = (await goneJournals(folder)).filter(
    ({ server }) => url === undefined || server === undefined || server === url,
  );
  const time = last === undefined ? null : await timeOf(last);
  return gone && gone.noted > (time ?? 0) ? gone : undefined;
}

/**
 * The maximum number of journals in a message. A longer list would hide the rest of the message.
 */
const MOST_KEPT = 5;

// The newest journals of this machine, for all folders of desired state, because the user may mean
// any of them.
async function kept(place: JournalPlace): Promise<readonly KeptJournal[]> {
  const newest = (await allJournals(place)).slice(0, MOST_KEPT);
  return Promise.all(newest.map(path => described(path, place)));
}

async function described(path: string, { cwd, signer }: JournalPlace): Promise<KeptJournal> {
  const text = await readJournal(path).catch(() => '');
  const read = journalOfText(text, { ...schemas(), signer });
  const named = { file: nearPath(cwd, path), server: serverIn(text) };
  return isOurs(read)
    ? { ...named, ended: read.ended, folder: read.plan.folder }
    : { ...named, ended: 'unverified' };
}

// Finds the newest journal for a server. If one folder was applied to several servers, their
// journals are in the same folder.
async function newestFor(
  { url, skipsEnds = false, skipsEmpty = false }: Partial<JournalPlace>,
  folder: string,
): Promise<string | undefined> {
  for (const path of await journalsIn(folder)) {
    const text = await readJournal(path).catch(() => '');
    const isKept = skipsEmpty === 'but-ends' && changesEnds(text);
    if ((skipsEnds && isOfEnds(text)) || (skipsEmpty && !isKept && wroteNothing(text))) continue;
    const server = serverIn(text);
    if (url === undefined || server === undefined || server === url) return path;
  }
  return undefined;
}

/**
 * Reports the journal of the last apply of `path` at this address, if that apply was interrupted.
 */
export async function tellOfCutOff(
  { path, url, lock }: { readonly path: string; readonly url: string; readonly lock: Locked },
  host: ApplyHost,
): Promise<void> {
  const last = await newestFor({ url }, await journalsFor(path, host));
  if (last === undefined) return;
  const text = await readJournal(last).catch(() => '');
  if (isClosed(text)) return;
  const read = journalOfText(text, { ...schemas(), signer: lock.signer });
  if (!isOurs(read) || read.ended !== 'cut off' || serverIn(text) !== url) return;
  host.tell({ note: 'cut-off', journal: last });
}

/**
 * The newest journal of a run of this plan, from the folder of journals or from the file for the
 * next journal; null if there is none. A journal without signatures is ignored, because versions
 * that did not sign journals made no plans of this format.
 */
export async function journalOfPlan(
  { digest }: Pick<SavedPlan, 'digest'>,
  {
    lock,
    file,
  }: { readonly lock: Pick<Locked, 'folder' | 'signer'>; readonly file?: string | undefined },
  { cwd }: Pick<ApplyHost, 'cwd'>,
): Promise<FoundJournal | JournalRefusal | null> {
  const chosen = file === undefined ? [] : [resolve(cwd, file)];
  for (const path of [...chosen, ...(await journalsIn(lock.folder))]) {
    const text = await readJournal(path).catch(() => '');
    if (!text.includes(digest)) continue;
    const read = journalOfText(text, { ...schemas(), signer: lock.signer });
    if ('unverified' in read)
      return { refused: 'journal-unverified', file: nearPath(cwd, path), line: read.unverified };
    if (isOurs(read) && read.digest === digest) return { ...read, path, text };
  }
  return null;
}

/** Whether a journal is readable and signed. */
const isOurs = (read: ReadJournal | JournalFault): read is ReadJournal =>
  'chain' in read && read.chain !== null;

function schemas() {
  return {
    line: shippedSchemaCheck(shippedSchema('journal.schema.json')),
    plan: shippedSchemaCheck(shippedSchema('plan.schema.json')),
  };
}
