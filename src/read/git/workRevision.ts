// Finds the revision of the files that a run works with, and their path in the repository.
import { basename, join } from 'node:path';
import type { FileRevision, NotCommitted } from '../../model/fileRevision.ts';
import { shellWord } from '../../model/text/shellWord.ts';
import { nameText } from '../../model/text/visible.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { FileText } from '../files/fileText.ts';
import { type FileInFolder, findAllUpwards, folderOf, realOf } from '../files/projectFilesAbove.ts';
import { type Differing, differing, type TextAt, type TextsOfLayers } from './committed.ts';
import { headFiles } from './headFiles.ts';
import { prefixOf, repositoryOf } from './repository.ts';
import { commitOf } from './revision.ts';
import { type GitPlace, gitFault } from './runGit.ts';

/** The files of a run as they were read. */
export interface FilesAsRead extends Pick<TextsOfLayers, 'layers'> {
  /** The files of all layers, by their paths from the folder of the last layer. */
  readonly files: readonly Pick<FileText, 'inside' | 'text'>[];
  /** The project files as the run has read them. */
  readonly projectFiles?: FileInFolder | undefined;
}

/**
 * The commit whose files of the run, and project files beside and above them, have the texts that were read. If there is no such
 * commit, the reason in words.
 */
export async function revisionOf(place: GitPlace, read: FilesAsRead): Promise<FileRevision> {
  const repository = repositoryOf(place.folder);
  if (repository === null) return NOT_COMMITTED;
  try {
    const head = await headFiles(place);
    const texts = textsOf(place.folder, read);
    const [first] = differing(repository.root, head, { layers: read.layers, texts });
    return first === undefined ? { revision: head.commit } : notCommitted(first);
  } catch (error) {
    const head = await commitOf(place, 'HEAD');
    if ('commit' in head) return gitFault(error);
    const isNew = head.is === 'unknown' || head.is === 'no-repository' || head.is === 'shallow';
    return isNew ? NOT_COMMITTED : { why: head.why, hint: head.hint };
  }
}

/** The texts of desired state and of its project files, by their paths on the disk. */
export function textsOf(
  folder: string,
  { layers, files, projectFiles }: FilesAsRead,
): readonly TextAt[] {
  const home = realOf(folder);
  return [
    ...files.map(({ inside = '', text }) => ({ path: join(home, inside), text })),
    ...layers
      .flatMap(({ path }) => findAllUpwards(path, PROJECT_FILE, projectFiles))
      .flatMap(({ file, text }) => (text === undefined ? [] : [{ path: file, text }])),
  ];
}

const NOT_COMMITTED: NotCommitted = { why: 'they are not committed to git' };

function notCommitted({ path, is }: Differing): NotCommitted {
  const why = `${nameText(path)} has uncommitted changes`;
  const word = shellWord(path);
  switch (is) {
    case 'new':
      return { why, hint: `commit it: \`git add --force ${word}\` if git ignores it` };
    case 'removed':
      return { why, hint: `commit its removal, or restore it: \`git checkout HEAD -- ${word}\`` };
    case 'changed':
      return {
        why,
        hint: `commit the files, then plan and apply them; if \`git status\` shows no change, compare it with \`git show ${shellWord(`HEAD:${path}`)}\``,
      };
  }
}

/**
 * The path of a folder or a file of desired state from the root of its repository; `.` for the root, and for a path outside a
 * repository.
 */
export function pathInRepository(path: string): string {
  const real = realOf(path);
  const folder = folderOf(real);
  const file = real === folder ? '' : basename(real);
  return `${prefixOf({ folder })}${file}`.replace(/\/$/, '') || '.';
}
