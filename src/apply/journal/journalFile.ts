// The file of a journal: lines of JSON in the order of their entries. Written lines never change.
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { usable, wholeTargetAt } from '../../read/files/writeTarget.ts';
import { type NotedJournal, notedIn } from './notedFiles.ts';
import { openedText, regularText } from './regularText.ts';

const ENDING = '.jsonl';

/**
 * The journals in a folder, and the journals that notes in the folder name, newest first. A journal
 * that no longer exists is left out.
 */
export async function journalsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const own = names.filter(name => name.endsWith(ENDING)).map(name => join(folder, name));
  const noted = (await notedIn(folder, names)).map(({ path }) => path);
  const paths = [...new Set([...own, ...noted])];
  const times = await Promise.all(paths.map(timeOf));
  const written = new Map(paths.map((path, i) => [path, times[i] ?? null]));
  return paths
    .filter(path => written.get(path) !== null)
    .sort((a, b) => (written.get(b) ?? 0) - (written.get(a) ?? 0) || compareTexts(b, a));
}

/** The noted journals of a folder that were removed since, with the time at which they were noted, newest first. */
export async function goneJournals(
  folder: string,
): Promise<readonly (NotedJournal & { readonly noted: number })[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const all = await Promise.all(
    (await notedIn(folder, names)).map(async ({ note, ...journal }) => {
      const isThere = (await timeOf(journal.path)) !== null;
      return isThere ? [] : [{ ...journal, noted: (await timeOf(note)) ?? 0 }];
    }),
  );
  return all.flat().sort((a, b) => b.noted - a.noted);
}

/**
 * The text of a journal. Only regular files are read: a device may never end, and a run cannot be
 * resumed from a pipe.
 */
export const readJournal = (path: string): Promise<string> => regularText(path);

/** The time of the last write to a regular file; null for anything else. */
export async function timeOf(path: string): Promise<number | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? stats.mtimeMs : null;
}

/** The function that turns entries into lines. */
export interface JournalWriting {
  readonly now: () => number;
  /** The line of an entry, with a line feed at its end. It is called once for each entry, in the order of the entries. */
  readonly lineOf: (entry: object) => string;
}

/** What somebody did to the file of a journal during its run. */
export type JournalLoss = 'removed' | 'emptied or shortened';

