// The runs whose journals are on this machine.
import type { Signer } from '../../model/signer.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import { journalIn } from './foundJournal.ts';

/** A run by its id, and its journal. */
export interface RunHere {
  readonly run: string;
  readonly file: string;
  readonly text: string;
}

/** Takes every signature for one of its own: a run has a name although its journal is not verified. */
export const ANYBODY: Signer = { sign: () => '', isSigned: () => true };

/** The runs of the desired state in `path`, newest first. Nothing of their journals is verified. */
export async function runsHere(path: string, host: JournalsHost): Promise<readonly RunHere[]> {
  const found: RunHere[] = [];
  for (const file of await journalsIn(await journalsFor(path, host))) {
    const text = await readJournal(file).catch(() => '');
    const read = journalIn(text, ANYBODY);
    const run = 'chain' in read ? read.chain?.run : undefined;
    if (run !== undefined) found.push({ run, file, text });
  }
  return found;
}
