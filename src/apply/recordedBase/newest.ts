// Notes about the newest recorded base of a folder: small signed files beside the journals, on this
// machine and at the Git remote of the lock. A note is kept longer than journals, and a run that
// writes nothing to the account also leaves a note.
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
import type { SharedJournals, SharedNote } from '../journal/sharedJournals.ts';

const FORMAT_VERSION = '1.1';

/** The content of a note. */
export interface NewestBase {
  readonly base: BaseCommit;
  /**
   * When a user ran `base forget` for the base, in RFC 3339. After that, only a base that follows
   * it counts. Absent before format 1.1.
   */
  readonly forgottenAt?: string | undefined;
}

/** A base, and the file that shows that it was recorded. */
export interface NotedBase extends NewestBase {
  readonly file: string;
}

/** The place of these notes, and the signer that signs and verifies them. */
export interface Notes {
  readonly host: JournalsHost;
  readonly signer: Signer;
  /** Called with a note that exists but is not trusted. */
  readonly onUnusable?: ((file: UnusableNote) => void) | undefined;
}

/** A file that is not trusted, and the reason. */
export interface UnusableNote {
  readonly file: string;
  readonly why: string;
}

/**
 * The newest base at a ref, according to the notes of this machine; null if there is none. A note
 * that cannot be verified does not count.
 */
export async function newestBase(
  folder: string,
  ref: string,
  { host, signer, onUnusable }: Notes,
): Promise<NotedBase | null> {
  const file = join(await journalsFor(folder, host), nameFor(ref));
  const read = readRegular(file);
  const noted = 'text' in read ? verified(read.text, signer) : null;
  if (noted?.base.ref === ref) return { ...noted, file };
  const isAbsent = 'code' in read && (read.code === 'ENOENT' || read.code === 'ENOTDIR');
  const why = 'text' in read ? NOT_SIGNED : read.why;
  if (!isAbsent) onUnusable?.({ file, why });
  return null;
}

/**
 * The newest bases at a ref that any machine has recorded. They come from two sources at the
 * remote: the note, and the journal of the newest run that recorded a base. Versions that leave no
 * note also wrote such journals. Rejects if git fails.
 */
export async function newestAtRemote(
  journals: SharedJournals,
  ref: string,
  { signer, onUnusable }: Omit<Notes, 'host'>,
): Promise<readonly NotedBase[]> {
  const file = nameFor(ref);
  const text = await journals.note(file);
  const noted = text === null ? null : verified(text, signer);
  const isNoted = noted?.base.ref === ref;
  if (text !== null && !isNoted) onUnusable?.({ file, why: NOT_SIGNED });
  const recorded = await newestInJournals(journals, ref, signer);
  const byNote = isNoted ? [{ ...noted, file }] : [];
  const byRun = recorded ? [recorded] : [];
  // The base in a journal comes first, unless a user has run `base forget` since.
  return noted?.forgottenAt === undefined ? [...byRun, ...byNote] : [...byNote, ...byRun];
}

/**
 * The newest bases at a ref, from this machine and from the remote, sorted by the time at which
 * they were recorded, newest first.
 */
export async function newestFirst(
  { folder, ref }: { readonly folder: string; readonly ref: string },
  { journals, ...notes }: Notes & { readonly journals?: SharedJournals | undefined },
): Promise<readonly NotedBase[]> {
  const here = await newestBase(folder, ref, notes);
  const there = journals ? await newestAtRemote(journals, ref, notes) : [];
  return [...there, ...(here ? [here] : [])].sort(
    (a, b) => Date.parse(b.base.recordedAt) - Date.parse(a.base.recordedAt),
  );
}

/** Whether one of these bases was recorded after the last `base forget` for the folder. */
export function isNotedStill(noted: readonly NotedBase[]): boolean {
  const times = noted.flatMap(({ forgottenAt }) =>
    forgottenAt === undefined ? [] : Date.parse(forgottenAt),
  );
  return noted.some(({ base }) => times.every(time => time < Date.parse(base.recordedAt)));
}

async function newestInJournals(
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

/**
 * Notes on this machine that a base was recorded. Resolves to null once it is noted, or to the file
 * that cannot be written and the reason.
 */
export async function noteBase(
  folder: string,
  newest: NewestBase,
  { host, signer }: Notes,
): Promise<{ readonly file: string; readonly why: string } | null> {
  const { name, text } = noteOf(newest, signer);
  try {
    await writeWhole(join(await makeJournalsFor(folder, host), name), text);
    return null;
  } catch (error) {
    return { file: join(journalsAt(folder, host), name), why: reasonOf(error) };
  }
}

/** The note for a base that was recorded, or that was the newest base at a `base forget`. */
export const noteOf = (newest: NewestBase, signer: Signer): SharedNote => ({
  name: nameFor(newest.base.ref),
  text: lineOf(newest, signer),
});

const NOT_SIGNED = 'no key of this run has signed it';

const nameFor = (ref: string): string =>
  `base-${createHash('sha256').update(ref).digest('hex').slice(0, 16)}.json`;

function lineOf({ base, forgottenAt }: NewestBase, { sign }: Signer): string {
  const { ref, commit, digest, recordedAt } = base;
  const fields = {
    format_version: FORMAT_VERSION,
    ref,
    commit,
    digest,
    recorded_at: recordedAt,
    ...(forgottenAt !== undefined && { forgotten_at: forgottenAt }),
  };
  const unsigned = jsonLine(fields).trimEnd();
  return `${unsigned.slice(0, -1)},"hmac":"${sign('newest base', unsigned)}"}\n`;
}

function verified(text: string, { isSigned }: Signer): NewestBase | null {
  const [, unsigned = '', hmac = ''] = SIGNED.exec(text) ?? [];
  if (!isSigned('newest base', `${unsigned}}`, hmac)) return null;
  const fields = jsonOf(text);
  const base = isObject(fields) ? baseIn(fields) : null;
  if (!isObject(fields) || base === null) return null;
  const { forgotten_at: at } = fields;
  return { base, ...(typeof at === 'string' && { forgottenAt: at }) };
}

function baseIn({ ref, commit, digest, recorded_at: recordedAt }: JsonObject): BaseCommit | null {
  if (typeof ref !== 'string' || typeof commit !== 'string') return null;
  if (typeof digest !== 'string' || typeof recordedAt !== 'string') return null;
  return { ref, commit, digest, recordedAt };
}

const SIGNED = /^(.+),"hmac":"([0-9a-f]{64})"\}\s*$/;
