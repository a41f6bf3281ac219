// Refuses `lock: file` in the files of a change if it would bypass the lock or the bases that all machines share. The user who
// runs meshform may bypass them with --lock file.
import { isAhead } from '../apply/lock/accountRefs.ts';
import { baseRefsOf, fetchBases } from '../base/refName.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import { localBases } from '../read/git/localRefs.ts';
import { gitFault } from '../read/git/runGit.ts';
import { fetchRefs, isFault, type Remote, remoteRefs } from '../read/remote/remoteRefs.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { tellSilent } from './otherRemotes.ts';
import type { OwnRemote } from './remoteOfClone.ts';
import { Stop } from './stop.ts';
import {
  type AccountUse,
  refsOfWriters,
  type UnusedRemote,
  writersAt,
} from './writersElsewhere.ts';

/**
 * The time limit of each connection, in milliseconds. It is short because files with `lock: file` must also work where no remote
 * answers.
 */
const PATIENCE = 10_000;

/** Why a run with `lock: file` uses no remote. */
const FILE: UnusedRemote = {
  because: '`lock: file` in meshform.yaml',
  instead: 'remove `lock: file`',
};

/**
 * Throws a `Stop` if a remote of the clone has a lock or bases that a run would not see because of
 * `lock: file` in its files.
 */
export async function refuseUnseenLock(own: OwnRemote, use: AccountUse, io: Io): Promise<void> {
  for (const name of [own.name, ...own.others])
    await refuseAt({ objects: own.objects, name, patience: PATIENCE }, use, io);
}

// A command that writes is also refused because of bases that the clone lacks. A command that only
// reads a base reports missing bases itself.
async function refuseAt(remote: Remote, use: AccountUse, io: Io): Promise<void> {
  const bases = baseRefsOf(use.account);
  const isWriting = use.writesFor !== undefined;
  const there = await remoteRefs(remote, [`${bases}*`, ...refsOfWriters(use)]);
  if (isFault(there)) {
    if (isWriting) tellSilent({ silent: [{ name: remote.name, why: there.why }] }, io);
    return;
  }
  if (there.size === 0) return;
  const [first] = await writersAt({ remote, refs: there }, use, FILE, io);
  if (first !== undefined) throw first.stop;
  const { place } = remote.objects;
  const here = await localBases(place, use.account).catch((error: unknown) => {
    throw notRead(gitFault(error).why);
  });
  const recorded = [...there].filter(([ref]) => ref.startsWith(bases));
  if (isWriting && recorded.some(([ref]) => !here.has(ref))) throw beside(remote, 'bases');
  const others = recorded.filter(([ref, commit]) => here.has(ref) && here.get(ref) !== commit);
  if (others.length === 0) return;
  const fetched = await fetchRefs(remote, [`${bases}*`]);
  if (isFault(fetched)) throw notRead(fetched.why);
  for (const [ref, commit] of fetched) {
    const local = here.get(ref);
    const isKnown =
      local === undefined || local === commit || (await isAhead(place, local, commit));
    if (!isKnown) throw beside(remote, 'newer bases');
  }
}

const beside = ({ name }: Remote, what: string): Stop =>
  new Stop(
    EXIT.refused,
    `the remote ${quoted(name)} has ${what} of the account that this clone does not have; \`lock: file\` in meshform.yaml reads bases only here`,
    `remove \`lock: file\`, so that meshform reads the bases at the remote; or fetch them: ${fetchBases(shellWord(name))}`,
  );

const notRead = (why: string): Stop =>
  new Stop(
    EXIT.refused,
    `it is unknown whether the bases of the account are newer at the remote: ${why}`,
    'remove `lock: file` from meshform.yaml, so that meshform reads the bases at the remote',
  );
