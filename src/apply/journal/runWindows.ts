// When earlier runs wrote: what their users did in that time was done by the runs.

import type { RunWindow } from '../../model/journal.ts';
import { type RemoteId, remoteId } from '../../model/names.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { addAll } from '../../model/text/many.ts';
import { isObject } from '../../model/value.ts';
import type { ApplyHost } from '../host.ts';
import { journalsIn, readJournal } from './journalFile.ts';
import { journalsFor } from './journalFolder.ts';

/** Older runs are left out: a journal is read whole. */
const MOST = 200;

/** The runs of the desired state in `folder` whose journals are there. A journal that cannot be read has none. */
export async function runWindows(
  folder: string,
  host: Pick<ApplyHost, 'cwd' | 'journals'>,
): Promise<readonly RunWindow[]> {
  const files = (await journalsIn(await journalsFor(folder, host))).slice(0, MOST);
  const windows: RunWindow[][] = [];
  for (const file of files) windows.push(await readJournal(file).then(windowsIn, () => []));
  return windows.flat();
}

// Each line begins with its time and its type. A run that was resumed has a window of its own for each part.
const LINE = /^\{"at":"([^"]+)","type":"([a-z]+)"/;

interface OpenWindow extends RunWindow {
  to: number;
  readonly created: RemoteId[];
}

/** The windows that the text of a journal tells of. */
function windowsIn(text: string): RunWindow[] {
  const windows: OpenWindow[] = [];
  for (const line of text.split('\n')) {
    const [, at = '', type] = LINE.exec(line) ?? [];
    const time = Date.parse(at);
    if (Number.isNaN(time)) continue;
    const last = windows.at(-1);
    if (!last || type === 'run' || type === 'resume')
      windows.push({ from: time, to: time, created: createdIn(line, type) });
    else {
      last.to = time;
      addAll(last.created, createdIn(line, type));
    }
  }
  return windows;
}

function createdIn(line: string, type: string | undefined): RemoteId[] {
  const entry = type === 'answer' ? jsonOf(line) : undefined;
  if (!isObject(entry) || entry.verb !== 'create') return [];
  return typeof entry.id === 'string' ? [remoteId(entry.id)] : [];
}
