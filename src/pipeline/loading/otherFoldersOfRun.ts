// The declarations of other folders of the repository for the account of a run.

import type { OtherFolder } from '../../model/otherFolder.ts';
import { mayHaveOthers, otherFolders } from '../../read/git/otherFolders.ts';
import type { OthersRequest } from '../../read/git/othersRequest.ts';
import type { Project } from '../../source/project/project.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { Schemas } from '../schemas.ts';
import { inputsFor } from './externalInputs.ts';
import type { FilesOfRun } from './filesOfRun.ts';
import type { LoadRequest } from './loadRequest.ts';

/** The other folders of the account to which the files of a run belong. */
export async function othersOfRun(
  schemas: Schemas,
  { layers, texts }: FilesOfRun,
  { onVariable, ...request }: LoadRequest & Pick<Inputs, 'onVariable'>,
): Promise<readonly OtherFolder[]> {
  const names = texts.files.map(({ file }) => file);
  const others = await othersOf(schemas, request, {
    project: layers.project,
    paths: layers.layers.map(({ path }) => path),
    isOwn: isAmong(names, request),
    ...(onVariable && { onVariable }),
  });
  return request.isOnlyCompared ? others.map(asRead) : others;
}

/**
 * The declarations of other folders for a given account. Used if the files of the request do not
 * name the account or do not exist yet.
 */
export const othersInAccount = (
  schemas: Schemas,
  request: LoadRequest,
  {
    project,
    account,
    files,
  }: {
    readonly project: Project;
    readonly account: string;
    /** The display names of the current files. */
    readonly files: readonly string[];
  },
): Promise<readonly OtherFolder[]> =>
  othersOf(schemas, request, {
    project: { ...project, account },
    paths: [request.path],
    isOwn: isAmong(files, request),
  });

// The folder, without the fault that it is unreadable, because this fault stops only runs that
// delete something.
const asRead = ({ unreadable, ...other }: OtherFolder): OtherFolder =>
  unreadable === undefined ? other : { ...other, isUnread: true };

// Returns whether a folder has files among those with these display names.
const isAmong =
  (files: readonly string[], { shownAs }: Pick<LoadRequest, 'shownAs'>) =>
  (folder: string): boolean =>
    files.some(file => file.startsWith(`${shownAs(folder)}/`));

async function othersOf(
  { kinds, reader }: Schemas,
  request: LoadRequest,
  {
    project,
    paths,
    isOwn,
    onVariable,
  }: Pick<OthersRequest, 'isOwn'> &
    Pick<Inputs, 'onVariable'> & {
      readonly project: Project;
      readonly paths: readonly string[];
    },
): Promise<readonly OtherFolder[]> {
  const account = project.account ?? (await accountBehind(request, project));
  if (account === undefined) return [];
  return otherFolders({
    ...request,
    layers: paths,
    account,
    name: project.name,
    kinds,
    reader,
    isOwn,
    isAtCommit: isAtCommit(request),
    inputs: path => ({ ...inputsFor({ ...request, path }), ...(onVariable && { onVariable }) }),
  });
}

// The account of files that do not name an account. The guards of its other folders apply to these
// files too.
async function accountBehind(request: LoadRequest, project: Project): Promise<string | undefined> {
  const { accountBehind: ask, path, host } = request;
  const where = { path, host, isAtCommit: isAtCommit(request) };
  return ask && (await mayHaveOthers(where)) ? ask(project) : undefined;
}

// A plan may delete objects that no folder declares at this revision.
const isAtCommit = ({ isPlanned, isOnlyCompared }: LoadRequest): boolean =>
  isPlanned === true && !isOnlyCompared;
