// Finds the base that a folder starts from: its own base, its files at the ref of earlier versions, or none. Having no base means
// a first run only if the account has no bases at all, or if the user says so.
import { baseRef, fetchBases, formerRef, pushBases } from '../../base/refName.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type BaseFolder, recordedLayers } from '../../model/recordedBase.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import type { ProgramHost } from '../environment.ts';
import { folderOf, realOf } from '../files/projectFilesAbove.ts';
import { notFetched } from './baseRefs.ts';
import { rememberingAnswers } from './rememberedAnswers.ts';
import { commitOf, type NoCommit } from './revision.ts';
import { type GitPlace, git, gitFault } from './runGit.ts';
import { baseIn, type StoredBase, storedBases, type UnreadableBase } from './storedBases.ts';
import { pathInRepository } from './workRevision.ts';

/** The base from which a folder starts, or why there is none. */
export type FolderBase =
  | { readonly is: 'recorded'; readonly stored: StoredBase }
  /** The files of the folder are in a revision that an earlier version recorded. */
  | { readonly is: 'former'; readonly commit: string; readonly ref: string }
  | { readonly is: 'none'; readonly ref: string }
  | { readonly is: 'fault'; readonly fault: Diagnostic }
  /** git does not work here. */
  | { readonly is: 'unusable'; readonly fault: Diagnostic };

/** A folder or a file of desired state, and its account. */
export interface BasePlace extends BaseFolder {
  readonly host: ProgramHost;
  readonly path: string;
  readonly account: string;
  /** Whether the user said that this is the first run of the folder. */
  readonly isFirst: boolean;
}

/** The base that a folder starts from. */
export async function folderBase(place: BasePlace): Promise<FolderBase> {
  try {
    return await rememberingAnswers()(() => found(place));
  } catch (error) {
    const { why, hint } = gitFault(error);
    return faulty(why, hint);
  }
}

async function found(place: BasePlace): Promise<FolderBase> {
  const { host, path, account, isFirst } = place;
  const repository = { folder: folderOf(realOf(path)), host };
  const ref = baseRef(account, place);
  const head = await commitOf(repository, ref);
  if (!('commit' in head) && head.is !== 'unknown' && head.is !== 'shallow') return unusable(head);
  const own = 'commit' in head ? await baseIn(repository, { ref, commit: head.commit }) : null;
  if (own) return ownBase(own, place);
  const [others, former] = await Promise.all([
    storedBases(repository, account),
    commitOf(repository, formerRef(account)),
  ]);
  const broken = others.find(other => other.ref === ref);
  if (broken) return ownBase(broken, place);
  const hasOthers = others.length > 0 || 'commit' in former;
  const missing = await notFetched(repository, account, place, {
    hasOthers,
    hasFormer: 'commit' in former,
  });
  if (missing) return { is: 'fault', fault: missing };
  // A folder with a base under another name does not start from the ref of earlier versions either, because anybody who can push
  // can write that ref.
  const named = others.find(other => !('why' in other) && other.base.folder === place.folder);
  if (named && !('why' in named)) return { is: 'fault', fault: otherName(named, place) };
  const isFormer = 'commit' in former && (await hadFiles(repository, place.folder, former.commit));
  if (isFormer && isFirst) return notFirst(place, formerRef(account));
  if (isFirst) return { is: 'none', ref };
  if (isFormer) return { is: 'former', commit: former.commit, ref: formerRef(account) };
  return hasOthers ? { is: 'fault', fault: notFound(place) } : { is: 'none', ref };
}

function ownBase(own: StoredBase | UnreadableBase, place: BasePlace): FolderBase {
  if ('why' in own)
    return faulty(
      `the base at ${nameText(own.ref)} cannot be read: ${own.why}`,
      own.hint ?? 'use the version of meshform that recorded it, or a newer one',
    );
  const { folder } = own.base;
  if (folder !== place.folder && !isOfAccount(own, place))
    return { is: 'fault', fault: nameTaken(own, place) };
  return place.isFirst ? notFirst(place, own.ref) : { is: 'recorded', stored: own };
}

