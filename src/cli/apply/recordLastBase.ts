// `base record`: records the base of the last apply of a folder, if the final push of that apply failed. Nothing is sent to the
// account.
import { resolve } from 'node:path';
import { closingCopy } from '../../apply/earlierRuns/closingCopy.ts';
import { type FoundJournal, lastJournal } from '../../apply/earlierRuns/foundJournal.ts';
import {
  continuedElsewhere,
  fullerCopy,
  isVerified,
  remoteRuns,
  undosIn,
} from '../../apply/earlierRuns/remoteRuns.ts';
import { stillUnfinished } from '../../apply/earlierRuns/unfinished.ts';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import type { SharedStore } from '../../apply/lock/accountLock.ts';
import { unwritableJournals } from '../../apply/lock/serverLock.ts';
import {
  type CompletedPlan,
  type RecordHost,
  recordApplied,
  recordedAlready,
} from '../../apply/recordedBase/record.ts';
import { unrecordableAgain } from '../../apply/recordedBase/recordLater.ts';
import { basesAtRemote, storeAtRemote } from '../../apply/recordedBase/storeAtRemote.ts';
import { isRefusal } from '../../apply/refusal.ts';
import { readKinds } from '../../kinds/registry.ts';
import { earlierRun } from '../../model/journal.ts';
import type { BaseCommit } from '../../model/recordedBase.ts';
import { shortRun } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { isFinishedBy } from '../../report/run/forgedEnd.ts';
import { folderOfBase } from '../base/ownBase.ts';
import { notRecorded, type RecordFlags, recordAgain, toldRecorded } from '../base/recording.ts';
import { EXIT } from '../exitCodes.ts';
import { refuseBaseOfFile } from '../files/baseOfFile.ts';
import { printFindings } from '../findings.ts';
import type { Io } from '../io.ts';
import { withRunLock } from '../lock/runLock.ts';
import { machineOf, signerOrStop } from '../machine.ts';
import { projectOrStop } from '../project.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';

/**
 * Records the base of the folder at `path`, by default the base of its last apply. Resolves to the exit code; throws a `Stop`.
 */
export async function recordBase(path: string, flags: RecordFlags, io: Io): Promise<number> {
  const { commit, asNewest = false } = flags;
  if (commit !== undefined) return recordAgain(path, commit, flags, io);
  if (!asNewest) return recordLast(path, io);
  throw new Stop(
    EXIT.usage,
    '`--as-newest` needs a base: --commit COMMIT',
    `see the base that is there now with \`meshform base show ${shellWord(path)}\``,
  );
}

// The base of the last apply is in its journal. While this command holds the lock, no other apply
// moves the base.
async function recordLast(path: string, io: Io): Promise<number> {
  refuseBaseOfFile(path, 'command', io);
  const signer = signerOrStop(io);
  const { account } = await folderOfBase(path, io);
  const project = await projectOrStop(io, folderOf(resolve(io.cwd, path)));
  const last = await lastJournal(path, { ...machineOf(io), signer });
  if (isRefusal(last)) {
    if (last.refused !== 'no-journal') throw stopOf(last, io);
    const unwritable = await unwritableJournals(path, machineOf(io));
    throw stopOf(unwritable ?? { ...last, toRecord: true }, io);
  }
  const files = { path, project, accountBehind: async () => account };
  return withRunLock(files, {}, io, async ({ open, remote, journals }) => {
    const shared = last.ended === 'complete' ? null : await journals();
    const journal = (shared && (await fullerCopy(last, shared, signer))) ?? last;
    refuseIncomplete(journal, path);
    const held = await (await open())?.take();
    if (held && isRefusal(held)) throw stopOf(held, io);
    try {
      const { ref, commit } = await recorded(path, { journal, signer, store: held?.store }, io);
      return toldRecorded(ref, commit, await remote(), io);
    } finally {
      await held?.release();
    }
  });
}

function refuseIncomplete({ ended, recordsBase }: FoundJournal, path: string): void {
  if (ended === 'complete' && recordsBase) return;
  throw new Stop(
    EXIT.refused,
    ended === 'complete'
      ? `the last apply of ${quoted(path)} does not record its base`
      : `the last apply of ${quoted(path)} is not complete`,
    ended === 'cut off' || ended === 'incomplete' ? resumeHint(path) : applyHint(path),
  );
}

