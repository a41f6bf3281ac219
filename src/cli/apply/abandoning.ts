// `apply --abandon`: closes the journal of an apply that nobody will continue.
import { resolve } from 'node:path';
import type { FoundJournal } from '../../apply/earlierRuns/foundJournal.ts';
import { memberRemovingRun } from '../../apply/earlierRuns/memberRemovingRuns.ts';
import { missingMembers } from '../../apply/earlierRuns/missingMembers.ts';
import {
  isVerified,
  journalOfRun,
  type RemoteRun,
  remoteRuns,
  type VerifiedRun,
} from '../../apply/earlierRuns/remoteRuns.ts';
import { decidingFor, leftAddresses } from '../../apply/earlierRuns/runLeftovers.ts';
import { closedJournal } from '../../apply/earlierRuns/unfinished.ts';
import { journalsFor } from '../../apply/journal/journalFolder.ts';
import type { HeldAccountLock } from '../../apply/lock/accountLock.ts';
import type { JournalHost } from '../../apply/preconditions/openPlan.ts';
import { isRefusal } from '../../apply/refusal.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { runsNamed } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import {
  awaitsBase,
  closedBy,
  isFinished,
  leavesSomething,
} from '../../report/run/journalLines.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { withRunLock } from '../lock/runLock.ts';
import { machineOf } from '../machine.ts';
import { projectOrStop } from '../project.ts';
import { stopOf } from '../refusals/refusals.ts';
import { accountOf } from '../server/accountOf.ts';
import { type ConnectFlags, tokenOrStop, withConnection } from '../server/connect.ts';
import type { ServerUrl } from '../server/server.ts';
import { Stop } from '../stop.ts';
import { abandonLost, closeInBase } from './abandoningLost.ts';
import type { ApplyFlags } from './applyRequest.ts';
import { journalSigner, journalsNamed } from './chosenJournal.ts';
import { journalHost } from './journalHost.ts';
import { closeHere, keepHere, leftStays } from './keepingHere.ts';
import { refuseOtherFolder } from './runFolder.ts';

/**
 * The run, its files, and whether the objects that it left should stay. If they stay, plans no
 * longer report them.
 */
export interface Abandoning {
  readonly abandon: string;
  readonly path: string;
  readonly keepLeft: boolean;
}

/** Closes the journal of a run at the remote. Sends nothing to the account. Resolves to the exit code; throws a `Stop`. */
export async function abandonRun(
  kinds: KindTable,
  abandoning: Abandoning,
  given: ApplyFlags,
  io: Io,
): Promise<number> {
  const { path, keepLeft } = abandoning;
  const token = await tokenOrStop(given, io);
  const flags = { ...given, token };
  const host = journalHost(io, token);
  const signer = journalSigner(host, io);
  const project = projectOrStop(io, folderOf(resolve(io.cwd, path)));
  const accountBehind = () => accountOf(kinds, { flags, project }, io);
  return withRunLock({ path, project, accountBehind }, given, io, async ({ open }) => {
    const lock = await open();
    if (lock === undefined && keepLeft) return keepHere(abandoning, host, project, io);
    if (lock === undefined) {
      await refuseOnlyHere(abandoning, host);
      throw new Stop(
        EXIT.usage,
        'there are no shared journals: the lock of these applies is a file',
        'nothing continues a journal of this machine by itself: apply the files with `meshform apply`',
      );
    }
    const held = await lock.take();
    if (isRefusal(held)) throw stopOf(held, io);
    let sentences: readonly string[];
    try {
      sentences = await abandonAtRemote(held, abandoning, { kinds, flags, project, signer }, io);
    } finally {
      await held.release();
    }
    for (const sentence of sentences) say(io.stderr, sentence);
    return EXIT.done;
  });
}

interface AbandonAccess extends AccountAccess {
  readonly flags: ConnectFlags & { readonly token: string };
  readonly signer: Signer;
}

// Resolves to the text that is printed after the lock is released.
async function abandonAtRemote(
  held: HeldAccountLock,
  abandoning: Abandoning,
  access: AbandonAccess,
  io: Io,
): Promise<readonly string[]> {
  const { abandon, path, keepLeft } = abandoning;
  const { store } = held;
  const { signer } = access;
  const runs = store ? await remoteRuns(store.journals, signer) : [];
  const found = runsNamed(runs, abandon);
  if (store && found.length === 0 && (await abandonLost(abandon, { path, store, signer }, io))) {
    say(
      io.stderr,
      `The run ${quoted(abandon)} is no longer listed as unfinished: what it did stays.`,
    );
    return [];
  }
  if (found.length === 0) await refuseOnlyHere(abandoning, journalHost(io, access.flags.token));
  const run = oneVerified(found, abandon, io);
  refuseOtherFolder(run.read.plan, { verb: 'abandon', chosen: abandon, path }, io);
  const isOpen = !isFinished(run.text) || awaitsBase(run.text);
  if (!isOpen && !(keepLeft && leavesSomething(run.text))) {
    say(io.stderr, `the run ${run.run} has nothing left to do`);
    return [];
  }
  if (isOpen) await tellWhoIsOut(run, held, access, io);
  const own = await closeRun(run, held, { abandoning, access }, io);
  const unrecorded = store && isOpen ? await closeInBase(run, { path, store, signer }, io) : null;
  if (unrecorded !== null) say(io.stderr, notInBase(unrecorded));
  const did = isOpen ? doneBy(own) : '';
  return [
    ...(isOpen
      ? [`The run ${quoted(abandon)} is closed: what it did stays, and nobody continues it.`]
      : []),
    ...(keepLeft ? [leftStays(abandon)] : []),
    ...(did === '' ? [] : [did]),
  ];
}