/** A journal that is open for writing. */
export class JournalFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #writing: JournalWriting;
  /** The text that was written. It is on the disk, unless somebody has changed the file. */
  #kept = '';
  #bytes = 0;
  #isLost = false;
  #waiting: string[] = [];
  #written: Promise<void> = Promise.resolve();
  /**
   * The whole text once the journal is closed. The push that releases the lock needs it afterwards.
   */
  #ended: string | undefined;
  /** The append that writes all waiting entries. */
  #next: Promise<void> | undefined;
  /** The reads of the file that are in progress. The file is closed after they have ended. */
  readonly #readings = new Set<Promise<string>>();

  private constructor(path: string, file: FileHandle, writing: JournalWriting, kept = '') {
    this.path = path;
    this.#file = file;
    this.#writing = writing;
    this.#keep(kept);
  }

  /**
   * Creates a journal. In a `folder`, the time is the name of the journal. Rejects if the journal
   * cannot be created.
   */
  static async create(
    place: { readonly folder: string } | { readonly path: string },
    writing: JournalWriting,
  ): Promise<JournalFile> {
    if ('path' in place) {
      usable(wholeTargetAt(place.path));
      return new JournalFile(place.path, await created(place.path), writing);
    }
    const time = new Date(writing.now()).toISOString().replaceAll(':', '-');
    for (let number = 1; ; number++) {
      const path = join(place.folder, `${time}${number === 1 ? '' : `-${number}`}${ENDING}`);
      const file = await created(path).catch(ifThere);
      if (file) return new JournalFile(path, file, writing);
    }
  }

  /**
   * Continues a journal that was read as `text`. If a killed run left an incomplete last line, that
   * line is kept as a separate line. Rejects if the file has changed since.
   */
  static async continue(
    { path, text }: { readonly path: string; readonly text: string },
    writing: JournalWriting,
  ): Promise<JournalFile> {
    if ((await readJournal(path)) !== text) throw new Error('it has changed since it was read');
    const journal = new JournalFile(path, await open(path, 'a+'), writing, text);
    if (text !== '' && !text.endsWith('\n')) journal.#waiting.push('\n');
    return journal;
  }

  /**
   * Adds an entry. Resolves once the entry is on the disk; rejects with the reason as a string.
   * Entries keep their order. After a failed append, every later entry is refused, because the file
   * may end with half a line.
   */
  write(entry: object): Promise<void> {
    const { now, lineOf } = this.#writing;
    this.#waiting.push(lineOf({ at: new Date(now()).toISOString(), ...entry }));
    this.#next ??= this.#appendAfter(this.#written);
    return this.#next;
  }

  /**
   * The text up to its last whole line, once every entry so far is written. It is complete even if
   * somebody has removed or emptied the file since. Rejects if the text cannot be read.
   */
  async text(): Promise<string> {
    await this.#next?.catch(() => {});
    await this.#written.catch(() => {});
    const text = this.#ended ?? (await this.#wholeText());
    return text.slice(0, text.lastIndexOf('\n') + 1);
  }

  async close(): Promise<void> {
    await this.#written.catch(() => {});
    // Somebody may have removed the file, or may remove it now.
    this.#ended = await this.#wholeText();
    // A renewal of the lock may still be reading the file.
    await Promise.allSettled(this.#readings);
    await this.#file.close();
  }

  // The whole text, from memory or from the file. After a failed append, the file may have more
  // lines than memory. But the lines of a file that somebody changed must not be used, because the
  // copy at the remote may only become longer.
  async #wholeText(): Promise<string> {
    const reading = openedText(this.#file);
    this.#readings.add(reading);
    const text = await reading.finally(() => this.#readings.delete(reading));
    return text.startsWith(this.#kept) ? text : this.#kept;
  }

  /** Closes the journal and removes its file, because the run sent nothing. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  // All entries that arrive while the disk is busy are appended together, and fail together.
  #appendAfter(earlier: Promise<void>): Promise<void> {
    const taken = (): string => {
      const text = this.#waiting.join('');
      this.#waiting = [];
      this.#next = undefined;
      return text;
    };
    const append = earlier.then(
      () =>
        this.#append(taken()).catch((error: unknown) => {
          throw reasonOf(error);
        }),
      (why: unknown) => {
        if (this.#isLost) this.#keep(taken());
        throw why;
      },
    );
    this.#written = append;
    // Each writer handles its own rejection; this avoids an unhandled rejection of the chain.
    append.catch(() => {});
    return append;
  }

  // Lines that cannot reach a lost file are kept for the copy at the remote, because its signatures
  // must continue without a gap.
  async #append(text: string): Promise<void> {
    this.#isLost = (await this.loss()) !== undefined;
    if (!this.#isLost) {
      await this.#file.appendFile(text);
      await this.#file.datasync();
    }
    this.#keep(text);
    const loss = await this.loss();
    if (loss === undefined) return;
    this.#isLost = true;
    throw new Error(`it was ${loss} during the run`);
  }

  #keep(text: string): void {
    this.#kept += text;
    this.#bytes += Buffer.byteLength(text);
  }

  /**
   * How the file lost lines through somebody else: a removed file loses all later writes, and a
   * shortened file lacks earlier lines.
   */
  async loss(): Promise<JournalLoss | undefined> {
    const { nlink, size } = await this.#file.stat();
    if (nlink === 0) return 'removed';
    return size < this.#bytes ? 'emptied or shortened' : undefined;
  }
}

async function created(path: string): Promise<FileHandle> {
  const file = await open(path, 'ax+', 0o600);
  // After a crash, a new file exists only if its folder was synced too.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return file;
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
}
