// What an unfinished apply of a folder left is found by that folder: whoever takes its base over first would never delete it.
import { resolve } from 'node:path';
import { runsToClose, type VerifiedRun } from '../../apply/earlierRuns/remoteRuns.ts';
import { baseRef } from '../../base/refName.ts';
import { shortRun } from '../../model/runName.ts';
import type { Signer } from '../../model/signer.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText, quoted } from '../../model/text/visible.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { gitFault } from '../../read/git/runGit.ts';
import type { StoredBase } from '../../read/git/storedBases.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import type { BaseStore } from './baseStore.ts';

/** Throws a `Stop` if an apply of the folder of a base, which the folder at `path` takes over, is unfinished. */
export async function refuseUnfinished(
  former: StoredBase,
  folder: BaseStore,
  { path, signer, io }: { readonly path: string; readonly signer: Signer; readonly io: Io },
): Promise<void> {
  const { journals } = folder;
  if (former.base.folder === folder.folder || journals === undefined) return;
  const runs = await runsOrStop(async () => runsToClose(await journals(), signer));
  const [run, ...more] = runs.filter(one => isOfBase(one, former, folder, io));
  if (run === undefined) return;
  const short = shortRun(run.run);
  const began = nameText(String(run.read.lines[0]?.at));
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  const way = (flag: string) => `\`meshform apply ${shellWord(path)} ${flag} ${short}\``;
  throw new Stop(
    EXIT.refused,
    `the apply ${short} of ${began} is unfinished${others}: what it created belongs to ${quoted(former.base.folder)}, and ${quoted(folder.folder)} would leave it in the account`,
    `finish it with ${way('--resume')}, take it back with ${way('--undo')}, or keep what it created with ${way('--abandon')}; then take the base over`,
  );
}

async function runsOrStop(
  find: () => Promise<readonly VerifiedRun[]>,
): Promise<readonly VerifiedRun[]> {
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

// The plan of a run that records no base only has the path that was typed.
function isOfBase(
  { read: { plan } }: VerifiedRun,
  { base, ref }: StoredBase,
  { account, place }: BaseStore,
  { cwd }: Pick<Io, 'cwd'>,
): boolean {
  const content = plan.base?.content;
  if (content !== undefined)
    return content.folder === base.folder || baseRef(account, content) === ref;
  const root = repositoryOf(place.folder)?.root ?? place.folder;
  return resolve(cwd, plan.folder) === resolve(root, base.folder);
}
