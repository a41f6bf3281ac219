// Finds the journals of earlier applies, reads and checks them.
import { relative, resolve } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/shippedChecks.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { isClosed, journalOfText, type ReadJournal } from '../../report/run/journalLines.ts';
import type { ApplyHost } from '../host.ts';
import type { JournalRefusal } from '../refusal.ts';
import { journalsIn, readJournal } from './journalFile.ts';
import { journalsFor } from './journalFolder.ts';

/** A journal and its path. */
export interface FoundJournal extends ReadJournal {
  readonly path: string;
}

/** Reads the journal in `file`. */
export async function journalAt(
  file: string,
  { cwd }: Pick<ApplyHost, 'cwd'>,
): Promise<FoundJournal | JournalRefusal> {
  const path = resolve(cwd, file);
  let text: string;
  try {
    text = await readJournal(path);
  } catch (error) {
    return { refused: 'journal-unreadable', file, why: reasonOf(error) };
  }
  const read = journalOfText(text, schemas());
  if (typeof read === 'string') return { refused: 'journal-invalid', file, why: read };
  return { ...read, path };
}

/** Reads the journal of the last apply of the files in `folder`. */
export async function lastJournal(
  folder: string,
  host: Pick<ApplyHost, 'cwd' | 'journals'>,
): Promise<FoundJournal | JournalRefusal> {
  const [last] = await journalsIn(await journalsFor(folder, host));
  if (last === undefined) return { refused: 'no-journal', folder };
  return journalAt(relative(host.cwd, last), host);
}

/** Reports the journal of the last apply of `folder` at this address if that apply was interrupted. */
export async function tellOfCutOff(folder: string, url: string, host: ApplyHost): Promise<void> {
  const [last] = await journalsIn(await journalsFor(folder, host));
  if (last === undefined) return;
  const text = await readJournal(last);
  if (isClosed(text)) return;
  const read = journalOfText(text, schemas());
  if (typeof read === 'string' || read.ended !== 'cut off' || read.plan.server !== url) return;
  host.tell({ note: 'cut-off', journal: last });
}

/**
 * The newest journal of a run of this plan: in `folder`, or in the file that the next one is to be written to; null where
 * there is none that can be read.
 */
export async function journalOfPlan(
  { digest }: Pick<SavedPlan, 'digest'>,
  { folder, file }: { readonly folder: string; readonly file?: string | undefined },
  { cwd }: Pick<ApplyHost, 'cwd'>,
): Promise<FoundJournal | null> {
  const chosen = file === undefined ? [] : [resolve(cwd, file)];
  for (const path of [...chosen, ...(await journalsIn(folder))]) {
    const text = await readJournal(path).catch(() => '');
    if (!text.includes(digest)) continue;
    const read = journalOfText(text, schemas());
    if (typeof read !== 'string' && read.digest === digest) return { ...read, path };
  }
  return null;
}

function schemas() {
  return {
    line: shippedSchemaCheck(shippedSchema('journal.schema.json')),
    plan: shippedSchemaCheck(shippedSchema('plan.schema.json')),
  };
}
