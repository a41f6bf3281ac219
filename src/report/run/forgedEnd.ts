// Detects a forged last line of a journal. Without this check, an unfinished run would look finished.
import type { Signer } from '../../model/signer.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { JournalChain, type JournalRun } from './journalChain.ts';
import { isClosed, isFinished, runInHead } from './journalLines.ts';

/**
 * Whether a key of this run signed the first line of a journal, and no key of this run signed the line that ends the journal.
 * False if the run has no such key, because then nobody can tell.
 */
export function isEndForged(text: string, signer: Signer): boolean {
  if (!isClosed(text) || isEndSigned(text, signer)) return false;
  const [first = '', ...more] = text.split('\n').filter(isLine);
  const head = jsonOf(first);
  const last = more.pop();
  if (!isObject(head) || last === undefined) return false;
  const of = runOf(head);
  if (of === undefined || isNextAfter(more.at(-1) ?? first, last, of, signer)) return false;
  return new JournalChain(of, signer).isNext(first);
}

// Whether the last line is signed. For most journals, this is the only line that is checked, so neither the plan nor the other
// lines are parsed.
function isEndSigned(text: string, signer: Signer): boolean {
  const of = runOf(runInHead(text) ?? {});
  const lines = text.split('\n');
  const end = lines.findLastIndex(isLine);
  const before = lines.slice(0, Math.max(0, end)).findLast(isLine);
  if (of === undefined || before === undefined) return false;
  return isNextAfter(before, lines[end] ?? '', of, signer);
}

// Whether a text is a line: an incomplete line of a killed run does not count.
const isLine = (line: string): boolean => jsonOf(line) !== undefined;

function isNextAfter(before: string, line: string, of: JournalRun, signer: Signer): boolean {
  const entry = jsonOf(before);
  const signature = isObject(entry) && typeof entry.hmac === 'string' ? entry.hmac : '';
  return new JournalChain(of, signer, signature).isNext(line);
}

/** Whether nothing of a run remains to be done, according to its last line, unless that line is forged. */
export const isFinishedBy = (text: string, signer: Signer): boolean =>
  isFinished(text) && !isEndForged(text, signer);

function runOf({ account, server, run }: JsonObject): JournalRun | undefined {
  if (typeof server !== 'string' || typeof run !== 'string') return undefined;
  return { account: typeof account === 'string' ? account : null, server, run };
}
