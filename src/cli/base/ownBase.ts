// The folder of a `base` command, and the bases of its account.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SharedJournals } from '../../apply/journal/sharedJournals.ts';
import { type NewestBase, noteBase } from '../../apply/recordedBase/newest.ts';
import { notNewest } from '../../apply/recordedBase/older.ts';
import { notNoted } from '../../apply/recordedBase/record.ts';
import { digestOfBase } from '../../base/baseDocument.ts';
import { baseRef } from '../../base/refName.ts';
import type { BaseFolder } from '../../model/recordedBase.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { type GitPlace, gitFault } from '../../read/git/runGit.ts';
import { type StoredBase, storedBase } from '../../read/git/storedBases.ts';
import { pathInRepository } from '../../read/git/workRevision.ts';
import type { ShownBase } from '../../report/baseText.ts';
import { EXIT } from '../exitCodes.ts';
import { tellSecrets } from '../files/fileSecrets.ts';
import { printFindings } from '../findings.ts';
import type { Io } from '../io.ts';
import { machineOf } from '../machine.ts';
import { projectOrStop } from '../project.ts';
import { stopOf } from '../refusals/refusals.ts';
import { Stop } from '../stop.ts';
import { projectsBelow } from './projectsBelow.ts';

/** A folder of desired state in its repository. */
export interface FolderOfBase extends BaseFolder {
  readonly place: GitPlace;
  readonly account: string;
  /** The ref of the folder's base. */
  readonly ref: string;
}

/** The folder at `path`. Throws a `Stop` outside a repository, or if no file names the account. */
export async function folderOfBase(path: string, io: Io): Promise<FolderOfBase> {
  const file = resolve(io.cwd, path);
  if (repositoryOf(file) === null)
    throw new Stop(
      EXIT.invalid,
      `${quoted(path)} is not in a git repository`,
      'run this in a clone',
    );
  const { account, name } = projectOrStop(io, folderOf(file));
  if (account === undefined && !existsSync(file))
    throw new Stop(
      EXIT.invalid,
      `${quoted(path)} does not exist`,
      `name a folder with desired state; from there, \`meshform base forget ${shellWord(path)} FOLDER\` shows and forgets the base of a folder that is gone`,
    );
  if (account === undefined)
    throw new Stop(
      EXIT.invalid,
      `no project file names the account of ${quoted(path)}`,
      belowHint(file) ?? 'write `account` into meshform.yaml: the id of its group All',
    );
  await tellSecrets(path, {}, io);
  const owner = { folder: pathInRepository(file), ...(name !== undefined && { name }) };
  return {
    ...owner,
    account,
    place: { folder: folderOf(file), host: { env: io.env, secrets: io.secrets } },
    ref: baseRef(account, owner),
  };
}

// A hint that names a project file above the folder would only confuse the user.
function belowHint(file: string): string | undefined {
  const below = projectsBelow(folderOf(file));
  if (below.length === 0) return undefined;
  return `name the folder of desired state: ${below.map(name => shellWord(name)).join(', ')}`;
}

/** The base at a ref; null if there is none. Throws a `Stop` if it cannot be read. */
export async function baseAt(place: GitPlace, ref: string): Promise<StoredBase | null> {
  const found = await storedBase(place, ref).catch((error: unknown) => gitFault(error));
  if (found === null) return null;
  if ('why' in found)
    throw new Stop(
      EXIT.invalid,
      `${nameText(ref)} cannot be read: ${found.why}`,
      'hint' in found && found.hint !== undefined
        ? found.hint
        : 'use the version of meshform that recorded it, or a newer one',
    );
  return found;
}

/** The base of a folder. Throws a `Stop` if the folder has none. */
export async function ownBaseOrStop({ place, ref, folder }: FolderOfBase): Promise<StoredBase> {
  const stored = await baseAt(place, ref);
  if (stored !== null) return stored;
  throw new Stop(
    EXIT.invalid,
    `${quoted(folder)} has no base in this clone: git has no ${nameText(ref)}`,
    "fetch it with `git fetch origin '+refs/meshform-base/*:refs/meshform-base/*'`; `apply --record-base` records it",
  );
}

/** Where the bases are, and the notes about the newest bases there. */
interface KnownBases extends Pick<FolderOfBase, 'place'> {
  readonly signer: Signer;
  /** The journals of all machines at the remote; absent if the bases are in the clone. */
  readonly journals?: (() => Promise<SharedJournals>) | undefined;
}

/** Throws a `Stop` unless a base is, or follows, the newest base that is noted on this machine or at the remote. */
export async function refuseOlder(
  path: string,
  stored: StoredBase,
  { place, signer, journals }: KnownBases,
  io: Io,
): Promise<void> {
  const found = { ref: stored.ref, stored };
  const { shared } = place.host;
  const older = await notNewest(path, found, {
    host: { ...machineOf(io), ...(shared && { shared }) },
    signer,
    journals: await journals?.(),
  });
  if (older) throw stopOf(older, io);
}

/**
 * Notes on this machine that a base is the newest base of the folder at `path`, or that it was the
 * newest at a `base forget`.
 */
export async function noteNewest(
  path: string,
  newest: NewestBase,
  signer: Signer,
  io: Io,
): Promise<void> {
  const unnoted = await noteBase(path, newest, { host: machineOf(io), signer });
  const { commit } = newest.base;
  if (unnoted) printFindings([notNoted({ ...unnoted, folder: path, commit })], io);
}

/** A base in the form in which it is shown. */
export function shownBase(stored: StoredBase, signer: Signer | null): ShownBase {
  const { ref, commit, base, text, signature } = stored;
  const digest = digestOfBase(text);
  return { ref, commit, base, digest, isVerified: signer?.isSigned('base', text, signature) };
}
