// Checks remotes whose address is a path. git runs the hooks of the repository at that path, so it must not be a repository that
// a commit can create.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { settingsEnvironment } from './gitEnvironment.ts';
import { isChangeable } from './gitSettings.ts';
import type { Setting } from './programKeys.ts';
import { inFolder, startGit } from './startGit.ts';

/** The addresses of a remote; null for a name that git does not know as a remote. */
export interface Addresses {
  /** Git fetches from the first one. */
  readonly fetch: readonly string[] | null;
  readonly push: readonly string[] | null;
}

/** The addresses of a remote, as git computes them from all its settings. */
export async function addressesOf(
  root: string,
  host: ProgramHost,
  remote: string,
): Promise<Addresses> {
  const env = settingsEnvironment(host, root);
  const ask = async (...flags: string[]): Promise<readonly string[] | null> => {
    const args = [...inFolder(root), 'remote', 'get-url', '--all', ...flags, '--', remote];
    const answer = await startGit(args, {}, env).catch(() => null);
    return answer && String(answer).split('\n').filter(Boolean);
  };
  const [fetch, push] = await Promise.all([ask(), ask('--push')]);
  return { fetch, push };
}

/** The first of the addresses that leads into the checkout outside any `.git`; null if there is none. */
export function addressInCheckout(
  root: string,
  remote: string,
  { fetch, push }: Addresses,
): string | null {
  // If `remote` is not the name of a remote, it is an address itself.
  const addresses = [fetch ?? [remote], push ?? [remote]].flat();
  return addresses.find(address => isPathInCheckout(root, address)) ?? null;
}

/** Where a remote is pushed to. */
export interface PushAddresses {
  readonly push: readonly string[];
  /** The first address in `pushurl`, before other settings replace a part of it; absent without a `pushurl`. */
  readonly written?: string;
  /** The other settings of the remote that decide how its server is reached, without the name of the remote. */
  readonly ways: readonly Setting[];
}

const WAYS = ['proxy', 'proxyAuthMethod', 'uploadpack'] as const;

/** The keys of these settings for all remotes, as git lists them. */
const SETTINGS = `^remote\\..+\\.(${['pushurl', ...WAYS].join('|').toLowerCase()})$`;

/**
 * The addresses to which git pushes, if they differ from the address from which it fetches; null if they do not differ, or if
 * there is no such remote.
 */
export async function otherPushAddress(
  root: string,
  host: ProgramHost,
  remote: string,
  { fetch, push }: Addresses,
): Promise<PushAddresses | null> {
  const [from] = fetch ?? [];
  const to = push ?? [];
  if (from === undefined || to.every(address => address === from)) return null;
  const args = ['config', '--includes', '-z', '--get-regexp', SETTINGS];
  const env = settingsEnvironment(host, root);
  const answer = await startGit([...inFolder(root), ...args], {}, env).catch(() => '');
  const said = String(answer)
    .split('\0')
    .map(entry => entry.split(/\n(.*)/s));
  const valuesOf = (key: string): readonly string[] =>
    said.flatMap(([name, value]) =>
      value && name === `remote.${remote}.${key.toLowerCase()}` ? [value] : [],
    );
  const [written] = valuesOf('pushurl');
  const ways = WAYS.flatMap((key): Setting[] => {
    const value = valuesOf(key).at(-1);
    return value === undefined ? [] : [[key, value]];
  });
  return { push: to, ...(written !== undefined && { written }), ways };
}

function isPathInCheckout(root: string, address: string): boolean {
  const path = pathOf(address);
  return path !== null && isChangeable(root, realOf(repositoryAt(resolve(root, path))));
}

/** The path that an address names, as git interprets it; null for a host or a program. */
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

// The first path at which git would find a repository, in its own order. A folder is a repository only if it contains a HEAD.
function repositoryAt(path: string): string {
  const places = ['/.git', '', '.git/.git', '.git'].map(end => `${path}${end}`);
  return places.find(place => isFile(place) || existsSync(join(place, 'HEAD'))) ?? path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
