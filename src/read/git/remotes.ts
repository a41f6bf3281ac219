// The remotes that a repository can reach. If a remote has no address, git treats its name as the path of a folder, which may be
// a part of the checkout with its own hooks.
import { remoteSettings } from './gitSettings.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';

/**
 * The names of all remotes with an address, `origin` first, and the place that already contains these settings, so that a command
 * at that place does not read them again. If git fails, there are no names.
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
