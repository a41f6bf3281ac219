// `base forget`: removes a base whose folder no longer exists, or a base that cannot be read. Also
// clears the notes about a base that no longer exists.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  isNotedStill,
  type NewestBase,
  newestFirst,
  noteOf,
} from '../../apply/recordedBase/newest.ts';
import { baseRef } from '../../base/refName.ts';
import { readKinds } from '../../kinds/registry.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { isStillThere } from '../../read/git/folderInUse.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { commitOf } from '../../read/git/revision.ts';
import { type StoredBase, storedBase, type UnreadableBase } from '../../read/git/storedBases.ts';
import { loadProject } from '../../read/loadProject.ts';
import { baseText } from '../../report/baseText.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { EXIT } from '../exitCodes.ts';
import { type Io, say } from '../io.ts';
import { machineOf, NOBODY, signerIn } from '../machine.ts';
import { Stop } from '../stop.ts';
import { type BaseStore, newestOf, withBaseStore } from './baseStore.ts';
import { type BaseQuestion, confirmOrStop } from './confirming.ts';
import { noteNewest, shownBase } from './ownBase.ts';
import { refuseUnfinished } from './unfinishedApplies.ts';

/** Removes the base called `name`. Resolves to the exit code; throws a `Stop`. */
export async function forgetBase(
  { name, path }: { readonly name: string; readonly path: string },
  { yes }: { readonly yes?: boolean },
  io: Io,
): Promise<number> {
  return withBaseStore(path, io, async store => {
    const { account, place } = store;
    const ref = baseRef(account, { name, folder: name });
    const found = await commitOf(place, ref);
    if (!('commit' in found)) {
      if (ref === store.ref && (await forgetNoted(path, ref, { store, yes }, io))) return EXIT.done;
      throw new Stop(
        EXIT.invalid,
        `there is no base called ${quoted(name)}: git has no ${nameText(ref)}`,
        'the name of a base is the `name` of its folder, or else the path of the folder in the repository',
      );
    }
    const stored = await storedBase(place, ref);
    const signer = signerIn(io);
    if (stored && !('why' in stored)) await showOrStop(stored, { store, path }, io);
    await confirmOrStop(FORGET, yes === true, io);
    const newest = signer && (await newestThere(path, { ref, stored }, { store, signer }, io));
    const note = newest ? noteOf(newest, signer) : undefined;
    const why = await store.move({ ref, from: found.commit, to: null }, note);
    if (why)
      throw new Stop(EXIT.failed, `the base could not be removed: ${why.why}`, 'try it again');
    if (newest && ref === store.ref) await noteNewest(path, newest, signer, io);
    say(io.stderr, `${nameText(ref)} (${found.commit.slice(0, 12)}) is removed`);
    return EXIT.done;
  });
}

// Shows the base that is to be removed, and refuses a base that is in use.
async function showOrStop(
  stored: StoredBase,
  { store, path }: { readonly store: BaseStore; readonly path: string },
  io: Io,
): Promise<void> {
  const signer = signerIn(io);
  io.stdout.write(baseText(shownBase(stored, signer), readKinds()));
  await refuseInUse(stored, store);
  tellFiles(stored, store.place.folder, io);
  await refuseUnfinished(stored, store, { path, signer: signer ?? NOBODY, io, use: 'forget' });
}

// Refuses a base whose folder still has files. Without the base, the next run of that folder would
// not delete what was removed from its files. A base that the folder had under a former name may be
// removed.
async function refuseInUse(
  { ref, base }: StoredBase,
  { account, place, folder: own }: BaseStore,
): Promise<void> {
  const { folder } = base;
  const root = repositoryOf(place.folder)?.root;
  if (root === undefined || folder === own || folder.startsWith(`${own}/`) || own === '.') return;
  const path = join(root, folder);
  const { name } = loadProject(path, { shownAs: file => file }).project;
  const isHere = existsSync(join(path, PROJECT_FILE));
  if (isHere && ref !== baseRef(account, { folder, ...(name !== undefined && { name }) })) return;
  if (!(await isStillThere(place, folder, own))) return;
  throw new Stop(
    EXIT.refused,
    `the folder of that base still exists: ${quoted(folder)}`,
    `remove the folder in git first; to start it again without a base, name it: \`meshform base forget ${shellWord(base.name ?? folder)} ${shellWord(folder)}\``,
  );
}

// Warns if the folder of the base still has files, because the user rarely means such a base.
function tellFiles({ base: { folder } }: StoredBase, path: string, io: Io): void {
  const root = repositoryOf(path)?.root;
  if (root === undefined || !existsSync(join(root, folder))) return;
  say(
    io.stderr,
    `note: ${quoted(folder)} still has files: without this base, its next apply starts with an empty base, and what was removed from its files since stays in the account`,
  );
}

/**
 * Clears the notes about a base that no longer exists. Resolves to whether there is such a note.
 */
async function forgetNoted(
  path: string,
  ref: string,
  { store, yes }: { readonly store: BaseStore; readonly yes: boolean | undefined },
  io: Io,
): Promise<boolean> {
  const signer = signerIn(io);
  if (signer === null) return false;
  const journals = await store.journals?.();
  const noted = await newestFirst({ folder: path, ref }, { host: machineOf(io), signer, journals });
  if (!isNotedStill(noted)) return false;
  const newest = await newestThere(path, { ref, stored: null }, { store, signer }, io);
  if (newest === null) return false;
  say(io.stdout, `${nameText(ref)}, recorded at ${newest.base.recordedAt}, is gone.`);
  await confirmOrStop(FORGET, yes === true, io);
  const why = await store.note(noteOf(newest, signer));
  if (why)
    throw new Stop(EXIT.failed, `the base could not be forgotten: ${why.why}`, 'try it again');
  await noteNewest(path, newest, signer, io);
  say(io.stderr, `${nameText(ref)} is forgotten`);
  return true;
}

interface Forgotten {
  readonly ref: string;
  readonly stored: StoredBase | UnreadableBase | null;
}

/**
 * The content of a note after which neither the forgotten base nor an earlier base counts as the
 * newest. Null if no key of this run signed an existing note.
 */
async function newestThere(
  path: string,
  { ref, stored }: Forgotten,
  { store, signer }: { readonly store: BaseStore; readonly signer: Signer },
  io: Io,
): Promise<NewestBase | null> {
  const known = { host: machineOf(io), signer, journals: await store.journals?.() };
  const bases = (await newestFirst({ folder: path, ref }, known)).map(({ base }) => base);
  const isOwn =
    stored && !('why' in stored) && signer.isSigned('base', stored.text, stored.signature);
  const all = isOwn ? [newestOf(stored), ...bases] : bases;
  const [base] = all.sort((a, b) => Date.parse(b.recordedAt) - Date.parse(a.recordedAt));
  return base === undefined ? null : { base, forgottenAt: new Date(io.now()).toISOString() };
}

const FORGET: BaseQuestion = {
  about:
    'What this base declares and no file declares stays in the account, and is no longer pruned.',
  question: 'Forget it?',
  not: 'not removed',
};
