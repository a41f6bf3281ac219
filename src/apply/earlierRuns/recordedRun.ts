// The journal of an apply during the run: its path, its first line and its last line.
import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { JournalEntry } from '../../model/journal.ts';
import { isSettled, type RunResult } from '../../model/outcome.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import { jsonLine } from '../../model/text/jsonText.ts';
import type { JsonObject } from '../../model/value.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { Pushed } from '../../read/remote/remoteRefs.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { JournalChain } from '../../report/run/journalChain.ts';
import {
  type JournalHead,
  journalClose,
  journalHead,
  journalResume,
} from '../../report/run/journalLines.ts';
import type { ApplyHost } from '../host.ts';
import { JournalFile, type JournalWriting } from '../journal/journalFile.ts';
import { isStateFolder } from '../journal/journalFolder.ts';
import { type NotedJournal, noteFile } from '../journal/notedFiles.ts';
import { sharedName } from '../journal/sharedJournals.ts';
import type { Locked } from '../lock/serverLock.ts';
import { isRefusal, type JournalRefusal } from '../refusal.ts';
import type { Applied } from '../request.ts';
import { type Journal, JournalLost, LOCK_GONE, NotShared } from '../run/journal.ts';
import type { FoundJournal } from './foundJournal.ts';

/** The journal that a run writes to. */
export interface JournalChoice {
  /** The path of a new journal; by default it is in the folder of journals. */
  readonly file?: string | undefined;
  /** The journal of the run that this run continues. */
  readonly continues?: FoundJournal | undefined;
  /**
   * Whether the journal is kept although the run sends nothing. It shows that the run supersedes an
   * earlier run.
   */
  readonly isKept?: boolean;
}

/** The journal from which the run can be resumed; empty if the run is complete. */
type LeftJournal = Pick<Applied, 'journal' | 'removedJournal' | 'isShortened' | 'sharedRun'>;

/** A run that is recorded. */
export interface RecordedRun {
  readonly journal: Journal;
  /**
   * Records how the run ended, unless the run was interrupted, and which base was recorded after
   * it. Resolves to the journal if actions remain, or to the journal that was removed during the
   * run.
   */
  readonly close: (result: RunResult, base: BaseCommit | undefined) => Promise<LeftJournal>;
  /** Closes the journal. */
  readonly release: () => Promise<void>;
}

/** The data that is recorded about a run before its first write. */
export interface Recording extends Omit<JournalHead, 'run' | 'account'> {
  readonly saved: SavedPlan;
  readonly lock: Locked;
}

/** Starts to record a run. Returns a refusal if this is impossible. */
export async function recordRun(
  { saved, lock, ...recording }: Recording,
  choice: JournalChoice,
  host: ApplyHost,
): Promise<RecordedRun | JournalRefusal> {
  const head: JournalHead = {
    ...recording,
    account: saved.plan.account ?? null,
    run: lock.account?.run ?? randomUUID(),
  };
  const chain =
    choice.continues?.chain ?? lock.started?.chain ?? new JournalChain(head, lock.signer);
  const file = await opened(lock, choice, host, linesOf(chain, lock, choice));
  if (isRefusal(file)) return file;
  try {
    await writeFirstLines(file, { saved, head, lock, choice });
  } catch (why) {
    // A file without its first line is removed, because it would still count as the journal of the
    // last apply.
    if (choice.continues === undefined && choice.file === undefined)
      await file.discard().catch(() => {});
    return unwritable(file.path, String(why), { lock, choice, host });
  }
  const { server } = head;
  return new RunInJournal(file, { chain, plan: saved.digest, server, lock, choice }, host);
}

// Signs the lines of a journal. A journal that an older version began without signatures stays
// unsigned, because half a chain of signatures proves nothing.
function linesOf(
  chain: JournalChain,
  { started }: Locked,
  { continues }: JournalChoice,
): (entry: object) => string {
  const isSigned = continues === undefined || continues.chain !== null;
  const next = (entry: object) => (isSigned ? chain.lineOf(entry) : jsonLine(entry));
  return started ? beginningWith(started.text, next) : next;
}

interface FirstLines {
  readonly saved: SavedPlan;
  readonly head: JournalHead;
  readonly lock: Locked;
  readonly choice: JournalChoice;
}

async function writeFirstLines(
  file: JournalFile,
  { saved, head, lock, choice: { continues } }: FirstLines,
): Promise<void> {
  const by = lock.account?.store?.by;
  await file.write(
    continues === undefined ? journalHead(saved, { ...head, by }) : journalResume(by),
  );
  if (continues?.isCopy) await file.write({ type: 'copied' });
}

/** A run whose journal has its first lines. */
interface BegunRun {
  readonly chain: JournalChain;
  /** The digest of the plan. */
  readonly plan: string;
  /** The address of the server. */
  readonly server: string;
  readonly lock: Locked;
  readonly choice: JournalChoice;
}

/** A run while it is recorded. */
class RunInJournal implements RecordedRun {
  readonly journal: Journal;
  readonly #file: JournalFile;
  readonly #begun: BegunRun;
  readonly #now: () => number;
  readonly #isNew: boolean;
  readonly #noteFirst: () => Promise<void>;
  readonly #shareFirst: () => Promise<void>;
  #isSent: boolean;
  /** The line that closes the run, as the remote has it. */
  #closing: JsonObject | undefined;

