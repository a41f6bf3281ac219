// The files of a change choose the remote that has the bases. The guards of the last apply hold only where its base is, so a remote
// without it is not taken while another remote of the clone has it.
import { isAhead } from '../apply/lock/gitAccountLock.ts';
import { baseRefsOf, fetchBases, pushBases } from '../base/refName.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import {
  fetchRefs,
  isFault,
  type RefCommits,
  type Remote,
  remoteRefs,
} from '../read/remote/remoteRefs.ts';
import { EXIT } from './exitCodes.ts';
import type { OwnRemote } from './remoteOfClone.ts';
import { Stop } from './stop.ts';

/** The time limit of a connection to another remote, in milliseconds: nothing is known of one that does not answer. */
const PATIENCE = 10_000;

/** Throws a `Stop` if another remote of the clone has bases of an account that this one lacks. */
export async function refuseElsewhere(remote: OwnRemote, account: string): Promise<void> {
  const { others, isChosen } = remote;
  if (others.length === 0) return;
  const refs = [`${baseRefsOf(account)}*`];
  const here = await remoteRefs(remote, refs);
  // Whoever uses the remote says that it cannot be read.
  if (isFault(here)) return;
  // A mirror of the remote that is used without being chosen has the same or older ones.
  if (here.size > 0 && !isChosen) return;
  if (here.size > 0 && isFault(await fetchRefs(remote, refs))) return;
  for (const name of others) {
    const other: Remote = { objects: remote.objects, name, patience: PATIENCE };
    const there = await (here.size > 0 ? fetchRefs : remoteRefs)(other, refs);
    if (isFault(there) || there.size === 0) continue;
    if (here.size === 0) throw elsewhere(remote, name, 'bases');
    if (await isNewer(other, there, here)) throw elsewhere(remote, name, 'newer bases');
  }
}

async function isNewer(
  { objects: { place } }: Remote,
  there: RefCommits,
  here: RefCommits,
): Promise<boolean> {
  for (const [ref, commit] of there) {
    const own = here.get(ref);
    if (own !== commit && own !== undefined && (await isAhead(place, commit, own))) return true;
  }
  return false;
}

const elsewhere = ({ name, isChosen }: OwnRemote, other: string, what: string): Stop =>
  new Stop(
    EXIT.refused,
    `the remote ${quoted(other)} has ${what} of the account that ${quoted(name)}, ${isChosen ? 'which `lock_remote` in meshform.yaml names' : 'where they are looked for'}, does not have`,
    `name ${quoted(other)} as \`lock_remote\` in meshform.yaml; or move the bases: ${fetchBases(shellWord(other))} and then ${pushBases(shellWord(name))}`,
  );
