// The folder of a store: its manifest, checked files, and the journal. Everything in it is readable by its owner only.
import { constants, type Stats } from 'node:fs';
import { chmod, lstat, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { jsonOf } from '../../model/text/jsonText.ts';
import { isList, type Json } from '../../model/value.ts';
import { CountedDay } from '../../usage/store/countedDay.ts';
import { type DayDocument, dayDocument } from '../../usage/store/dayFlows.ts';
import {
  digestOf,
  filesOf,
  journalName,
  type Manifest,
  manifestOf,
  type StoredFile,
} from '../../usage/store/manifest.ts';
import {
  checksumOf,
  isJournalHead,
  journalHead,
  journalLine,
  type Observation,
} from '../../usage/store/observation.ts';
import type { LoggedState } from '../../usage/store/stateLog.ts';
import { reasonOf, specialFile } from '../files/fileText.ts';
import { ownerIn } from '../files/owners.ts';

/** The name of the file that lists the files of a store. */
export const MANIFEST = 'store.json';

/** Why a store cannot be used, in words that complete "… cannot be used: ", and what to do. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly hint: string;

  constructor(why: string, hint: string) {
    super(why);
    this.hint = hint;
  }
}

const RESTORE =
  'restore the folder from a copy, or start a new store in an empty folder: meshform does not repair a damaged store';

/** The error for a store whose journal is not bound to it. */
export const unprovenStore = (): StoreFault =>
  new StoreFault(
    'it has format version 1, and nothing proves yet that its journal belongs to it',
    'run `meshform observe` with this store once: it compares the journal with the account',
  );

const damaged = (why: string): StoreFault => new StoreFault(why, RESTORE);

/** Files that a store may contain besides those of its manifest, and files of file systems. */
const BESIDE = /^(?:lock|lock\..*|.*\.part|lost\+found|\..*)$/;

/**
 * The manifest of the store at `folder`; null if the folder is empty or does not exist. Throws a `StoreFault` in all other cases.
 */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readOwn(join(folder, MANIFEST)).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(MANIFEST, error);
    const others = await readdir(folder).catch((fault: NodeJS.ErrnoException) => {
      if (fault.code === 'ENOENT') return [];
      throw unreadable('', fault);
    });
    const [other, ...more] = others.filter(name => !BESIDE.test(name));
    if (other === undefined) return null;
    if (more.length === 0 && (await isBegun(folder, other))) return null;
    throw new StoreFault(
      `it has the file ${other}, but no ${MANIFEST}: it is not a store`,
      'name an empty folder, or the folder of a store',
    );
  });
  if (text === null) return null;
  const manifest = manifestOf(text.toString('utf8'));
  if (!('why' in manifest)) return manifest;
  const isNewer = manifest.why.startsWith('a newer');
  throw isNewer ? new StoreFault(manifest.why, 'upgrade meshform') : damaged(manifest.why);
}

/** The manifest of the store at `folder`. Throws a `StoreFault` if there is no store, or if it cannot be used. */
export async function existingManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest !== null) return manifest;
  throw new StoreFault('it has no observations', 'collect some with `meshform observe`');
}

