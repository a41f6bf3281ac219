// Reads the other folders of the account at the time of the apply. The plan was made earlier, with
// the declarations that they had then.
import { join, resolve } from 'node:path';
import { recognised } from '../../base/recognisedAddresses.ts';
import type { Elsewhere } from '../../engine/pruning/declaredNow.ts';
import { inParts } from '../../engine/scope/parts.ts';
import { dialectNamed } from '../../kinds/dialect/dialects.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired, Live } from '../../model/object.ts';
import { type OtherFolder, unreadableHint } from '../../model/otherFolder.ts';
import type { Plan } from '../../model/plan.ts';
import type { Signer } from '../../model/signer.ts';
import { quoted } from '../../model/text/visible.ts';
import { fileInputs, unusableFiles } from '../../read/files/inputs.ts';
import { nearPath } from '../../read/files/nearPath.ts';
import { realOf } from '../../read/files/projectFilesAbove.ts';
import { foldersNow } from '../../read/git/foldersNow.ts';
import type { ApplyHost } from '../host.ts';
import type { BaseHost } from '../recordedBase/gitPlace.ts';
import { unverified } from '../recordedBase/verify.ts';
import type { UnverifiedBase } from '../refusal.ts';
import type { ApplySecrets } from '../request.ts';

/** The parts of an apply request with which other folders are read. */
export interface FolderReading {
  readonly kinds: KindTable;
  readonly host: ApplyHost;
  readonly secrets: ApplySecrets;
}

/**
 * The other folders of the account of a plan; none if the folder of the plan is in no repository on
 * this machine. In that case, a note reports that the declarations of other folders are unknown.
 */
export async function othersOf(
  { folder, layers = [], account, base, revision }: Plan,
  { kinds, host, secrets }: FolderReading,
): Promise<readonly OtherFolder[]> {
  const { cwd, tell } = host;
  const [{ readerOf }, { folderAt }] = await Promise.all([
    import('../../source/load.ts'),
    import('../../source/endings/folderAt.ts'),
  ]);
  const others = await foldersNow({
    host,
    folder: resolve(cwd, folder),
    recorded: base?.content,
    layers,
    account,
    kinds,
    shownAs: path => nearPath(cwd, path) || '.',
    reader: readerOf(kinds),
    inputs: path => {
      const { env, file, vars = new Map(), onSecret } = secrets.sources(path);
      const inLayer = (way: string) => filesIn(join(realOf(path), way));
      return { env, vars, ...filesIn(path), file, inLayer, ...(onSecret && { onSecret }) };
    },
  });
  const wasInRepository = revision !== undefined || base !== undefined;
  if (others === null && wasInRepository) tell({ note: 'findings', findings: [notRead(folder)] });
  const now = host.now();
  return (others ?? []).map(other => folderAt(other, kinds, now));
}

const filesIn = (folder: string) => ({
  file: fileInputs(folder),
  unusable: unusableFiles(folder),
});

const notRead = (folder: string): Diagnostic => ({
  code: 'FOLDERS_NOT_READ',
  severity: 'note',
  message: `${quoted(folder)} is not in a git repository, so it is unknown what other folders of the account have declared since the plan was made`,
  hint: 'if several folders declare the account, apply in a checkout of their repository, with the bases fetched',
});

/** The account and the dialect with which folders are compared. */
interface Comparison extends Pick<FolderReading, 'kinds' | 'secrets'> {
  readonly plan: Pick<Plan, 'folder' | 'dialect'>;
  /** The objects of the account that are identified by a web address. */
  readonly live: readonly Pick<Live, 'kind' | 'fields'>[];
}

/**
 * The same folders, with their declarations in the form of the server and with the web addresses of
 * their bases.
 */
export function asServerKeeps(
  others: readonly OtherFolder[],
  { kinds, secrets, plan, live }: Comparison,
): readonly OtherFolder[] {
  const { mark } = secrets.sources(plan.folder);
  const desired = others.flatMap(({ files }) => files);
  const { withAddresses } = recognised({ kinds, live, desired, mark });
  const parts = (objects: readonly Desired[]) =>
    inParts(objects, kinds, dialectNamed(plan.dialect));
  return others.map(other => ({
    ...other,
    files: parts(other.files),
    base: parts(withAddresses(other.base)),
  }));
}

/** The errors for folders whose files cannot be read. */
export const unreadFolders = (
  others: readonly OtherFolder[],
  { folder }: Pick<Plan, 'folder'>,
): readonly Diagnostic[] =>
  others.flatMap(({ unreadable, ...other }): Diagnostic[] =>
    unreadable === undefined
      ? []
      : [
          {
            code: 'FOLDER_UNREADABLE',
            severity: 'error',
            message: `the files of ${quoted(other.name)} for the same account cannot be read, so it is unknown what may be deleted: ${unreadable}`,
            hint: unreadableHint(other, folder),
          },
        ],
  );

/** The refusal if an object is declared only in a base that no key of the signer has signed. */
export async function unsignedBase(
  found: readonly Pick<Elsewhere, 'commit'>[],
  plan: Pick<Plan, 'folder' | 'account'>,
  host: BaseHost,
  signer: Signer,
): Promise<UnverifiedBase | null> {
  for (const commit of new Set(found.flatMap(one => one.commit ?? []))) {
    const refusal = await unverified(commit, plan, { host, signer });
    if (refusal) return refusal;
  }
  return null;
}
