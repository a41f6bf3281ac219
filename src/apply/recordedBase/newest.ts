// The newest base of a folder that applies on this machine have recorded: a small signed file beside the journals. It outlives
// journals, and a run that writes nothing to the account leaves it too.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { jsonLine, jsonOf } from '../../model/text/jsonText.ts';
import { isObject, type JsonObject } from '../../model/value.ts';
import { readRegular, reasonOf } from '../../read/files/fileText.ts';
import { writeWhole } from '../../read/files/writeFile.ts';
import { isSignedJournal } from '../../report/run/journalLines.ts';
import {
  type JournalsHost,
  journalsAt,
  journalsFor,
  makeJournalsFor,
} from '../journal/journalFolder.ts';
import type { SharedJournals } from '../journal/sharedJournals.ts';

const FORMAT_VERSION = '1.0';

/** A base, and the file that says that an apply recorded it. */
export interface NotedBase {
  readonly base: BaseCommit;
  readonly file: string;
}

/** Where such files are, and who signs and verifies them. */
export interface Notes {
  readonly host: JournalsHost;
  readonly signer: Signer;
  /** Told of such a file that is there and that is not believed. */
  readonly onUnusable?: ((file: UnusableNote) => void) | undefined;
}

/** Why a file is not believed. */
export interface UnusableNote {
  readonly file: string;
  readonly why: string;
}

/** The newest base at a ref that is known here; null if none is. A file that is not verified tells of none. */
export async function newestBase(
  folder: string,
  ref: string,
  { host, signer, onUnusable }: Notes,
): Promise<NotedBase | null> {
  const file = join(await journalsFor(folder, host), nameFor(ref));
  const read = readRegular(file);
  const base = 'text' in read ? verified(read.text, signer) : null;
  if (base?.ref === ref) return { base, file };
  const isAbsent = 'code' in read && (read.code === 'ENOENT' || read.code === 'ENOTDIR');
  const why = 'text' in read ? 'no key of this run has signed it' : read.why;
  if (!isAbsent) onUnusable?.({ file, why });
  return null;
}

/** The newest base at a ref that a finished run of any machine has recorded, according to its journal at the remote. Rejects if git fails. */
export async function newestInJournals(
  journals: SharedJournals,
  ref: string,
  signer: Signer,
): Promise<NotedBase | null> {
  for (const { name, text } of await journals.all()) {
    const last = jsonOf(text.slice(text.trimEnd().lastIndexOf('\n') + 1));
    const base = isObject(last) && isObject(last.base) ? baseIn(last.base) : null;
    if (base?.ref === ref && isSignedJournal(text, signer)) return { base, file: name };
  }
  return null;
}

/** Notes that a base was recorded. Resolves to why that was impossible and for which file; null if it is noted. */
export async function noteBase(
  folder: string,
  base: BaseCommit,
  { host, signer }: Notes,
): Promise<{ readonly file: string; readonly why: string } | null> {
  try {
    await writeWhole(
      join(await makeJournalsFor(folder, host), nameFor(base.ref)),
      lineOf(base, signer),
    );
    return null;
  } catch (error) {
    return { file: join(journalsAt(folder, host), nameFor(base.ref)), why: reasonOf(error) };
  }
}

const nameFor = (ref: string): string =>
  `base-${createHash('sha256').update(ref).digest('hex').slice(0, 16)}.json`;

function lineOf({ ref, commit, digest, recordedAt }: BaseCommit, { sign }: Signer): string {
  const fields = { format_version: FORMAT_VERSION, ref, commit, digest, recorded_at: recordedAt };
  const unsigned = jsonLine(fields).trimEnd();
  return `${unsigned.slice(0, -1)},"hmac":"${sign('newest base', unsigned)}"}\n`;
}

function verified(text: string, { isSigned }: Signer): BaseCommit | null {
  const [, unsigned = '', hmac = ''] = SIGNED.exec(text) ?? [];
  if (!isSigned('newest base', `${unsigned}}`, hmac)) return null;
  const fields = jsonOf(text);
  if (!isObject(fields)) return null;
  return baseIn(fields);
}

function baseIn({ ref, commit, digest, recorded_at: recordedAt }: JsonObject): BaseCommit | null {
  if (typeof ref !== 'string' || typeof commit !== 'string') return null;
  if (typeof digest !== 'string' || typeof recordedAt !== 'string') return null;
  return { ref, commit, digest, recordedAt };
}

const SIGNED = /^(.+),"hmac":"([0-9a-f]{64})"\}\s*$/;
