// The file of a journal: lines of JSON that are on the disk before anything goes on. What was written stays as it is.
import { type FileHandle, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { jsonLine } from '../model/jsonText.ts';
import { reasonOf } from './fileText.ts';

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
  const times = await Promise.all(paths.map(async path => (await stat(path)).mtimeMs));
  const written = new Map(paths.map((path, i) => [path, times[i] ?? 0]));
  return paths.sort((a, b) => (written.get(b) ?? 0) - (written.get(a) ?? 0));
}

/** What a journal holds, a line each. */
export async function readJournal(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

/** A journal that is written. */
export class JournalFile {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #now: () => number;
  #waiting: string[] = [];
  #writing: Promise<void> = Promise.resolve();

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

  /** Adds an entry. Resolves once it is on the disk; rejects with the reason, in words. Entries keep their order. */
  write(entry: object): Promise<void> {
    this.#waiting.push(jsonLine({ at: new Date(this.#now()).toISOString(), ...entry }));
    const written = this.#writing.then(() => this.#flush());
    this.#writing = written.catch(() => {});
    return written.catch((error: unknown) => {
      throw reasonOf(error);
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  // All that came together while the disk was busy goes there together.
  async #flush(): Promise<void> {
    const lines = this.#waiting;
    if (lines.length === 0) return;
    this.#waiting = [];
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