// Whether a file is the journal of a store whose creation was interrupted. This journal is written before the manifest, and
// contains no observation yet.
async function isBegun(folder: string, name: string): Promise<boolean> {
  if (name !== journalName(0)) return false;
  const text = await readOwn(join(folder, name)).catch(() => null);
  return text !== null && isJournalHead(text.toString('utf8'));
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

// Reads a regular file. Follows no link, because a link would lead out of the store, and waits for no pipe.
async function readOwn(path: string): Promise<Buffer> {
  // Checked before opening, because even opening a device can have an effect.
  const before = await lstat(path);
  refuseSpecial(before.isSymbolicLink() ? undefined : before);
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  try {
    refuseSpecial(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function refuseSpecial(stats: Stats | undefined): void {
  const special = stats && specialFile(stats);
  if (special) throw new Error(special);
}

function unreadable(file: string, error: unknown): StoreFault {
  if ((error as NodeJS.ErrnoException).code === 'ELOOP')
    return damaged(`its file ${file} is a link`);
  const what = file === '' ? 'it' : `its file ${file}`;
  return new StoreFault(
    `${what} cannot be read: ${reasonOf(error)}`,
    'name a folder that this user may read and write',
  );
}

/** The bytes of a file of the store. Throws a `StoreFault` if the file is not as it was written. */
async function readStored(folder: string, { name, digest }: StoredFile): Promise<Buffer> {
  const bytes = await readOwn(join(folder, name)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(name, error);
    throw new MissingFile(name);
  });
  if (digestOf(bytes) !== digest) throw damaged(`its file ${name} is damaged`);
  return bytes;
}

/**
 * The error for a file of the manifest that does not exist, because somebody deleted it or a compaction replaced it while the
 * store was read.
 */
export class MissingFile extends StoreFault {
  constructor(name: string) {
    super(`its file ${name} is missing`, RESTORE);
  }
}

const EVERYBODY_WRITES = 0o002;
const OTHERS = 0o077;

/** The folder of a store, as `.`, and its files with their permissions. Missing files, links, and files without an owner are left out. */
async function modesIn(
  folder: string,
  manifest: Manifest,
): Promise<readonly { readonly name: string; readonly mode: number }[]> {
  const names = ['.', MANIFEST, ...filesOf(manifest)];
  const found = await Promise.all(
    names.map(async name => {
      const examine = name === '.' ? stat : lstat;
      const stats = await examine(join(folder, name)).catch(() => null);
      const owner = stats === null || stats.isSymbolicLink() ? undefined : ownerIn(stats);
      return owner === undefined ? [] : { name, mode: owner.mode };
    }),
  );
  return found.flat();
}

/** The files of a store that every user of the machine can write; `.` for its folder. */
export async function writableByAll(
  folder: string,
  manifest: Manifest,
): Promise<readonly string[]> {
  const all = await modesIn(folder, manifest);
  return all.flatMap(({ name, mode }) => ((mode & EVERYBODY_WRITES) === 0 ? [] : name));
}

/** Removes the permissions of other users from a store, as far as this user may. Another user may own the folder of a volume. */
export async function makePrivate(folder: string, manifest: Manifest): Promise<void> {
  for (const { name, mode } of await modesIn(folder, manifest))
    if ((mode & OTHERS) !== 0)
      await chmod(join(folder, name), name === '.' ? 0o700 : 0o600).catch(() => undefined);
}

const unzipped = promisify(gunzip);

/** A value as the compressed bytes of a file. */
export const zipped = async (value: Json): Promise<Buffer> =>
  promisify(gzip)(JSON.stringify(value), { level: 6 });

async function valueIn(folder: string, file: StoredFile): Promise<Json | undefined> {
  const bytes = await readStored(folder, file);
  const text = await unzipped(bytes).catch(() => Buffer.from(''));
  return jsonOf(text.toString('utf8'));
}

/** The flows of a day. */
export async function readDay(folder: string, file: StoredFile): Promise<DayDocument> {
  const document = dayDocument(await valueIn(folder, file));
  if (document === null) throw damaged(`its file ${file.name} is damaged`);
  return document;
}

/** The counters of the records of a day. */
export async function readCounted(folder: string, file: StoredFile): Promise<CountedDay> {
  const counted = CountedDay.decoded(await readStored(folder, file));
  if (counted === null) throw damaged(`its file ${file.name} is damaged`);
  return counted;
}

/** The states of the account that are stored outside the journal. */
export async function readStates(
  folder: string,
  { states }: Manifest,
): Promise<readonly LoggedState[]> {
  const value = states === null ? [] : await valueIn(folder, states);
  if (!isList(value ?? null)) throw damaged(`its file ${states?.name} is damaged`);
  return value as unknown as readonly LoggedState[];
}

/** The observations in the journal, and their length in bytes. An incomplete line at the end does not count. */
export interface Journal {
  readonly observations: readonly Observation[];
  readonly length: number;
  /** The checksum of the last line; empty if there is none. */
  readonly last: string;
}

/** Reads the journal of a manifest. */
export async function readJournal(folder: string, { journal, begin }: Manifest): Promise<Journal> {
  const bytes = await readOwn(join(folder, journal)).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unreadable(journal, error);
    throw new MissingFile(journal);
  });
  const length = bytes.lastIndexOf(0x0a) + 1;
  const head = journalHead(begin);
  if (bytes.length === 0 && head !== '') throw damaged(`its file ${journal} is empty`);
  if (bytes.indexOf(head) !== 0)
    throw damaged(`its file ${journal} is damaged, or belongs to another store`);
  const lines = bytes.subarray(head.length, length).toString('utf8').split('\n').slice(0, -1);
  const before = new Set<string>();
  let last = checksumOf(head);
  let isChained = head !== '';
  const observations = lines.map((line, index) => {
    const read = journalLine(line);
    const at = head === '' ? index : index + 1;
    if (read === null) throw damaged(`line ${at + 1} of its file ${journal} is damaged`);
    const { observation, after } = read;
    // Two observations never have the same time, because the flows of a repeated observation would count twice. Exported logs
    // have no time.
    if (observation.span !== null && before.has(line))
      throw damaged(`line ${at + 1} of its file ${journal} repeats an earlier one`);
    before.add(line);
    // A line without the checksum of the previous line must be older than all lines with such a checksum.
    if (after === undefined ? isChained : after !== last)
      throw damaged(`lines are missing before line ${at + 1} of its file ${journal}`);
    isChained = after !== undefined;
    last = checksumOf(line);
    return observation;
  });
  return { observations, length, last };
}
