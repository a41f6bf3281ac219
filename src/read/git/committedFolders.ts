// Reads other folders at the checked-out commit, if they differ in the working tree. Objects in files that were removed, edited
// or left out by a sparse checkout are still declared at this revision.
import { isUtf8 } from 'node:buffer';
import { join, posix } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import { guardsOf } from '../../source/project/guardsOf.ts';
import { PROJECT_FILE, type ReadProject, readProject } from '../../source/project/project.ts';
import { joinedFiles } from '../loadProject.ts';
import { layersAt, textsOfLayers } from './baseLayers.ts';
import type { HeadFiles } from './headFiles.ts';
import { contentsOf } from './objectContents.ts';
import type { OthersRequest } from './othersRequest.ts';
import { type GitPlace, gitFault } from './runGit.ts';

/** A folder whose files differ from the commit. */
export interface DifferingFolder {
  /** The path from the root of the repository. */
  readonly folder: string;
  /** The layers before it, if they were arguments of its last run. */
  readonly layers: readonly string[] | undefined;
  /** The values of variables that were applied to the folder. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The root of a repository, and its checked-out commit. */
interface CommitAt {
  readonly root: string;
  readonly head: HeadFiles;
}

/** The folders of the account among `folders`, with their declarations and guards in the commit. */
export async function committedFolders(
  folders: readonly DifferingFolder[],
  commit: CommitAt,
  request: OthersRequest,
): Promise<readonly OtherFolder[]> {
  if (folders.length === 0) return [];
  try {
    const projects = await projectsAt(folders, commit, request);
    const found = folders.flatMap(one => {
      const read = joinedFiles(projects(one.folder));
      const { account } = read.project;
      // A project file with a fault may be meant for this account.
      const isMeant =
        account === request.account || (account === undefined && hasErrors(read.diagnostics));
      return isMeant ? [{ ...one, read }] : [];
    });
    return await Promise.all(found.map(one => committedFolder(one, commit, request)));
  } catch (error) {
    return folders.map(({ folder }) => unreadable(folder, gitFault(error).why));
  }
}

/** A folder whose project file in the commit names the account. */
interface CommittedFolder extends DifferingFolder {
  readonly read: ReadProject;
}

// Rejects if git cannot read the files.
async function committedFolder(
  committed: CommittedFolder,
  commit: CommitAt,
  request: OthersRequest,
): Promise<OtherFolder> {
  const { folder, variables, read } = committed;
  const { project, places, diagnostics } = read;
  const name = project.name ?? folder;
  const texts = await textsInCommit(committed, commit, request);
  const own = request.inputs(join(commit.root, folder));
  const vars = new Map([...own.vars, ...Object.entries(variables)]);
  const loaded = request.reader.read(texts.files, { ...own, vars, isEarlier: true });
  const fault = [...diagnostics, ...texts.diagnostics, ...loaded.diagnostics].find(
    ({ severity }) => severity === 'error',
  );
  if (fault) return unreadable(name, fault.message);
  return {
    name,
    files: loaded.desired,
    base: [],
    guards: [guardsOf(project, loaded.accessTests, places)],
    isCommitted: true,
  };
}

// The texts of a folder and its layers in the commit.
async function textsInCommit(
  { folder, layers = [], read: { project } }: CommittedFolder,
  { root, head }: CommitAt,
  { host, kinds }: OthersRequest,
) {
  const place = { folder: root, host };
  const revision = { commit: head.commit, name: 'HEAD' };
  const selection = { projectFile: PROJECT_FILE, exclude: project.exclude ?? [] };
  const named = [...layers, join(root, folder)].map(path => ({
    path,
    selection,
    fromLastLayer: '',
    isAbsent: false,
    mayBeEmpty: true,
  }));
  const areArguments = layers.length > 0;
  const found = await layersAt(place, revision, { layers: named, areArguments }, kinds);
  return textsOfLayers(found, revision.name, 'textsThen');
}

const unreadable = (name: string, why: string): OtherFolder => ({
  name,
  files: [],
  base: [],
  unreadable: why,
});

/** The project files of folders in the commit; for each folder, the nearest first. Rejects if one cannot be read. */
async function projectsAt(
  folders: readonly DifferingFolder[],
  { root, head: { entries } }: CommitAt,
  { host, kinds }: OthersRequest,
): Promise<(folder: string) => readonly ReadProject[]> {
  const place = { folder: root, host };
  const paths = [...new Set(folders.flatMap(({ folder }) => placesFor(folder)))].flatMap(path => {
    const entry = entries.get(path);
    return entry === undefined ? [] : [{ path, ...entry }];
  });
  const written = await textsAt(place, paths);
  const read = paths.map(({ path, mode }, i) => {
    const text = written[i] ?? '';
    const target = mode === LINK ? entries.get(posix.join(posix.dirname(path), text)) : undefined;
    return { path, text, target };
  });
  const links = read.flatMap(one => (one.target ? [{ path: one.path, ...one.target }] : []));
  const targets = await textsAt(place, links);
  const targetAt = new Map(links.map(({ path }, i) => [path, targets[i] ?? '']));
  const schema = shippedSchema('project.schema.json');
  const projects = new Map(
    read.map(({ path, text }) => {
      const own = { file: `HEAD:${path}`, text: targetAt.get(path) ?? text };
      return [path, readProject(own, schema, kinds)] as const;
    }),
  );
  return folder => placesFor(folder).flatMap(path => projects.get(path) ?? []);
}

const LINK = '120000';

/**
 * The texts of objects, read with one process. Rejects if the repository lacks one, or if one is
 * not text.
 */
async function textsAt(
  place: GitPlace,
  objects: readonly { readonly path: string; readonly object: string }[],
): Promise<readonly string[]> {
  const contents = await contentsOf(
    place,
    objects.map(({ object }) => object),
  );
  return objects.map(({ path }, i) => {
    const content = contents[i];
    if (!content || !isUtf8(content))
      throw new Error(`git cannot read ${quoted(path)} of the checked-out commit`);
    return content.toString('utf8');
  });
}

/** The places of the project files of a folder, the nearest first. */
function placesFor(folder: string): readonly string[] {
  const parts = folder === '.' ? [] : folder.split('/');
  return [...parts.keys(), parts.length]
    .map(count => posix.join(...parts.slice(0, count), PROJECT_FILE))
    .reverse();
}
