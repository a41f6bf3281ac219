// The journal of an apply while it runs: where it lies, its first line and its last, and the lock that goes with it.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Journal } from '../../execute/journal.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { RunResult } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan.ts';
import { shellWord } from '../../model/shellWord.ts';
import { nameText, quoted } from '../../model/visible.ts';
import { reasonOf } from '../../read/fileText.ts';
import { JournalFile, makeJournalFolder } from '../../read/journalFile.ts';
import { findUpwards, folderOf } from '../../read/project.ts';
import { journalHead } from '../../report/journalLines.ts';
import { PROJECT_FILE } from '../../source/project.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { Stop } from '../stop.ts';
import { lockFor } from './lock.ts';

/** Which journal a run writes. */
export interface JournalChoice {
  /** A new one in this file; in the folder of journals where it is not given. */
  readonly file?: string | undefined;
  /** The one of the run that this one goes on with. */
  readonly continues?: string | undefined;
  /** The one of the run that this one takes back. */
  readonly undoes?: string | undefined;
}

/** A run that is locked and written down. */
export interface RecordedRun {
  readonly journal: Journal;
  /** Says how the run ended. Not for one that did not end by itself. */
  readonly close: (result: RunResult) => Promise<void>;
  /** Gives back what is held. */
  readonly release: () => Promise<void>;
}

/** Begins to write down what a run does. Throws a `Stop` where that cannot be, or another run is under way. */
export async function recordRun(
  plan: Plan,
  kinds: KindTable,
  { url, ...choice }: JournalChoice & { readonly url: string },
  io: Io,
): Promise<RecordedRun> {
  const folder = await folderFor(plan, choice, io);
  const lock = await lockFor(plan, { url, folder }, io);
  try {
    const file = await opened(folder, choice, io);
    const head =
      choice.continues === undefined ? journalHead(plan, kinds, choice.undoes) : { type: 'resume' };
    await file.write(head).catch((why: unknown) => {
      throw notWritten(file.path, String(why));
    });
    return {
      journal: {
        write: entry => {
          void lock.renew().catch(() => {});
          return file.write(entry);
        },
      },
      close: async ({ outcomes }) => {
        const complete = outcomes.every(({ status }) => status === 'done');
        await file.write({ type: 'close', complete }).catch(() => {});
        if (complete) return;
        const name = relative(io.cwd, file.path);
        const resume = `\`apply --resume ${shellWord(name)}\``;
        say(io.stderr, `what was done stands in ${nameText(name)}: ${resume} goes on`);
      },
      release: async () => {
        await file.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Where the journals of desired state in `folder` lie: beside its project file or the files themselves; under
 * MESHFORM_JOURNALS, where that is set, in a folder of its own.
 */
export async function journalsFor(folder: string, { cwd, env }: Io): Promise<string> {
  const files = resolve(cwd, folder);
  // A saved plan may be carried out where its files are not.
  const near = existsSync(files) ? folderOf(files) : cwd;
  const project = await findUpwards(near, PROJECT_FILE);
  const home = project ? dirname(project.file) : near;
  const { MESHFORM_JOURNALS: all = '' } = env;
  if (all === '') return join(home, '.meshform', 'journal');
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return join(resolve(cwd, all), `${basename(home)}-${digest}`);
}

async function folderFor(plan: Plan, { file }: JournalChoice, io: Io): Promise<string> {
  const folder = await journalsFor(plan.folder, io);
  try {
    await makeJournalFolder(folder);
    return folder;
  } catch (error) {
    // Where nothing can be written beside the files, the lock is at least beside the journal.
    if (file !== undefined) return dirname(resolve(io.cwd, file));
    throw notWritten(folder, reasonOf(error));
  }
}

async function opened(folder: string, choice: JournalChoice, io: Io): Promise<JournalFile> {
  const { file, continues } = choice;
  try {
    if (continues !== undefined) return await JournalFile.continue(continues, io.now);
    const place = file === undefined ? { folder } : { path: resolve(io.cwd, file) };
    return await JournalFile.create(place, io.now);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw notWritten(
      continues ?? file ?? folder,
      isThere ? 'it is there, and a journal is never written over' : reasonOf(error),
    );
  }
}

function notWritten(path: string, why: string): Stop {
  const message = `no journal can be written at ${quoted(path)}: ${why}`;
  return new Stop(EXIT.usage, message, 'give another place with --journal FILE');
}
