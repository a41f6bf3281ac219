// The runs whose journals are on this machine.
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import { unverifiedIn } from './foundJournal.ts';

/** A run by its id, and its journal. */
export interface RunHere {
  readonly run: string;
  readonly file: string;
  readonly text: string;
}

/** The runs of the desired state in `path`, newest first. Nothing of their journals is verified. */
export async function runsHere(path: string, host: JournalsHost): Promise<readonly RunHere[]> {
  return runsIn(await journalsIn(await journalsFor(path, host)));
}

/** The runs of all folders of desired state, newest first. Nothing of their journals is verified. */
export const runsOfMachine = async (host: JournalsHost): Promise<readonly RunHere[]> =>
  runsIn(await allJournals(host));

async function runsIn(files: readonly string[]): Promise<readonly RunHere[]> {
  const found: RunHere[] = [];
  for (const file of files) {
    const text = await readJournal(file).catch(() => '');
    const run = unverifiedIn(text)?.chain?.run;
    if (run !== undefined) found.push({ run, file, text });
  }
  return found;
}
