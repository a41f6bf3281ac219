// The time windows in which earlier runs wrote. A change by the user of a run is attributed to the
// run if it falls into a window of the run.

import type { RunWindow, SentUpdate } from '../../model/journal.ts';
import { type RemoteId, remoteId } from '../../model/names.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject, type Json, type JsonObject } from '../../model/value.ts';
import { isSignedJournal } from '../../report/run/journalLines.ts';
import { journalsIn, readJournal } from '../journal/journalFile.ts';
import { type JournalsHost, journalsFor } from '../journal/journalFolder.ts';
import { isRefusal } from '../refusal.ts';
import { type SigningKeys, signerOf } from '../signing/signer.ts';

/** Older runs are skipped, because each journal is read completely. */
const MOST = 200;

/**
 * The windows of the runs of the desired state in `folder` whose journals are on this machine. A
 * journal is ignored if it cannot be read or was not signed with these keys.
 */
export async function runWindows(
  folder: string,
  host: JournalsHost & SigningKeys,
): Promise<readonly RunWindow[]> {
  const signer = signerOf(host);
  if (isRefusal(signer)) return [];
  const files = (await journalsIn(await journalsFor(folder, host))).slice(0, MOST);
  const windows: RunWindow[][] = [];
  for (const file of files) {
    const text = await readJournal(file).catch(() => '');
    if (isSignedJournal(text, signer)) windows.push(windowsIn(text));
  }
  return windows.flat();
}

// Each line begins with its time and its type. A resumed run has one window for each of its parts.
const LINE = /^\{"at":"([^"]+)","type":"([a-z]+)"/;

interface OpenWindow extends RunWindow {
  to: number;
  newest?: number;
  readonly created: RemoteId[];
  readonly updates: SentUpdate[];
  readonly deleted: RemoteId[];
}

/** The windows of the run in the text of a journal. A run that sent nothing has none. */
function windowsIn(text: string): RunWindow[] {
  const windows: OpenWindow[] = [];
  const writing = new Set<OpenWindow>();
  for (const line of text.split('\n')) {
    const [, at = '', type] = LINE.exec(line) ?? [];
    const time = Date.parse(at);
    if (Number.isNaN(time)) continue;
    if (windows.length === 0 || type === 'run' || type === 'resume')
      windows.push({ from: time, to: time, created: [], updates: [], deleted: [] });
    const last = windows.at(-1);
    if (!last) continue;
    last.to = time;
    if (type === 'send') writing.add(last);
    if (type === 'answer' || type === 'send' || type === 'log') note(last, jsonOf(line));
  }
  return windows.filter(window => writing.has(window));
}

// Records the effect of a write. The result of a create is in its response; all other written
// values are in the request.
function note(window: OpenWindow, entry: Json | undefined): void {
  if (!isObject(entry)) return;
  if (entry.type === 'log' && typeof entry.newest === 'number') window.newest = entry.newest;
  const call = isObject(entry.call) ? entry.call : entry;
  const { verb, id } = call;
  if (typeof id !== 'string') return;
  if (entry.type === 'answer' && verb === 'create') window.created.push(remoteId(id));
  if (entry.type === 'send' && verb === 'update') window.updates.push(sentUpdate(id, call, entry));
  if (entry.type === 'send' && verb === 'delete') window.deleted.push(remoteId(id));
}

function sentUpdate(id: string, { body }: JsonObject, { before }: JsonObject): SentUpdate {
  const fields = isObject(before) && isObject(before.fields) ? before.fields : {};
  return { id: remoteId(id), ...(isObject(body) && { body }), before: fields };
}
