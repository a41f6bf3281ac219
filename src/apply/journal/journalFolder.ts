// The folders of journals and locks.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { quoted } from '../../model/text/visible.ts';
import { makeFolder } from '../../read/files/makeFolder.ts';
import { folderOf, folderUpwards, realOf } from '../../read/files/upwards.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { ApplyHost } from '../host.ts';
import { journalsIn } from './journalFile.ts';
import { stateFolder } from './stateFolder.ts';

/** The host values that determine the place of journals. */
export type JournalsHost = Pick<ApplyHost, 'cwd' | 'env' | 'journals'>;

/**
 * The folder of journals of the desired state in `folder`: a folder for each project in the state folder of the user, or in
 * `journals`, where that is set.
 */
export async function journalsFor(folder: string, host: JournalsHost): Promise<string> {
  const home = homeOf(folder, host);
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return join(rootOf(host), `${basename(home)}-${digest}`);
}

/** The journals of all folders of desired state, newest first. */
export async function allJournals(host: JournalsHost): Promise<readonly string[]> {
  const root = rootOf(host);
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter(entry => entry.isDirectory()).map(({ name }) => join(root, name));
  const found = (await Promise.all(folders.map(journalsIn))).flat();
  // Their names begin with the time.
  return found.sort((a, b) => compareTexts(basename(b), basename(a)));
}

/** Whether the journals are in the state folder of the user, because no folder was chosen. */
export const isStateFolder = ({ journals = '' }: JournalsHost): boolean => journals === '';

const rootOf = (host: JournalsHost): string =>
  isStateFolder(host)
    ? join(stateFolder(host.env), 'journals')
    : resolve(host.cwd, host.journals ?? '');

// The folder of the project file or of the files themselves.
function homeOf(folder: string, { cwd }: JournalsHost): string {
  const files = resolve(cwd, folder);
  // A saved plan may be carried out on a machine that does not have its files.
  const near = existsSync(files) ? folderOf(files) : cwd;
  return folderUpwards(near, PROJECT_FILE) ?? near;
}

/** The folder of journals leads out of the checkout, by a link that a commit can have brought: whoever chose the folder did not choose this. */
export class LinkedFolder extends Error {
  override readonly name = 'LinkedFolder';

  constructor(link: string) {
    super(`${quoted(link)} is a link that the checkout may have brought`);
  }
}

/** Creates the folder of journals of the desired state in `path`. Rejects with an error if that is impossible. */
export async function makeJournalsFor(path: string, host: JournalsHost): Promise<string> {
  const folder = await journalsFor(path, host);
  const link = linkInCheckout(folder, homeOf(path, host));
  if (link !== null) throw new LinkedFolder(link);
  await makeFolder(folder, 0o700);
  // The folder may be inside of a checkout.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ifThere);
  return folder;
}

// A chosen folder may be in the checkout of the files, which may bring a link in its place: then journals would be
// written wherever the link leads.
function linkInCheckout(folder: string, files: string): string | null {
  const root = repositoryOf(files)?.root;
  let link: string | null = null;
  let found: string | null = null;
  for (let above = folder; above !== dirname(above); above = dirname(above)) {
    if (isLink(above)) link = above;
    else if (realOf(above) === root) found = link;
  }
  return found;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function ifThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
