// Prevents a folder from adopting a base if this clone shows that the base's own folder is still in
// use.
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { type FolderUse, folderInUse } from '../../read/git/folderInUse.ts';
import { notBehind } from '../../read/git/history.ts';
import { gitFault } from '../../read/git/runGit.ts';
import { type StoredBase, storedBases } from '../../read/git/storedBases.ts';
import { EXIT } from '../exitCodes.ts';
import { Stop } from '../stop.ts';
import type { FolderOfBase } from './ownBase.ts';

/** Throws a `Stop` if the folder already has a base, or if the folder of the other base was neither moved nor removed. */
export async function refuseUnmoved(
  former: StoredBase,
  folder: FolderOfBase,
  signer: Signer,
): Promise<void> {
  const { base, ref } = former;
  if (ref === folder.ref && base.folder === folder.folder)
    throw new Stop(
      EXIT.refused,
      `it is the base of ${quoted(folder.folder)} already`,
      'nothing to do',
    );
  // If only the folder's name in the project file changed, the folder is still at the same path.
  if (base.folder === folder.folder) return;
  const fault = await notBehind(folder.place, { ref, revision: base.revision });
  if (fault)
    throw new Stop(
      fault.code === 'BASE_INVALID' ? EXIT.invalid : EXIT.refused,
      fault.message,
      fault.hint ?? '',
    );
  const use = await useOf(former, folder, signer);
  if (use === null) return;
  const where = use.at === undefined ? '' : ` at ${nameText(use.at)}`;
  throw new Stop(
    EXIT.refused,
    `the folder of that base still exists${where}: ${quoted(base.folder)}`,
    hintFor(use),
  );
}

async function useOf(
  { base }: StoredBase,
  { place, account, folder }: FolderOfBase,
  signer: Signer,
): Promise<FolderUse | null> {
  try {
    const bases = await storedBases(place, account);
    const applied = bases.flatMap(one =>
      'why' in one || !signer.isSigned('base', one.text, one.signature) ? [] : [one],
    );
    return await folderInUse(place, { base, newFolder: folder, applied });
  } catch (error) {
    const { why, hint } = gitFault(error);
    throw new Stop(
      EXIT.invalid,
      `it is unknown whether ${quoted(base.folder)} still exists: ${why}`,
      hint ?? 'repair the repository, or clone it again',
    );
  }
}

function hintFor({ at, remote }: FolderUse): string {
  if (remote !== undefined)
    return `merge the change that moves or removes the folder, and fetch; \`git remote set-head ${shellWord(remote)} --auto\` tells the clone which branch counts`;
  return at === undefined
    ? 'move or remove the folder in git first; to give the new folder a base of its own, start with `apply --first`'
    : 'merge the change that moves or removes the folder, and fetch; then run this in the merged revision';
}
