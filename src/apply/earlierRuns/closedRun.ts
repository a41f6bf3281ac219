// Explains why a closed run is not continued: a later apply superseded it, or a person abandoned
// it.
import { closedBy } from '../../report/run/journalLines.ts';
import type { JournalRefusal } from '../refusal.ts';

/**
 * The refusal to continue the closed run with this journal. The files of the run are in `folder`.
 */
export function closedRefusal(run: string, text: string, folder: string): JournalRefusal {
  const by = closedBy(text);
  return by === undefined
    ? { refused: 'journal-closed', run, folder }
    : { refused: 'run-overtaken', run, folder, later: { by, as: 'apply' } };
}
