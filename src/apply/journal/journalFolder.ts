// The folders of journals and locks.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { compareTexts } from '../../model/text/compareTexts.ts';
import { quoted } from '../../model/text/visible.ts';
import {
  ForeignFolder,
  makeOwnFolder,
  type OwnFolder,
  refuseForeign,
} from '../../read/files/ownFolder.ts';
import { folderOf, folderUpwards, realOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import type { ApplyHost } from '../host.ts';
import { journalsIn } from './journalFile.ts';
import { stateFolder } from './stateFolder.ts';

/** The host values that determine where journals are stored. */
export type JournalsHost = Pick<ApplyHost, 'cwd' | 'env' | 'journals'>;

/**
 * The folder of journals of the desired state in `folder`: a folder for each project in the state
 * folder of the user, or in `journals` if that is set. Rejects with a `ForeignFolder` if the folder
 * exists and others can write to it.
 */
export async function journalsFor(folder: string, host: JournalsHost): Promise<string> {
  const path = journalsAt(folder, host);
  if (existsSync(path)) refuseForeign(ownFolder(path, host));
  return path;
}

/** The same folder without access to the disk, for messages. */
export function journalsAt(folder: string, host: JournalsHost): string {
  const home = homeOf(folder, host);
  const digest = createHash('sha256').update(home).digest('hex').slice(0, 8);
  return join(rootOf(host), `${basename(home)}-${digest}`);
}

/** The journals of all folders of desired state, newest first. */
export async function allJournals(host: JournalsHost): Promise<readonly string[]> {
  const root = rootOf(host);
  if (existsSync(root)) refuseForeign(ownFolder(root, host));
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries
    .filter(entry => entry.isDirectory())
    .map(({ name }) => join(root, name))
    .filter(folder => isOwn(folder, host));
  const found = [...new Set((await Promise.all(folders.map(journalsIn))).flat())];
  // The names begin with the time.
  return found.sort((a, b) => compareTexts(basename(b), basename(a)));
}

/** Whether the journals are in the state folder of the user, because no folder was chosen. */
export const isStateFolder = ({ journals = '' }: JournalsHost): boolean => journals === '';

const rootOf = (host: JournalsHost): string =>
  isStateFolder(host)
    ? join(stateFolder(host.env), 'journals')
    : resolve(host.cwd, host.journals ?? '');

/**
 * The folder for the journals of an account of a fleet. It replaces the chosen folder. Throws a
 * `ForeignFolder` if the folder of all accounts exists and others can write to it.
 */
export function fleetJournals(account: string, host: JournalsHost): string {
  const folder = join(rootOf(host), 'fleet');
  if (existsSync(folder)) refuseForeign(ownFolder(folder, host));
  return join(folder, account);
}

// A chosen folder may also be in the state folder. For example, the folders of a fleet are.
function ownFolder(path: string, host: JournalsHost): OwnFolder {
  const root = rootOf(host);
  const state = stateFolder(host.env);
  const isInState = root === state || root.startsWith(`${state}${sep}`);
  return { path, root: isInState ? state : root, isChosen: !isInState };
}

function isOwn(path: string, host: JournalsHost): boolean {
  try {
    refuseForeign(ownFolder(path, host));
    return true;
  } catch (error) {
    if (error instanceof ForeignFolder) return false;
    throw error;
  }
}

// The folder of the project file, or of the files if there is no project file.
function homeOf(folder: string, { cwd }: JournalsHost): string {
  const files = resolve(cwd, folder);
  // The folder may not exist, because a saved plan may be carried out on a machine without the
  // files of the plan.
  const near = existsSync(files) ? folderOf(files) : cwd;
  return folderUpwards(near, PROJECT_FILE) ?? near;
}

/**
 * The error for a folder of journals that leads out of the checkout through a link. A commit may
 * have added the link, so the user did not choose the target of the folder.
 */
export class LinkedFolder extends Error {
  override readonly name = 'LinkedFolder';

  constructor(link: string) {
    super(`${quoted(link)} is a link that the checkout may have brought`);
  }
}

/** Creates the folder of journals of the desired state in `path`. Rejects with an error if that is impossible, or with a `ForeignFolder`. */
export async function makeJournalsFor(path: string, host: JournalsHost): Promise<string> {
  const folder = journalsAt(path, host);
  const link = linkInCheckout(folder, homeOf(path, host));
  if (link !== null) throw new LinkedFolder(link);
  await makeOwnFolder(ownFolder(folder, host));
  // Makes git ignore the folder, because it may be inside a checkout.
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ifThere);
  return folder;
}

// The path of a link in the checkout that is a part of the path to the folder of journals; null if
// there is none. A commit may add such a link, and journals would then be written to the target of
// the link.
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
