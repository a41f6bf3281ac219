// Journals as somebody with the key would write them: what a reader says of their content is tested with these.
import { isRefusal } from '../../src/apply/refusal.ts';
import { signerOf } from '../../src/apply/signing/signer.ts';
import type { Signer } from '../../src/model/signer.ts';
import { isTooDeep } from '../../src/model/text/depth.ts';
import { jsonOf } from '../../src/model/text/jsonText.ts';
import { isObject } from '../../src/model/value.ts';
import { JournalChain } from '../../src/report/run/journalChain.ts';

/** The signer of the runs with this token. */
export function signerWith(token: string): Signer {
  const signer = signerOf({ token });
  if (isRefusal(signer)) throw new Error(signer.refused);
  return signer;
}

/** The same lines, each object among them signed anew as a line of the run in the first line. */
export function signedJournal(lines: readonly string[], token: string): string[] {
  const head = jsonOf(lines[0] ?? '');
  const { account = null, server = '', run = '' } = isObject(head) ? head : {};
  const of = { account: account === null ? null : String(account) };
  const chain = new JournalChain(
    { ...of, server: String(server), run: String(run) },
    signerWith(token),
  );
  return lines.map(line => {
    const entry = jsonOf(line);
    if (!isObject(entry) || isTooDeep(entry)) return line;
    const { hmac: _, ...unsigned } = entry;
    return chain.lineOf(unsigned).trimEnd();
  });
}

/** The same lines as a version before signatures wrote them. */
export function unsignedJournal(lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const { hmac: _, server, run, account, ...entry } = JSON.parse(line);
    const known = server === undefined ? {} : { format_version: '1.2' };
    return JSON.stringify(index === 0 ? { ...entry, ...known } : entry);
  });
}
