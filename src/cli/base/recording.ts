// `base record --commit`: records a former base of a folder again.
import { newestFirst, noteOf } from '../../apply/recordedBase/newest.ts';
import { signedBase } from '../../apply/recordedBase/record.ts';
import { baseRef } from '../../base/refName.ts';
import { readKinds } from '../../kinds/registry.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { nameOfBase } from '../../read/git/baseChain.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import { baseText } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { machineOf, signerOrStop } from '../machine.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';
import { type BaseStore, newestOf, withBaseStore } from './baseStore.ts';
import { type BaseQuestion, confirmOrStop } from './confirming.ts';
import { baseAt, noteNewest, refuseOlder, shownBase } from './ownBase.ts';

/** The flags of `base record`. */
export interface RecordFlags {
  /** The commit of a former base; by default, the base of the last apply is recorded. */
  readonly commit?: string;
  /** Whether the content of that base is recorded as a new base that follows the newest base. */
  readonly asNewest?: boolean;
  readonly yes?: boolean;
}

/** Records a base of the folder at `path` again. Resolves to the exit code; throws a `Stop`. */
export async function recordAgain(
  path: string,
  commit: string,
  { asNewest = false, yes = false }: Pick<RecordFlags, 'asNewest' | 'yes'>,
  io: Io,
): Promise<number> {
  const signer = signerOrStop(io);
  return withBaseStore(path, io, async store => {
    const recording = { store, signer };
    const stored = await ownCommitOrStop(commit, recording, io);
    if (!asNewest) return recordCommit(path, stored, recording, io);
    io.stdout.write(baseText(shownBase(stored, signer), readKinds()));
    await confirmOrStop(AS_NEWEST, yes, io);
    return recordAsNewest(path, stored, recording, io);
  });
}

interface Recording {
  readonly store: BaseStore;
  readonly signer: Signer;
}

/**
 * The base of the folder at a commit. Throws a `Stop` for the base of another folder, and for a base without a valid signature.
 */
async function ownCommitOrStop(
  commit: string,
  { store, signer }: Recording,
  io: Io,
): Promise<StoredBase> {
  const { place, ref, account, folder } = store;
  const stored = await baseAt(place, commit);
  if (stored === null || baseRef(stored.base.account, stored.base) !== ref)
    throw new Stop(
      EXIT.invalid,
      stored === null
        ? `this clone has no commit ${quoted(commit)}`
        : `${quoted(commit)} is the base of ${quoted(stored.base.folder)} of the account ${stored.base.account}, not of ${quoted(folder)} of ${account}`,
      `see the base that is recorded with \`meshform base show ${shellWord(folder)}\``,
    );
  if (signer.isSigned('base', stored.text, stored.signature)) return stored;
  throw stopOf({ refused: 'base-unverified', commit: stored.commit, because: 'not-signed' }, io);
}

async function recordCommit(
  path: string,
  stored: StoredBase,
  { store, signer }: Recording,
  io: Io,
): Promise<number> {
  const { place, ref } = store;
  await refuseOlder(path, { ...stored, ref }, { ...store, signer }, io);
  const now = await baseAt(place, ref);
  const newest = { base: newestOf({ ...stored, ref }) };
  const move = { ref, from: now?.commit ?? null, to: stored.commit };
  const why = await store.move(move, noteOf(newest, signer));
  if (why) throw notRecorded(why.why);
  await noteNewest(path, newest, signer, io);
  return toldRecorded(ref, stored.commit, store.remote, io);
}

// Records a new base with this content. The new base follows the newest base, so machines that have
// noted the newest base accept it.
async function recordAsNewest(
  path: string,
  stored: StoredBase,
  { store, signer }: Recording,
  io: Io,
): Promise<number> {
  const { place, ref, journals } = store;
  const known = { host: machineOf(io), signer, journals: await journals?.() };
  const [newest] = await newestFirst({ folder: path, ref }, known);
  const { commit, digest } = newest?.base ?? nameOfBase(stored);
  const recordedAt = new Date(io.now()).toISOString();
  const document = signedBase({ ...stored.base, before: { commit, digest }, recordedAt }, signer);
  const now = await baseAt(place, ref);
  const parents = [stored.base.revision, stored.commit];
  const recorded = await store.record(
    { ref, recordedAt: io.now(), before: now?.commit, parents, ...document },
    { signer, recordedAt },
  );
  if ('why' in recorded) throw notRecorded(recorded.why);
  await noteNewest(path, { base: recorded }, signer, io);
  return toldRecorded(ref, recorded.commit, store.remote, io);
}

/**
 * Prints that a base is recorded, and whether it is at a remote or in the clone. Returns the exit
 * code.
 */
export function toldRecorded(
  ref: string,
  commit: string,
  remote: string | undefined,
  io: Io,
): number {
  const where = remote === undefined ? 'in this clone' : `at the remote ${quoted(remote)}`;
  say(io.stderr, `${nameText(ref)} is ${commit.slice(0, 12)} ${where} now`);
  return EXIT.done;
}

/** The error of a command that could not record a base. */
export const notRecorded = (why: string): Stop =>
  new Stop(EXIT.failed, `the base could not be recorded: ${why}`, 'run the command again');

const AS_NEWEST: BaseQuestion = {
  about: 'An apply with --prune removed then deletes what this base declares and the files do not.',
  question: 'Record it as the newest?',
  not: 'not recorded',
};
