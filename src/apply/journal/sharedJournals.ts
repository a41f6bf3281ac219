// The journals of an account in a Git remote. They are in a single commit without history. It
// contains a file for each of the last runs, and the notes of the newest bases.
import type { BaseCommit } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { contentsOf } from '../../read/git/objectContents.ts';
import type { GitPlace } from '../../read/git/runGit.ts';
import { blobsIn, makeCommit, nameOfBlob } from '../../read/git/writeObjects.ts';
import type { RefMove } from '../../read/remote/remoteRefs.ts';
import { journalsToRemove, KEPT } from './oldJournals.ts';

/** The journal of a run, which the lock copies to the remote. */
export interface JournalCopy {
  /**
   * The name of the journal's file. It begins with the time of the run and contains the id of the
   * run.
   */
  readonly name: string;
  /** The digest of the plan, which the lock also contains. */
  readonly plan: string;
  /** The whole lines on the disk; null if the run has sent nothing. */
  readonly text: () => Promise<string | null>;
  /**
   * The text with the line that closes the run. The line is written to the disk only after the
   * remote has it.
   */
  readonly closed: (base: BaseCommit) => Promise<string | null>;
}

/** A journal at the remote. */
export interface SharedJournal {
  readonly name: string;
  readonly text: string;
}

/** A note at the remote. It is kept longer than journals. Every folder with a base has one. */
export type SharedNote = SharedJournal;

/** The names of notes. Other files beside the journals are not read. */
const NOTE = /^(?:base-[0-9a-f]{16}|server)\.json$/;

const NAME = /^\d{4}-[\dT.Z-]+_([0-9a-f-]{36})\.jsonl$/;

/** The name of the journal file of a run that began at `at`, a time in RFC 3339. */
export const sharedName = (at: string, run: string): string =>
  `${at.replaceAll(':', '-')}_${run}.jsonl`;

/** The id of the run in the name of a file; undefined if the file is not a journal. */
export const runIn = (name: string): string | undefined => NAME.exec(name)?.[1];

/** The journals as the remote has them, and the changes that this run makes to them. */
export class SharedJournals {
  readonly ref: string;
  readonly #place: GitPlace;
  readonly #now: () => number;
  readonly #onRestored: (() => void) | undefined;
  /** The commit that the remote has, and the files in it. */
  #commit: string | null;
  #atRemote: ReadonlyMap<string, string>;
  /**
   * The files at the remote, and files that somebody removed there. The next move restores the
   * removed files.
   */
  #blobs: ReadonlyMap<string, string>;
  #keepsRuns = false;
  readonly #changes = new Map<string, string | null>();
  #along: SharedNote | undefined;
  /** The texts of notes by their blobs. */
  readonly #notes = new Map<string, string>();
  #keepsHistory = false;
  #leftOut: string | undefined;
  #signer: Signer | undefined;

  private constructor(
    { place, ref, now, onRestored }: JournalsRef,
    commit: string | null,
    blobs: ReadonlyMap<string, string>,
  ) {
    this.ref = ref;
    this.#place = place;
    this.#now = now;
    this.#onRestored = onRestored;
    this.#commit = commit;
    this.#atRemote = blobs;
    this.#blobs = blobs;
  }

  /** Opens the journals of a commit that is in the clone; null means no journals. Rejects if git fails. */
  static async open(at: JournalsRef, commit: string | null): Promise<SharedJournals> {
    return new SharedJournals(
      at,
      commit,
      commit === null ? new Map() : await blobsIn(at.place, commit),
    );
  }

  /** The last known commit at the remote; null for none. */
  get commit(): string | null {
    return this.#commit;
  }

  /** Excludes a journal from `all` from now on, because it belongs to the current run. */
  leaveOut(name: string): void {
    this.#leftOut = name;
  }

  /**
   * Makes each later move remove older journals. Only a run with the keys can determine which
   * journals are no longer needed.
   */
  removeOldWith(signer: Signer): void {
    this.#signer = signer;
  }