interface Recording {
  readonly journal: FoundJournal;
  readonly signer: Signer;
  /** The bases and journals at the remote of the lock; undefined if the lock is a file. */
  readonly store: SharedStore | undefined;
}

async function recorded(path: string, recording: Recording, io: Io): Promise<BaseCommit> {
  const { journal, signer, store } = recording;
  // This command may run in another folder than the apply.
  const plan = { ...journal.plan, folder: path };
  const outcomes = [...earlierRun(journal.entries).done.values()];
  const completed = { plan, outcomes, kinds: readKinds() };
  const host = {
    ...machineOf(io),
    ...(store && { shared: store.shared }),
    now: io.now,
    tell: note => {
      if (note.note === 'findings') printFindings(note.findings, io);
    },
  } satisfies RecordHost;
  await refuseToRecord(path, completed, { ...recording, host }, io);
  const closing = await closingCopy(journal, { journals: store?.journals, now: io.now });
  if (closing.atRemote) store?.keep(closing.atRemote);
  const { recorded: base, failure } = await recordApplied(completed, {
    host,
    signer,
    ...(store && {
      journals: store.journals,
      store: (place, next) => storeAtRemote(place, next, store, signer),
      remote: basesAtRemote(store, signer),
      unfinished: () =>
        stillUnfinished({ folder: path, run: journal.chain?.run }, store.journals, {
          signer,
          host,
        }),
    }),
  });
  if (base === undefined) throw notRecorded(failure ?? 'git does not say why');
  await closing.closeHere(base);
  return base;
}

async function refuseToRecord(
  path: string,
  completed: CompletedPlan,
  { journal, signer, store, host }: Recording & { readonly host: RecordHost },
  io: Io,
): Promise<void> {
  const journals = store?.journals;
  const remote = store && basesAtRemote(store, signer);
  if (await recordedAlready(completed, { host, signer, remote }))
    throw new Stop(
      EXIT.refused,
      `the base of the last apply of ${quoted(path)} is recorded already`,
      `see it with \`meshform base show ${shellWord(path)}\``,
    );
  if (journals) await refuseUndone(path, { journal, journals, signer });
  const refusal = await unrecordableAgain(completed, { host, signer, journals });
  if (refusal?.refused === 'base' && refusal.because === 'other-base')
    throw new Stop(
      EXIT.refused,
      `the recorded base is not the base that the last apply of ${quoted(path)} was compared with: another apply has recorded a base since`,
      applyHint(path),
    );
  if (refusal) throw stopOf(refusal, io);
  const there = journals && (await continuedElsewhere(journals, journal));
  if (there === undefined) return;
  const run = journal.chain?.run ?? '';
  const { folder } = journal.plan;
  const isFinished = isFinishedBy(there.text, signer);
  throw stopOf({ refused: 'journal-elsewhere', run, folder, isFinished }, io);
}

async function refuseUndone(
  path: string,
  {
    journal,
    journals,
    signer,
  }: Pick<Recording, 'journal' | 'signer'> & { readonly journals: SharedJournals },
): Promise<void> {
  const run = journal.chain?.run ?? '';
  const runs = await remoteRuns(journals, signer);
  const complete = undosIn(runs).find(({ undoes }) => undoes === run)?.by;
  const begun = runs
    .filter(isVerified)
    .find(({ read }) => read.ended !== 'complete' && read.lines[0]?.undoes_run === run);
  const undo = complete ?? begun;
  if (undo === undefined) return;
  const message = `the last apply here, ${shortRun(run)}, was undone by ${shortRun(undo.run)}`;
  throw new Stop(EXIT.refused, message, applyHint(path));
}

const resumeHint = (path: string): string =>
  `continue it with \`meshform apply ${shellWord(path)} --resume\`, which also records the base of a complete apply; or ${applyHint(path)}`;

const applyHint = (path: string): string =>
  `apply the files with \`meshform apply ${shellWord(path)} --record-base\``;
