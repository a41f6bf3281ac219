// Checks for unfinished applies before the base of a folder is adopted or forgotten. Only that
// folder finds what its applies left, so nothing would delete it afterwards.
import { resolve } from 'node:path';
import { lostRuns } from '../../apply/earlierRuns/lostRuns.ts';
import {
  isVerified,
  type RemoteRun,
  runsToClose,
  unfinishedRuns,
  type VerifiedRun,
} from '../../apply/earlierRuns/remoteRuns.ts';
import { unfinishedOfMachine } from '../../apply/earlierRuns/unfinishedHere.ts';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { baseRef } from '../../base/refName.ts';
import { shortRun } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { gitFault } from '../../read/git/runGit.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import { serverIn } from '../../report/run/journalLines.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { machineOf } from '../machine.ts';
import { otherAddresses } from '../server/server.ts';
import { Stop } from '../stop.ts';
import type { BaseStore } from './baseStore.ts';

/** A base whose folder no longer exists, and the planned change of the base. */
interface BaseUse {
  readonly path: string;
  readonly signer: Signer;
  readonly io: Io;
  /** Whether the folder at `path` adopts the base, or the user forgets it. */
  readonly use: 'adopt' | 'forget';
}

/**
 * Throws a `Stop` if an unfinished apply belongs to the base that is adopted by the folder at
 * `path` or forgotten. Checks the journals at the remote and on this machine, and prints what it
 * cannot check.
 */
export async function refuseUnfinished(
  former: StoredBase,
  folder: BaseStore,
  taking: BaseUse,
): Promise<void> {
  const { journals } = folder;
  const { signer, io } = taking;
  const shared = journals === undefined ? undefined : await runsOrStop(journals);
  if (shared && taking.use === 'forget') await refuseLost(former, folder, shared, taking);
  if (former.base.folder === folder.folder) return;
  const open = shared ? await runsOrStop(async () => unfinishedRuns(shared, signer)) : [];
  const own = shared ? await runsOrStop(async () => runsToClose(shared, signer)) : [];
  const here = await unfinishedOfMachine(signer, machineOf(io));
  const left = here.filter(
    ({ run, text }) => isOfServer(text, io) && (run === '' || shared?.nameOf(run) === undefined),
  );
  const verified = [...own, ...left.filter(isVerified)];
  const unverified = [...open, ...left].filter(run => !isVerified(run));
  refuse(
    verified.filter(run => isOfBase(run, former, folder, io)),
    { former, folder, taking, isShared: run => own.includes(run) },
  );
  for (const run of unverified) say(io.stderr, `note: ${unverifiedText(run)}`);
  if (shared === undefined) say(io.stderr, `note: ${UNSEEN}`);
}

// Whether a journal is for the server in use. A machine stores the journals of all servers.
function isOfServer(text: string, { env }: Pick<Io, 'env'>): boolean {
  const server = serverIn(text);
  const url = env.MESHFORM_URL;
  return !server || !url || otherAddresses(server, { url }).length === 0;
}

const UNSEEN =
  'whether an apply of another machine is unfinished was not checked, because the journals are not in a Git remote';

function unverifiedText({ run, name }: RemoteRun): string {
  const which = run === '' ? `journal ${quoted(name)}` : `apply ${quoted(shortRun(run))}`;
  return `the unfinished ${which} is not signed with a key of this run, so it is unknown whether it belongs to the former folder. If it does, what it created would stay in the account: add the key that signed it to MESHFORM_SIGNING_KEY, after a comma, and run this again`;
}

interface Refusing {
  readonly former: StoredBase;
  readonly folder: BaseStore;
  readonly taking: BaseUse;
  /** Whether the journal of a run is at the remote. */
  readonly isShared: (run: VerifiedRun) => boolean;
}

function refuse(
  [run, ...more]: readonly VerifiedRun[],
  { former, folder, taking: { path, use }, isShared }: Refusing,
): void {
  if (run === undefined) return;
  const short = shortRun(run.run);
  const began = nameText(String(run.read.lines[0]?.at));
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  // The file of a journal is its name on this machine.
  const which = isShared(run) ? short : run.name;
  const way = (flag: string) => `\`meshform apply ${shellWord(path)} ${flag} ${shellWord(which)}\``;
  const keep = isShared(run)
    ? `keep what it created with ${way('--abandon')}`
    : 'remove that file to keep what it created';
  const owner = quoted(former.base.folder);
  const loss =
    use === 'adopt'
      ? `${quoted(folder.folder)} would leave it in the account`
      : 'no base would name it';
  const then = use === 'adopt' ? 'take the base over' : 'forget the base';
  throw new Stop(
    EXIT.refused,
    `the apply ${short} of ${began} is unfinished${others}: what it created belongs to ${owner}, and ${loss}`,
    `finish it with ${way('--resume')}, take it back with ${way('--undo')}, or ${keep}; then ${then}`,
  );
}

// Refuses a base with applies whose journals are lost. An adopted base keeps the names of these
// applies, but a forgotten base would lose them.
async function refuseLost(
  { ref }: StoredBase,
  { place }: BaseStore,
  journals: SharedJournals,
  { path, signer, io }: BaseUse,
): Promise<void> {
  const asking = { path, host: { ...machineOf(io), shared: place.host.shared } };
  const lost = await runsOrStop(async () => lostRuns(journals, signer, asking));
  const [first] = lost.filter(({ named }) => named.ref === ref);
  if (first === undefined) return;
  const short = shortRun(first.run);
  throw new Stop(
    EXIT.refused,
    `the apply ${short} was unfinished when this base was recorded, and its journal is gone: only this base says that it may have left something in the account`,
    `look at the account, then run \`meshform apply ${shellWord(path)} --abandon ${short}\`; then forget the base`,
  );
}

async function runsOrStop<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    const { why, hint } = gitFault(error);
    throw new Stop(
      EXIT.invalid,
      `it is unknown whether an apply is unfinished: ${why}`,
      hint ?? 'repair the repository, or clone it again',
    );
  }
}

// Whether a plan belongs to the base. If a run records no base, its plan contains only the path
// that the user typed.
function isOfBase(
  { read: { plan } }: VerifiedRun,
  { base, ref }: StoredBase,
  { account, place }: BaseStore,
  { cwd }: Pick<Io, 'cwd'>,
): boolean {
  // This machine also has journals of other accounts.
  if (plan.account !== undefined && plan.account !== account) return false;
  const content = plan.base?.content;
  if (content !== undefined)
    return content.folder === base.folder || baseRef(account, content) === ref;
  const root = repositoryOf(place.folder)?.root ?? place.folder;
  return resolve(cwd, plan.folder) === resolve(root, base.folder);
}
