// Lists the objects that expire according to the files while a person holds the lock. Nothing
// removes them before the hold ends.

import { hasErrors } from '../../model/diagnostic.ts';
import { type Ending, endTime } from '../../model/ending.ts';
import type { LockRecord } from '../../model/lockRecord.ts';
import { shownEnding } from '../../model/planEndings.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import { loadSchemas } from '../../pipeline/schemas.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { endingText } from '../../report/plan/endingsText.ts';
import { counted } from '../../report/text/summary.ts';
import { readingRequest } from '../files/desired.ts';
import type { Io } from '../io.ts';

/** The maximum number of lines. More lines would hide the message to which they belong. */
const MOST_SHOWN = 20;

/**
 * The expiry times in the files within a hold, one per line below a title, the earliest first. No
 * lines if nothing expires.
 */
export function heldEnds(
  endings: readonly Ending[] = [],
  { since, until }: Pick<LockRecord, 'since' | 'until'>,
): readonly string[] {
  const from = endTime(since) ?? Number.NEGATIVE_INFINITY;
  const to = endTime(until) ?? Number.POSITIVE_INFINITY;
  const held = endings
    .filter(ending => ending.until > from && ending.until <= to)
    .sort((one, other) => one.until - other.until);
  if (held.length === 0) return [];
  const more = held.length - MOST_SHOWN;
  return [
    '  According to the files, these end during the hold, but stay in the account until the hold is over:',
    ...held.slice(0, MOST_SHOWN).map(ending => `    ${endingText(shownEnding(ending))}`),
    ...(more > 0 ? [`    and ${counted(more, 'more end')}`] : []),
  ];
}

/**
 * The lines of `heldEnds` for the files at `path`. A hold needs no files. So if they cannot be
 * read, a single line reports that their expiry times are unknown.
 */
export async function heldEndsOf(
  path: string,
  hold: Pick<LockRecord, 'since' | 'until'>,
  io: Io,
): Promise<readonly string[]> {
  const state = await stateOf(path, io);
  if ('why' in state)
    return [
      `  It is unknown what ends during the hold in the files at ${quoted(path)}: ${state.why}.`,
    ];
  return heldEnds(state.endings, hold);
}

async function stateOf(path: string, io: Io): Promise<DesiredState | { readonly why: string }> {
  try {
    const request = readingRequest(path, {}, io);
    const state = await loadDesired(loadSchemas(), request);
    if (!hasErrors(state.diagnostics)) return state;
    return { why: 'they have errors, which `meshform validate` shows' };
  } catch (error) {
    return { why: reasonOf(error) };
  }
}
