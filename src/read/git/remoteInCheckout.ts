// Checks remotes whose address is a path. git runs the hooks of the repository at that path, so it must not be a repository that
// a commit can create.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ProgramHost } from '../environment.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { addressEnvironment, settingsEnvironment } from './gitEnvironment.ts';
import { isChangeable } from './gitSettings.ts';
import { jobSettings } from './jobSettings.ts';
import { percentDecoded } from './percentDecoded.ts';
import type { Setting } from './programKeys.ts';
import { RemoteAddress } from './remoteAddress.ts';
import { inFolder, startGit } from './startGit.ts';

/** The addresses of a remote; null for a name that git does not know as a remote. */
export interface Addresses {
  /** Git fetches from the first one. */
  readonly fetch: readonly RemoteAddress[] | null;
  readonly push: readonly RemoteAddress[] | null;
}

/** The addresses of a remote, as git computes them from all its settings. */
export async function addressesOf(
  root: string,
  host: ProgramHost,
  remote: string,
): Promise<Addresses> {
  const { env, restored } = addressEnvironment(host, root);
  const ask = async (...flags: string[]): Promise<readonly RemoteAddress[] | null> => {
    const args = [...inFolder(root), 'remote', 'get-url', '--all', ...flags, '--', remote];
    const answer = await startGit(args, {}, env).catch(() => null);
    if (answer === null) return null;
    const lines = String(answer).split('\n').filter(Boolean);
    return lines.map(line => new RemoteAddress(restored(line)));
  };
  const [fetch, push] = await Promise.all([ask(), ask('--push')]);
  return { fetch, push };
}

/** The first of the addresses that leads into the checkout outside any `.git`; null if there is none. */
export function addressInCheckout(
  root: string,
  remote: string,
  { fetch, push }: Addresses,
): RemoteAddress | null {
  // If `remote` is not the name of a remote, it is an address itself.
  const named = [new RemoteAddress(remote)];
  const addresses = [fetch ?? named, push ?? named].flat();
  return addresses.find(({ forGit }) => isPathInCheckout(root, forGit)) ?? null;
}

/** Whether git pushes to a remote at a different address than it fetches from. */
export const isElsewhere = ({ fetch, push }: Addresses): boolean =>
  fetch?.[0] !== undefined && (push ?? []).some(({ forGit }) => forGit !== fetch[0]?.forGit);

const WAYS = ['proxy', 'proxyAuthMethod', 'uploadpack'] as const;

/** The keys of these settings for all remotes, as git lists them. */
const SETTINGS = `^remote\\..+\\.(${WAYS.join('|').toLowerCase()})$`;

/**
 * The settings that determine how the server of a remote is reached, without the name of the
 * remote.
 */
export async function waysOf(
  root: string,
  host: ProgramHost,
  remote: string,
): Promise<readonly Setting[]> {
  const args = ['config', '--includes', '-z', '--get-regexp', SETTINGS];
  const env = settingsEnvironment(host, root);
  const answer = await startGit([...inFolder(root), ...args], {}, env).catch(() => '');
  const inFiles = String(answer)
    .split('\0')
    .map(entry => entry.split(/\n(.*)/s));
  const inVariables = jobSettings(host.env, new RegExp(SETTINGS, 'i'));
  const found = [...inFiles, ...inVariables.map(([key, value]) => [asListed(key), value])];
  return WAYS.flatMap((key): Setting[] => {
    const name = `remote.${remote}.${key.toLowerCase()}`;
    const [, value] = found.findLast(([one, value]) => value && one === name) ?? [];
    return value === undefined ? [] : [[key, value]];
  });
}

/** Settings by which git finds the password of a user: a program that it asks, and settings for addresses with this user. */
const OF_USERS = '^(core\\.askpass|(credential|http)\\.https?://[^/]*@.*)$';

/** Programs that git asks for a password. */
const ASKS = ['GIT_ASKPASS', 'SSH_ASKPASS'] as const;

/**
 * Whether git may find the password of a user in an address by other means: it asks a program, or settings are for addresses with a
 * user. Then the user stays in the address, because only git knows what it would find.
 */
export async function findsByUser(root: string, host: ProgramHost): Promise<boolean> {
  if (ASKS.some(name => host.env[name])) return true;
  if (jobSettings(host.env, new RegExp(OF_USERS, 'i')).some(([, value]) => value !== ''))
    return true;
  const args = ['config', '--includes', '-z', '--get-regexp', OF_USERS];
  const env = settingsEnvironment(host, root);
  const answer = await startGit([...inFolder(root), ...args], {}, env).catch(() => '');
  return String(answer)
    .split('\0')
    .some(entry => /\n./.test(entry));
}

// git lists the last part of a key in lower case.
const asListed = (key: string): string => key.replace(/[^.]*$/, last => last.toLowerCase());

function isPathInCheckout(root: string, address: string): boolean {
  const path = pathOf(address);
  return path !== null && isChangeable(root, realOf(repositoryAt(resolve(root, path))));
}

/** The path that an address names, as git interprets it; null for a host or a program. */
function pathOf(address: string): string | null {
  const [, file] = /^file:\/\/(.*)$/is.exec(address) ?? [];
  if (file !== undefined) return percentDecoded(file.startsWith('/') ? file : `//${file}`);
  return /^[^/]*:/.test(address) ? null : address;
}

// The places in which git looks for a repository, in its order. A folder is a repository only if it contains a HEAD.
function repositoryAt(path: string): string {
  const places = ['/.git', '', '.git/.git', '.git'].map(end => `${path}${end}`);
  return places.find(place => isFile(place) || existsSync(join(place, 'HEAD'))) ?? path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
