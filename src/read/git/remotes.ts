// The remotes that a repository can reach. If a remote has no address, git takes its name for the path of a folder, which may be
// a part of the checkout with its own hooks.
import { settingsEnvironment } from './gitEnvironment.ts';
import { repositoryOf } from './repository.ts';
import type { GitPlace } from './runGit.ts';
import { inFolder, startGit } from './startGit.ts';

/** The names of all remotes with an address in the settings of the repository and of the job; `origin` comes first. */
export async function remotesOf({ folder, host }: GitPlace): Promise<readonly string[]> {
  const root = repositoryOf(folder)?.root;
  if (root === undefined) return [];
  const args = ['config', '--includes', '--name-only', '-z', '--get-regexp', '^remote\\..+\\.url$'];
  const env = settingsEnvironment(host, root);
  // git exits with 1 if there is no remote.
  const answer = await startGit([...inFolder(root), ...args], {}, env).catch(() => Buffer.alloc(0));
  const keys = answer.toString('utf8').split('\0').filter(Boolean);
  const names = new Set(keys.map(key => key.slice('remote.'.length, -'.url'.length)));
  return [...names].sort((one, other) => Number(other === 'origin') - Number(one === 'origin'));
}