/**
 * Whether a base belongs to the account of a fleet whose files are at `path`, and whose name the base has. The path of the
 * account changes when its entry gets or loses its last layer, and before format 1.4 also when the folder of that layer was
 * created or removed. So it is enough if the base was recorded with any layer of the entry.
 */
export function isOfAccount(
  { base }: StoredBase,
  { path, name, host }: Pick<BasePlace, 'path' | 'host'> & { readonly name?: string | undefined },
): boolean {
  const { layers = [], name: account } = host.projectFiles?.inFleet?.(path) ?? {};
  if (account === undefined || account !== name) return false;
  const last = recordedLayers(base).at(-1);
  return last === undefined || layers.some(layer => pathInRepository(layer) === last);
}

const notFirst = ({ folder }: BasePlace, ref: string): FolderBase =>
  faulty(
    `this is not the first run of ${quoted(folder)}: its base is ${nameText(ref)}`,
    'remove --first',
  );

/** Whether a revision has files at the path. */
async function hadFiles(place: GitPlace, path: string, commit: string): Promise<boolean> {
  const listed = await git(place, ['ls-tree', '-r', '--name-only', '-z', commit, path]);
  return listed.length > 0;
}

function nameTaken({ ref, base }: StoredBase, { name, folder }: BasePlace): Diagnostic {
  const isNamed = name !== undefined;
  return {
    code: 'BASE_NAME_TAKEN',
    severity: 'error',
    message: `${nameText(ref)} is the base of ${quoted(base.folder)}, not of ${quoted(folder)}`,
    hint: isNamed
      ? `give the folders different names in meshform.yaml; if ${quoted(base.folder)} was moved here, take over its base with \`meshform base adopt ${shellWord(name)} ${shellWord(folder)}\``
      : `give ${quoted(base.folder)} another name in its meshform.yaml`,
  };
}

const notFound = ({ account, folder }: BasePlace): Diagnostic => ({
  code: 'BASE_NOT_FOUND',
  severity: 'error',
  message: `${quoted(folder)} has no base, although other bases of the account ${quoted(account)} are recorded`,
  hint: `if these files were never applied, add --first; if the folder was moved or renamed, take over its base with \`meshform base adopt NAME ${shellWord(folder)}\``,
});

// This is also an error for a first run, because afterwards the guards and the objects of that base would belong to no folder.
function otherName({ base }: StoredBase, { account, folder, name }: BasePlace): Diagnostic {
  const former = base.name ?? base.folder;
  return {
    code: 'BASE_NOT_FOUND',
    severity: 'error',
    message: `${quoted(folder)} has no base as ${quoted(name ?? folder)}, but the account ${quoted(account)} has the base ${quoted(former)} of the same path`,
    hint: `take over that base with \`meshform base adopt ${shellWord(former)} ${shellWord(folder)}\``,
  };
}

/** The note for a run that starts from the ref of an earlier version. */
export const startsFromFormer = ({ ref, commit }: { ref: string; commit: string }): Diagnostic => ({
  code: 'BASE_FORMER_REF',
  severity: 'note',
  message: `this run starts from ${nameText(ref)} (${commit.slice(0, 12)}), which an earlier version of meshform recorded; from now on the base has a separate ref`,
  hint: `fetch and push the new refs: ${fetchBases('origin')} before the run, ${pushBases('origin')} after it; fetch the former ref too, as before, until every folder has a base`,
});

const faulty = (message: string, hint?: string): FolderBase => ({
  is: 'fault',
  fault: invalid(message, hint),
});

const unusable = ({ why, hint }: NoCommit): FolderBase => ({
  is: 'unusable',
  fault: invalid(why, hint ?? 'use --base with a revision that `git log` shows, or with a folder'),
});

const invalid = (message: string, hint: string | undefined): Diagnostic => ({
  code: 'BASE_INVALID',
  severity: 'error',
  message,
  ...(hint !== undefined && { hint }),
});
