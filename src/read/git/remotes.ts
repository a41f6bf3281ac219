// The remotes that a repository can reach, and the settings that say so. If a remote has no address, git takes its name for the
// path of a folder, which may be a part of the checkout with its own hooks.
import { relative, resolve } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { realOf } from '../files/upwards.ts';
import { settingsEnvironment } from './gitEnvironment.ts';
import { isChangeable } from './gitSettings.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';
import { inFolder, startGit } from './startGit.ts';

/** What the settings of the repository and of the job say about its remotes. */
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
 * The names of all remotes with an address, `origin` first, and the place with the settings that say so: a command at that place
 * does not ask for them again. If git fails, there are no names.
 */
export async function remotesOf(
  place: GitPlace,
): Promise<{ readonly names: readonly string[]; readonly place: GitPlace }> {
  const root = repositoryOf(place.folder)?.root;
  const settings =
    root === undefined ? null : await remoteSettings(root, place.host).catch(() => null);
  return settings === null
    ? { names: [], place }
    : { names: settings.names, place: { ...place, settings } };
}
