// Remotes whose address is a path: git runs the hooks of the repository there, so it must not be a repository that a commit can
// create.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { realOf } from '../files/upwards.ts';
import { settingsEnvironment } from './gitEnvironment.ts';
import { isChangeable } from './gitSettings.ts';
import type { Setting } from './programKeys.ts';
import { inFolder, startGit } from './startGit.ts';

/**
 * The first address of a remote, for fetching or pushing, that leads into the checkout outside any `.git`; null if there is none.
 */
export async function addressInCheckout(
  root: string,
  host: ProgramHost,
  remote: string,
): Promise<string | null> {
  const env = settingsEnvironment(host, root);
  const ask = (...flags: string[]) =>
    startGit([...inFolder(root), 'remote', 'get-url', '--all', ...flags, '--', remote], {}, env);
  // If `remote` is not the name of a remote, it is an address itself.
  const answers = await Promise.all([ask(), ask('--push')].map(one => one.catch(() => remote)));
  const addresses = answers.flatMap(answer => String(answer).split('\n').filter(Boolean));
  return addresses.find(address => isPathInCheckout(root, address)) ?? null;
}

/** Where a remote is pushed to. */
export interface PushAddresses {
  readonly push: readonly string[];
  /** The first address as `pushurl` has it, before other settings replace a part of it; absent without a `pushurl`. */
  readonly written?: string;
  /** The settings of the remote, without its name, on how its server is reached. */
  readonly ways: readonly Setting[];
}

const WAYS = ['proxy', 'proxyAuthMethod', 'uploadpack'] as const;

/** The addresses of a remote if git pushes elsewhere than it fetches from; null if it does not, or for what is no remote. */
export async function otherPushAddress(
  root: string,
  host: ProgramHost,
  remote: string,
): Promise<PushAddresses | null> {
  const env = settingsEnvironment(host, root);
  const ask = async (...args: string[]): Promise<readonly string[]> => {
    const answer = await startGit([...inFolder(root), ...args], {}, env).catch(() => '');
    return String(answer).split('\n').filter(Boolean);
  };
  const [fetch] = await ask('remote', 'get-url', '--', remote);
  const push = await ask('remote', 'get-url', '--push', '--all', '--', remote);
  if (fetch === undefined || push.every(address => address === fetch)) return null;
  const setting = (key: string) =>
    ask('config', '--includes', '--get-all', `remote.${remote}.${key}`);
  const [written] = await setting('pushurl');
  const ways = await Promise.all(
    WAYS.map(async (key): Promise<Setting[]> => {
      const value = (await setting(key)).at(-1);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  return { push, ...(written !== undefined && { written }), ways: ways.flat() };
}

function isPathInCheckout(root: string, address: string): boolean {
  const path = pathOf(address);
  return path !== null && isChangeable(root, realOf(repositoryAt(resolve(root, path))));
}

/** The path that an address names, as git reads it; null for a host or a program. */
function pathOf(address: string): string | null {
  const [, file] = /^file:\/\/(.*)$/is.exec(address) ?? [];
  if (file !== undefined) return decoded(file.startsWith('/') ? file : `//${file}`);
  return /^[^/]*:/.test(address) ? null : address;
}

// git decodes the path of an address with a scheme; characters that are not encoded stay as they are.
const decoded = (path: string): string =>
  path.replaceAll(/(?:%[\da-f]{2})+/gi, bytes =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );

// The places in which git looks for a repository, in its order. A folder is a repository only if it contains a HEAD.
function repositoryAt(path: string): string {
  const places = ['/.git', '', '.git/.git', '.git'].map(end => `${path}${end}`);
  return places.find(place => isFile(place) || existsSync(join(place, 'HEAD'))) ?? path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
