// The last line of a journal that somebody added: by what it says alone, an unfinished run would look finished.
import type { Signer } from '../../model/signer.ts';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { JournalChain } from './journalChain.ts';
import { isClosed, isFinished } from './journalLines.ts';

/**
 * Whether one of these keys signed the first line of a journal's text, and none the line that ends it. Without the key of the run, nobody
 * can tell.
 */
export function isEndForged(text: string, signer: Signer): boolean {
  if (!isClosed(text)) return false;
  const [first = '', ...more] = text.split('\n').filter(line => jsonOf(line) !== undefined);
  const head = jsonOf(first);
  const last = more.pop();
  if (!isObject(head) || last === undefined) return false;
  const before = jsonOf(more.at(-1) ?? first);
  const signature = isObject(before) && typeof before.hmac === 'string' ? before.hmac : '';
  const of = runOf(head);
  if (of === undefined || new JournalChain(of, signer, signature).isNext(last)) return false;
  return new JournalChain(of, signer).isNext(first);
}

/** Whether nothing of a run is left to do, according to a last line that nobody forged. */
export const isFinishedBy = (text: string, signer: Signer): boolean =>
  isFinished(text) && !isEndForged(text, signer);

function runOf({ account, server, run }: JsonObject) {
  if (typeof server !== 'string' || typeof run !== 'string') return undefined;
  return { account: typeof account === 'string' ? account : null, server, run };
}