  /** All journals at the remote, newest first. Rejects if git fails. */
  async all(): Promise<readonly SharedJournal[]> {
    return this.#textsOf(
      this.#names().filter(name => name !== this.#leftOut),
      this.#blobs,
    );
  }

  async #textsOf(
    names: readonly string[],
    blobs: ReadonlyMap<string, string>,
    // Not written yet.
    changes: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<readonly SharedJournal[]> {
    const stored = names.filter(name => !changes.has(name));
    const contents = await contentsOf(
      this.#place,
      stored.map(name => blobs.get(name) ?? ''),
    );
    const texts = new Map(stored.map((name, i) => [name, contents[i]?.toString('utf8')]));
    return names.flatMap(name => {
      const text = changes.get(name) ?? texts.get(name);
      return text ? [{ name, text }] : [];
    });
  }

  /** The name of the file of a run; undefined if the remote does not have the file. */
  nameOf(run: string): string | undefined {
    return this.#names().find(name => runIn(name) === run);
  }

  #names(): string[] {
    return [...this.#blobs.keys()]
      .filter(name => runIn(name) !== undefined)
      .sort((a, b) => compareTexts(b, a));
  }

  /** The text of a note; null if the remote has no note with this name. Rejects if git fails. */
  async note(name: string): Promise<string | null> {
    const blob = NOTE.test(name) ? this.#blobs.get(name) : undefined;
    if (blob === undefined) return null;
    if (!this.#notes.has(blob)) await this.#readNotes();
    return this.#notes.get(blob) ?? null;
  }

  // Reads all notes together. A run needs several, and starting git takes longer than reading all
  // of them.
  async #readNotes(): Promise<void> {
    const unread = [...this.#blobs].flatMap(([name, blob]) =>
      NOTE.test(name) && !this.#notes.has(blob) ? [blob] : [],
    );
    const contents = await contentsOf(this.#place, unread);
    for (const [i, blob] of unread.entries()) {
      const text = contents[i]?.toString('utf8');
      if (text !== undefined) this.#notes.set(blob, text);
    }
  }

  /** Changes a file with the next push; null removes it. */
  put(name: string, text: string | null): void {
    this.#changes.set(name, text);
  }

  /**
   * Adds a changed note to each push that has other changes. Without other changes, the note is not
   * worth a push. Other files are not affected.
   */
  putAlong(note: SharedNote): void {
    this.#along = note;
  }

  /** Drops the change of a file, so that the version at the remote stays. */
  takeBack(name: string): void {
    this.#changes.delete(name);
  }

  /**
   * From now on, keeps the journals of all runs as this run knows them, even if the remote has
   * different journals. While this run holds the lock of the account, nobody else should write or
   * remove journals. Others may still change notes.
   */
  keepRuns(): void {
    this.#keepsRuns = true;
  }

  /**
   * Bases the changes on another commit from now on. No run ever removes the ref, so if it is
   * missing, its files are restored. Returns whether that commit differs from the previous one.
   * Rejects if git fails.
   */
  async follow(commit: string | null): Promise<boolean> {
    if (commit === this.#commit) return false;
    this.#atRemote = commit === null ? new Map() : await blobsIn(this.#place, commit);
    const isKept = (name: string) =>
      this.#atRemote.size === 0 || (this.#keepsRuns && runIn(name) !== undefined);
    const kept = [...this.#blobs].filter(([name]) => isKept(name));
    this.#blobs = new Map([...this.#atRemote, ...kept]);
    this.#commit = commit;
    return true;
  }

  /**
   * Makes each later commit follow the previous commit, because the remote moves refs only forward.
   * Returns whether this changes the next commit.
   */
  keepHistory(): boolean {
    const isNew = !this.#keepsHistory && this.#commit !== null;
    this.#keepsHistory = true;
    return isNew;
  }

  /**
   * The move of the ref that carries out all changes; null if nothing has changed. Rejects if git
   * fails.
   */
  async move(): Promise<JournalsMove | null> {
    const blobs = new Map(this.#blobs);
    for (const [name, text] of this.#changes)
      if (text === null) blobs.delete(name);
      else blobs.set(name, await nameOfBlob(this.#place, text, [...this.#blobs.values()]));
    for (const name of await this.#tooOld(blobs)) blobs.delete(name);
    const isThere = ([name, blob]: readonly [string, string]) => this.#atRemote.get(name) === blob;
    if (blobs.size === this.#atRemote.size && [...blobs].every(isThere)) return null;
    const changes = new Map(this.#changes);
    if (this.#along !== undefined) {
      const { name, text } = this.#along;
      // A run that has written nothing removes its own journal and the note for it.
      blobs.delete(name);
      if (blobs.size > 0) {
        changes.set(name, text);
        blobs.set(name, await nameOfBlob(this.#place, text, [...this.#blobs.values()]));
      }
    }
    const isRestored = [...this.#blobs].some(one => blobs.has(one[0]) && !isThere(one));
    const { commit: to, objects } = await makeCommit(this.#place, {
      files: new Map([...blobs].map(([name, blob]) => [name, changes.get(name) ?? { blob }])),
      parents: this.#keepsHistory && this.#commit !== null ? [this.#commit] : [],
      at: this.#now(),
      message: 'The journals of the last applies',
    });
    return { ref: this.ref, from: this.#commit, to, objects, blobs, isRestored };
  }

  // The names of the runs that are too old to keep. Notes do not count as runs, so the newest base
  // of a folder stays known, however many runs of other folders follow.
  async #tooOld(blobs: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const runs = [...blobs.keys()].filter(name => runIn(name) !== undefined);
    if (this.#signer === undefined || runs.length <= KEPT) return [];
    return journalsToRemove(await this.#textsOf(runs.sort(compareTexts), blobs, this.#changes), {
      runOf: ({ name }) => runIn(name),
      signer: this.#signer,
    });
  }

  /** Records that the remote has carried out a move. */
  moved({ to, blobs, isRestored }: JournalsMove): void {
    this.#commit = to;
    this.#atRemote = blobs;
    this.#blobs = blobs;
    if (isRestored) this.#onRestored?.();
  }
}

/** The place of the journals. `now` is in milliseconds since 1970. */
export interface JournalsRef {
  readonly place: GitPlace;
  readonly ref: string;
  readonly now: () => number;
  /**
   * Called after this run has restored files that somebody removed at the remote after they were
   * read.
   */
  readonly onRestored?: (() => void) | undefined;
}

/** A move of the ref of journals, and the files that the commit contains after it. */
export interface JournalsMove extends RefMove {
  readonly to: string;
  readonly blobs: ReadonlyMap<string, string>;
  /** Whether the move restores files that somebody removed at the remote. */
  readonly isRestored: boolean;
}
