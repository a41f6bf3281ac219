// The file of a journal: lines of JSON that are on the disk before anything goes on. What was written stays as it is.
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonLine } from '../../model/text/jsonText.ts';
import { reasonOf, specialFile } from '../../read/files/fileText.ts';

const ENDING = '.jsonl';

/** Makes a folder of journals and locks that git does not see. */
export async function makeJournalFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ifThere);
}

/** The journals in such a folder, the one that was written last before all others. */
export async function journalsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const paths = names.filter(name => name.endsWith(ENDING)).map(name => join(folder, name));
  const times = await Promise.all(paths.map(timeOf));
  const written = new Map(paths.map((path, i) => [path, times[i] ?? null]));
  return paths
    .filter(path => written.get(path) !== null)
    .sort((a, b) => (written.get(b) ?? 0) - (written.get(a) ?? 0));
}

/** What a journal holds, a line each. */
export async function readJournal(path: string): Promise<string> {
  // A device may have no end, and a pipe would not be there to be gone on with.
  const special = specialFile(await stat(path));
  if (special !== null) throw new Error(special);
  return readFile(path, 'utf8');
}

/** When a file was written last; null for anything but a regular file. */
async function timeOf(path: string): Promise<number | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? stats.mtimeMs : null;
}

/** A journal that is written. */
export class JournalFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #now: () => number;
  #waiting: string[] = [];
  #written: Promise<void> = Promise.resolve();
  /** The append that takes everything that waits. */
  #next: Promise<void> | undefined;

  private constructor(path: string, file: FileHandle, now: () => number) {
    this.path = path;
    this.#file = file;
    this.#now = now;
  }

  /** Makes a new one, called after the time where it lies in a `folder`. Rejects where it cannot be made. */
  static async create(
    place: { readonly folder: string } | { readonly path: string },
    now: () => number,
  ): Promise<JournalFile> {
    if ('path' in place) return new JournalFile(place.path, await created(place.path), now);
    const time = new Date(now()).toISOString().replaceAll(':', '-');
    for (let number = 1; ; number++) {
      const path = join(place.folder, `${time}${number === 1 ? '' : `-${number}`}${ENDING}`);
      const file = await created(path).catch(ifThere);
      if (file) return new JournalFile(path, file, now);
    }
  }

  /** Goes on with one. What a killed run left of a line stays, on a line of its own. */
  static async continue(path: string, now: () => number): Promise<JournalFile> {
    const text = await readFile(path, 'utf8');
    const journal = new JournalFile(path, await open(path, 'a'), now);
    if (text !== '' && !text.endsWith('\n')) journal.#waiting.push('\n');
    return journal;
  }

  /**
   * Adds an entry. Resolves once it is on the disk; rejects with the reason, in words. Entries keep their order. Once an
   * append has failed, the file may end in half a line, and every later entry is refused.
   */
  write(entry: object): Promise<void> {
    this.#waiting.push(jsonLine({ at: new Date(this.#now()).toISOString(), ...entry }));
    this.#next ??= this.#appendAfter(this.#written);
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#written.catch(() => {});
    await this.#file.close();
  }

  /** Ends the journal and removes its file: nothing happened that it could tell of. */
  async discard(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
  }

  // All entries that arrive while the disk is busy are appended together, and fail together.
  #appendAfter(earlier: Promise<void>): Promise<void> {
    const append = earlier.then(async () => {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#next = undefined;
      await this.#append(lines).catch((error: unknown) => {
        throw reasonOf(error);
      });
    });
    this.#written = append;
    // Each writer handles its own rejection; the chain itself must not count as unhandled.
    append.catch(() => {});
    return append;
  }

  async #append(lines: readonly string[]): Promise<void> {
    await this.#file.appendFile(lines.join(''));
    await this.#file.datasync();
  }
}

async function created(path: string): Promise<FileHandle> {
  const file = await open(path, 'ax', 0o600);
  // A new file is there after a crash only once its folder is written too.
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return file;
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
}
