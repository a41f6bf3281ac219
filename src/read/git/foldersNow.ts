// The other folders of the account of a plan, read at the time when the plan is carried out.
import { join } from 'node:path';
import type { KindTable } from '../../kinds/kind.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { BaseFolder } from '../../model/recordedBase.ts';
import type { SourceReader } from '../../source/load.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { ProgramHost } from '../environment.ts';
import { readFolder } from '../files/folder.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { loadProject } from '../loadProject.ts';
import { otherFolders } from './otherFolders.ts';
import { repositoryOf } from './repository.ts';

/** The folder of a plan, and how folders are read. */
interface FoldersRequest {
  readonly host: ProgramHost;
  /** The folder with the files of the plan. */
  readonly folder: string;
  /** The folder or the single file whose base the plan records, by its path from the root of the repository. */
  readonly recorded: BaseFolder | undefined;
  /** The folders of the other layers of the plan, by their paths from `folder`. */
  readonly layers: readonly string[];
  /** The account of the plan. */
  readonly account: string | undefined;
  readonly shownAs: (path: string) => string;
  readonly kinds: KindTable;
  readonly reader: SourceReader;
  readonly inputs: (folder: string) => Inputs;
}

/** The other folders of the account; null if the folder of the plan is not in a repository here. */
export async function foldersNow({
  folder,
  recorded,
  account: planned,
  layers: ways,
  ...reading
}: FoldersRequest): Promise<readonly OtherFolder[] | null> {
  const { shownAs, kinds, host } = reading;
  const repository = repositoryOf(folder);
  if (repository === null) return null;
  const path = recorded ? join(repository.root, recorded.folder) : folder;
  const { project } = loadProject(path, { shownAs, kinds, projectFiles: host.projectFiles });
  // A folder that was moved since the plan was made has no project file there any more, and a project file need not name its
  // account. In these cases, the account of the plan is used.
  const account = project.account ?? planned;
  if (account === undefined) return [];
  const selection = { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] };
  const { files } = await readFolder(path, selection, shownAs);
  const isOwn = (other: string) => files.some(({ file }) => file.startsWith(`${shownAs(other)}/`));
  const layers = ways.map(way => join(realOf(folder), way));
  // The plan belongs to the folder that had this name when the plan was made.
  const { name } = recorded ?? project;
  return otherFolders({ ...reading, path, layers, account, name, isOwn, isAtCommit: true });
}