  constructor(file: JournalFile, begun: BegunRun, { now }: Pick<ApplyHost, 'now'>) {
    const { chain, server, lock, choice } = begun;
    this.#file = file;
    this.#begun = begun;
    this.#now = now;
    this.#isNew = choice.continues === undefined;
    this.#isSent = choice.isKept === true;
    this.#noteFirst = notedOnce({ path: file.path, run: chain.run, server }, begun, now);
    this.#shareFirst = sharedOnce(lock);
    this.journal = {
      isShared: lock.account?.store !== undefined,
      newest: lock.started?.newest,
      isHeld: () => lock.keep().catch(() => false),
      write: entry => this.#write(entry),
    };
    this.#share();
  }

  async close({ outcomes }: RunResult, base: BaseCommit | undefined): Promise<LeftJournal> {
    const isDone = outcomes.every(({ status }) => status === 'done');
    // If the base was recorded, the run counts as complete once all its actions are settled. The
    // base contains the values that the server does not store. A resumed run would send these
    // values again.
    const complete = isDone || (base !== undefined && outcomes.every(isSettled));
    const line = base === undefined ? journalClose(complete) : this.#closing;
    await this.#file.write(line ?? journalClose(complete, base)).catch(() => {});
    if (this.#isUnused()) return {};
    const loss = await this.#file.loss();
    if (loss === undefined) return complete ? {} : { journal: this.#file.path };
    const { chain, lock } = this.#begun;
    return {
      removedJournal: this.#file.path,
      ...(loss !== 'removed' && { isShortened: true }),
      ...(lock.account?.store && { sharedRun: chain.run }),
    };
  }

  // A run that sent nothing cannot be resumed, so its new journal is removed.
  release(): Promise<void> {
    const isOwn = this.#begun.choice.file === undefined;
    return this.#isUnused() && isOwn ? this.#file.discard() : this.#file.close();
  }

  /** Whether the run has sent nothing. If so, nobody needs its journal. */
  #isUnused(): boolean {
    return this.#isNew && !this.#isSent;
  }

  async #write(entry: JournalEntry): Promise<void> {
    const file = this.#file;
    if (entry.type !== 'send') return file.write(entry);
    this.#isSent = true;
    await file.write(entry).catch(async (why: unknown) => {
      throw (await file.loss()) === undefined ? why : new JournalLost(String(why));
    });
    await this.#noteFirst();
    await this.#shareFirst();
  }

  /** Gives the journal to the lock. The lock copies it to the remote. */
  #share(): void {
    const { chain, plan, lock } = this.#begun;
    const { store } = lock.account ?? {};
    const startedAt = new Date(this.#now()).toISOString();
    store?.keep({
      name: store.journals.nameOf(chain.run) ?? sharedName(startedAt, chain.run),
      plan,
      text: async () => (this.#isUnused() ? null : this.#file.text()),
      closed: async base => {
        if (this.#isUnused()) return null;
        const text = await this.#file.text();
        this.#closing = { at: new Date(this.#now()).toISOString(), ...journalClose(true, base) };
        return text + chain.copy().lineOf(this.#closing);
      },
    });
  }
}

// Before the first write, notes the path of a journal file that the user chose. Later commands of
// this machine then find the run without this path.
function notedOnce(
  journal: NotedJournal,
  { lock: { folder }, choice: { file } }: Pick<BegunRun, 'lock' | 'choice'>,
  now: () => number,
): () => Promise<void> {
  const isElsewhere = file !== undefined && dirname(journal.path) !== folder;
  let noted: Promise<void> | undefined;
  return async () => {
    if (isElsewhere) noted ??= noteFile(folder, journal, now());
    await noted;
  };
}

// Shares the journal before the first write, so that another machine can find the journal and the
// plan in it.
function sharedOnce({ started, account }: Locked): () => Promise<void> {
  let begun: Promise<Pushed> | undefined = started && Promise.resolve({ is: 'done' });
  return async () => {
    begun ??= account?.store?.begin();
    const pushed = await begun;
    if (pushed === undefined || pushed.is === 'done') return;
    if (pushed.is === 'moved') throw LOCK_GONE;
    throw new NotShared(pushed.why, pushed.hint);
  };
}

/**
 * Returns a function that makes the lines of a journal. The first lines were signed before the file
 * existed.
 */
function beginningWith(text: string, next: (entry: object) => string): (entry: object) => string {
  let first: string | undefined = text;
  return entry => {
    const line = first ?? next(entry);
    first = undefined;
    return line;
  };
}

async function opened(
  lock: Locked,
  choice: JournalChoice,
  host: ApplyHost,
  lineOf: JournalWriting['lineOf'],
): Promise<JournalFile | JournalRefusal> {
  const { file, continues } = choice;
  if (lock.failure !== undefined && file === undefined && continues === undefined)
    return lock.failure;
  const writing = { now: host.now, lineOf };
  try {
    if (continues !== undefined) return await JournalFile.continue(continues, writing);
    const place = file === undefined ? { folder: lock.folder } : { path: resolve(host.cwd, file) };
    return await JournalFile.create(place, writing);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    return unwritable(
      continues?.path ?? file ?? lock.folder,
      isThere ? 'the file exists, and meshform never overwrites a journal' : reasonOf(error),
      { lock, choice, host },
    );
  }
}

/** What determines the folder in which a journal is. */
interface JournalPlace {
  readonly lock: Locked;
  readonly choice: JournalChoice;
  readonly host: ApplyHost;
}

// The refusal for a folder of journals that cannot be written. If nobody chose the folder, the
// refusal is the same as at the start of a run.
function unwritable(
  path: string,
  why: string,
  { lock, choice, host }: JournalPlace,
): JournalRefusal {
  const { file, continues } = choice;
  const isOwn = continues === undefined || dirname(continues.path) === lock.folder;
  if (file === undefined && isOwn && isStateFolder(host))
    return { refused: 'no-journal-folder', path: lock.folder, why };
  return { refused: 'journal-unwritable', path, why };
}
