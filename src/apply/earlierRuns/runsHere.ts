// The runs whose journals are on this machine.
import { accountIn } from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { allJournals, type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import { unverifiedIn } from './foundJournal.ts';

/** A run by its id, and its journal. */
export interface RunHere {
  readonly run: string;
  readonly file: string;
  readonly text: string;
}

/** The runs of the desired state in `path`, newest first. The journals are not verified. */
export async function runsHere(path: string, host: JournalsHost): Promise<readonly RunHere[]> {
  return runsIn(await journalsIn(await journalsFor(path, host)));
}

/**
 * The runs of an account, from the journals of the desired state in `path` and of all other
 * folders, because a folder may have been moved since. The journals are not verified.
 */
export async function runsOfAccount(
  account: string,
  path: string,
  host: JournalsHost,
): Promise<readonly RunHere[]> {
  const here = await runsHere(path, host);
  const own = new Set(here.map(({ file }) => file));
  const others = (await allJournals(host)).filter(file => !own.has(file));
  const elsewhere = await runsIn(others, text => accountIn(text) === account);
  return [...here, ...elsewhere];
}

/** The runs of all folders of desired state, newest first. The journals are not verified. */
export const runsOfMachine = async (host: JournalsHost): Promise<readonly RunHere[]> =>
  runsIn(await allJournals(host));

async function runsIn(
  files: readonly string[],
  isAsked: (text: string) => boolean = () => true,
): Promise<readonly RunHere[]> {
  const found: RunHere[] = [];
  for (const file of files) {
    const text = await readJournal(file).catch(() => '');
    const run = isAsked(text) ? unverifiedIn(text)?.chain?.run : undefined;
    if (run !== undefined) found.push({ run, file, text });
  }
  return found;
}