// Refuses a run whose lock was a file. Such a run is not at the remote, and no later run continues
// it. So the only choice is to keep what it left.
async function refuseOnlyHere({ abandon, path }: Abandoning, host: JournalHost): Promise<void> {
  if ((await journalsNamed(abandon, path, host)).length !== 1) return;
  throw new Stop(
    EXIT.usage,
    `the journal of the run ${quoted(abandon)} is only on this machine, because its lock was a file`,
    `nothing continues it by itself; to keep what it left: \`meshform apply ${shellWord(path)} --abandon ${shellWord(abandon)} --keep-left --lock file\``,
  );
}

function oneVerified(found: readonly RemoteRun[], abandon: string, io: Io): VerifiedRun {
  const [run] = found;
  if (!run || found.length > 1) throw stopOf({ refused: 'no-run', run: abandon, found }, io);
  if (!isVerified(run)) throw stopOf({ refused: 'journal-unverified', file: run.run, line: 1 }, io);
  return run;
}

interface Closing {
  readonly abandoning: Abandoning;
  readonly access: AbandonAccess;
}

// Closes the journal at the remote and its copy on this machine. Resolves to the journal on this
// machine.
async function closeRun(
  run: VerifiedRun,
  { store }: HeldAccountLock,
  { abandoning: { path, keepLeft }, access }: Closing,
  io: Io,
): Promise<FoundJournal> {
  const { kinds, flags, signer } = access;
  const folder = await journalsFor(run.read.plan.folder, journalHost(io, flags.token));
  const own = await journalOfRun(run, folder, signer);
  const now = io.now();
  const host = { ...machineOf(io), ...(store && { shared: store.shared }) };
  const leaves = keepLeft
    ? []
    : leftAddresses(run.read, await decidingFor([run], { path, kinds, host }));
  const by = closedBy(run.text);
  const end = { by: by === undefined ? ('person' as const) : { run: by }, leaves };
  store?.journals.put(run.name, closedJournal(run, end, now));
  if (!own.isCopy) await closeHere(own, end, now);
  return own;
}

const notInBase = (why: string): string =>
  `note: the base does not say that the run is closed: ${why}; until an apply records one, an older journal that somebody restores would reopen the run`;

// Describes what the run did, according to its journal. No request is sent to the account, because
// the account may no longer exist.
function doneBy({ plan, entries, isCopy }: FoundJournal): string {
  const done = new Set(
    entries.flatMap(entry =>
      entry.type === 'answer' && entry.result === 'done' ? entry.action : [],
    ),
  );
  const actions = plan.actions.filter(({ id }) => done.has(id));
  const lists = (['create', 'update', 'delete'] as const).flatMap(verb => {
    const own = new Set(actions.flatMap(one => (one.verb === verb ? one.address : [])));
    return own.size > 0 ? [`${verb}d ${[...own].join(', ')}`] : [];
  });
  const more = isCopy ? '; its journal is a copy that may lack its last lines' : '';
  return lists.length > 0 ? `It ${lists.join('; ')}${more}` : '';
}

// Prints which members are still missing, because no later run checks an abandoned run.
async function tellWhoIsOut(
  { read, run, text }: VerifiedRun,
  lease: HeldAccountLock,
  { kinds, flags, project }: AccountAccess,
  io: Io,
): Promise<void> {
  const evicted = memberRemovingRun({ ...read, isCopy: true }, run, lease);
  if (evicted === undefined || awaitsBase(text)) return;
  const out = await withConnection(flags, project, io, connection =>
    missingMembers(evicted, { kinds, connection }),
  );
  for (const { outcome } of out)
    if ('fault' in outcome) say(io.stderr, `warning: ${outcome.fault.message}`);
  if (out.length > 0) say(io.stderr, ADD_THEM);
}

/** The data with which the account of a run is reached. */
interface AccountAccess {
  readonly kinds: KindTable;
  readonly flags: ConnectFlags;
  readonly project: ServerUrl;
}

const ADD_THEM =
  '  hint: no later apply adds them: add them in the account, see `meshform events audit`';
