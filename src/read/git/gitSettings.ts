// Settings that concern git itself: the folders that the user trusts, the settings in a repository, and the remotes.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { localEnvironment, settingsEnvironment, settingsIn } from './gitEnvironment.ts';
import type { Setting } from './programKeys.ts';
import { inFolder, isMissing, startGit } from './startGit.ts';

/** The folders that the system and the user trust, by the environment of the run. */
const known = new WeakMap<ProgramHost['env'], Promise<readonly string[]>>();

/** Whether the run has already read the trusted folders. */
export const areTrustedKnown = ({ env }: ProgramHost): boolean => known.has(env);

/** The values of `safe.directory` in the settings of the system and the user. */
export function trustedFolders(host: ProgramHost): Promise<readonly string[]> {
  const found = known.get(host.env) ?? readTrustedFolders(host);
  known.set(host.env, found);
  return found;
}

// Reads the trusted folders outside every repository, so that no repository can trust itself.
async function readTrustedFolders(host: ProgramHost): Promise<readonly string[]> {
  const env = { ...settingsEnvironment(host), GIT_DIR: '/dev/null' };
  const args = [...inFolder('/'), 'config', '-z', '--get-all', 'safe.directory'];
  const answer = await startGit(args, {}, env).catch(unlessMissing);
  return answer.toString('utf8').split('\0').slice(0, -1);
}

// git exits with 1 if there is no such setting.
function unlessMissing(error: unknown): Buffer {
  if (isMissing(error)) throw error;
  return Buffer.alloc(0);
}

/** The keys that the repository sets, in its own settings files and in the files that these include. */
export async function keysIn(
  root: string,
  host: ProgramHost,
  settings: readonly Setting[],
): Promise<readonly string[]> {
  const env = { ...localEnvironment(host, root), ...settingsIn({}, settings) };
  const args = ['config', '--list', '--includes', '--name-only', '-z'];
  try {
    const answer = await startGit([...inFolder(root), ...args], {}, env);
    return answer.toString('utf8').split('\0').filter(Boolean);
  } catch (error) {
    // If git refuses the repository, this command, which starts no program, throws an error with the reason.
    await startGit([...inFolder(root), 'rev-parse', '--git-dir'], {}, env);
    throw error;
  }
}

/** The settings of the repository and of the job that concern its remotes. */
export interface RemoteSettings {
  /** The names of all remotes with an address; `origin` comes first. */
  readonly names: readonly string[];
  /** The first file of the checkout from which git reads settings, by its path from the root; null if there is none. */
  readonly fileOfCheckout: string | null;
}

/** The settings that concern the remotes of the repository at `root`, from one listing. Rejects if git fails. */
export async function remoteSettings(root: string, host: ProgramHost): Promise<RemoteSettings> {
  const args = ['config', '--list', '--includes', '--show-origin', '--name-only', '-z'];
  const answer = await startGit([...inFolder(root), ...args], {}, settingsEnvironment(host, root));
  const said = answer.toString('utf8').split('\0');
  const origins = new Set(said.filter((_, i) => i % 2 === 0));
  const keys = said.filter((_, i) => i % 2 === 1);
  const names = new Set(keys.flatMap(key => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []));
  const paths = [...origins]
    .flatMap(origin => /^file:(.+)$/s.exec(origin)?.[1] ?? [])
    .map(file => realOf(resolve(root, file)));
  const file = paths.find(path => isChangeable(root, path));
  return {
    names: [...names].sort((one, other) => Number(other === 'origin') - Number(one === 'origin')),
    fileOfCheckout: file === undefined ? null : relative(root, file),
  };
}

/**
 * Whether a commit can change a file or folder, given by its path without links. A commit can change everything in a checkout
 * except the content of a `.git`.
 */
export function isChangeable(root: string, real: string): boolean {
  const path = relative(root, real);
  const parts = path.split(sep);
  return parts[0] !== '..' && !parts.includes('.git') && !isAbsolute(path);
}
