// Finds journals of this machine that belong to other folders of desired state. Such a folder may
// have been moved, or may be in another clone of the same repository.
import { commitOf } from '../../read/git/revision.ts';
import { serverIn } from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import { type BaseHost, placeOf } from '../recordedBase/gitPlace.ts';
import { unverifiedIn } from './foundJournal.ts';

/** A journal on this machine. */
export interface JournalHere {
  readonly path: string;
  readonly text: string;
}

/** The files that a command is about, and the server. */
export interface AskedJournals {
  readonly path: string;
  readonly url: string;
  readonly host: BaseHost & JournalsHost;
}

/**
 * The maximum number of journals. Older journals are skipped, because each journal is read
 * completely.
 */
const MOST = 200;

/**
 * The journals for this server outside the folder of journals of the files at `path`, newest first.
 * A journal is included only if its revision is in the repository of these files. `mayTell` selects
 * journals by their text.
 */
export async function journalsOfOtherFolders(
  { path, url, host }: AskedJournals,
  mayTell: (text: string) => boolean,
): Promise<readonly JournalHere[]> {
  const own = new Set(await journalsIn(await journalsFor(path, host)));
  const files = (await allJournals(host)).filter(file => !own.has(file)).slice(0, MOST);
  const found: JournalHere[] = [];
  for (const file of files) {
    const text = await readJournal(file).catch(() => '');
    if (serverIn(text) !== url || !mayTell(text)) continue;
    const revision = unverifiedIn(text)?.plan.revision;
    if (revision === undefined) continue;
    // The revision must be in this repository, because another repository may have a folder with
    // the same name for the same server.
    if ('commit' in (await commitOf(placeOf(path, host), revision)))
      found.push({ path: file, text });
  }
  return found;
}
