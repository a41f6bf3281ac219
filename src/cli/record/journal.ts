// The journal of an apply while it runs: where it lies, its first line and its last.
import { relative, resolve } from 'node:path';
import type { Journal } from '../../apply/journal/journal.ts';
import { JournalFile } from '../../apply/journal/journalFile.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { pathText, quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { type JournalHead, journalHead } from '../../report/run/journalLines.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import type { Locked } from './lock.ts';

/** Which journal a run writes. */
export interface JournalChoice {
  /** A new one in this file; in the folder of journals where it is not given. */
  readonly file?: string | undefined;
  /** The one of the run that this one goes on with. */
  readonly continues?: string | undefined;
}

/** A run that is written down. */
export interface RecordedRun {
  readonly journal: Journal;
  /** Says how the run ended. Not for one that did not end by itself. */
  readonly close: (result: RunResult) => Promise<void>;
  /** Ends the writing. */
  readonly release: () => Promise<void>;
}

/** What is written down. */
export interface Recording extends JournalHead {
  readonly plan: Plan;
  readonly kinds: KindTable;
  readonly lock: Locked;
}

/** Begins to write down what a run does. Throws a `Stop` where that cannot be. */
export async function recordRun(
  { plan, kinds, lock, ...head }: Recording,
  choice: JournalChoice,
  io: Io,
): Promise<RecordedRun> {
  const file = await opened(lock, choice, io);
  const isNew = choice.continues === undefined;
  let isSent = false;
  await file
    .write(isNew ? journalHead(plan, kinds, head) : { type: 'resume' })
    .catch((why: unknown) => {
      throw notWritten(file.path, String(why));
    });
  return {
    journal: {
      isHeld: () => lock.keep().catch(() => false),
      write: entry => {
        isSent ||= entry.type === 'send';
        return file.write(entry);
      },
    },
    close: async ({ outcomes }) => {
      const complete = outcomes.every(({ status }) => status === 'done');
      await file.write({ type: 'close', complete }).catch(() => {});
      if (complete || (isNew && !isSent)) return;
      const name = relative(io.cwd, file.path);
      const resume = `\`apply --resume ${shellWord(name)}\``;
      say(io.stderr, `Journal: ${pathText(name)}. Continue with ${resume}.`);
    },
    // A run that sent nothing leaves nothing to resume.
    release: () => (isNew && !isSent && choice.file === undefined ? file.discard() : file.close()),
  };
}

async function opened(lock: Locked, choice: JournalChoice, io: Io): Promise<JournalFile> {
  const { file, continues } = choice;
  if (lock.failure !== undefined && file === undefined && continues === undefined)
    throw notWritten(lock.folder, lock.failure);
  try {
    if (continues !== undefined) return await JournalFile.continue(continues, io.now);
    const place = file === undefined ? { folder: lock.folder } : { path: resolve(io.cwd, file) };
    return await JournalFile.create(place, io.now);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw notWritten(
      continues ?? file ?? lock.folder,
      isThere ? 'the file exists, and meshform never overwrites a journal' : reasonOf(error),
    );
  }
}

function notWritten(path: string, why: string): Stop {
  const message = `no journal can be written at ${quoted(path)}: ${why}`;
  return new Stop(EXIT.usage, message, 'choose another file with --journal FILE');
}
