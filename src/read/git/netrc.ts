// The passwords of servers in the `.netrc` of the user. If a server asks who it is, git uses them before the password of an address that it
// gets in variables, and so would sign in as somebody else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import type { Environment } from '../environment.ts';
import type { Setting } from './programKeys.ts';
import { UnusableRemote } from './unusableRemote.ts';

/** A user of a server, such as `https://host:8443`. */
export interface ServerUser {
  readonly server: string;
  readonly user: string;
  /** Empty if the address has none. */
  readonly password: string;
}

/**
 * Settings with which git signs in as this user although the `.netrc` has another one for the server. Rejects with an `UnusableRemote` if
 * git is too old for them. `version` is the answer of `git --version`.
 */
export async function aheadOfNetrc(
  { server, user, password }: ServerUser,
  env: Environment,
  version: () => Promise<string>,
): Promise<readonly Setting[]> {
  const host = URL.parse(server)?.hostname.replaceAll(/[[\]]/g, '') ?? '';
  const other = netrcTexts(env)
    .map(text => userIn(text, host))
    .find(found => found !== null);
  if (!other || (other.login === user && ['', other.password].includes(password))) return [];
  const [, major = 0, minor = 0] = /(\d+)\.(\d+)/.exec(await version()) ?? [];
  if (Number(major) * 1000 + Number(minor) < 2046)
    throw new UnusableRemote(
      `the address of a remote at ${quoted(server)} has another user than \`.netrc\` has for this host, and this git would sign in as the user of \`.netrc\``,
      'remove one of the two, or upgrade git to 2.46',
    );
  return [[`http.${server}.proactiveAuth`, 'basic']];
}

const NAMES = ['.netrc', '_netrc'] as const;

function netrcTexts({ HOME, USERPROFILE }: Environment): readonly string[] {
  const home = HOME ?? USERPROFILE;
  if (home === undefined) return [];
  return NAMES.flatMap(name => {
    try {
      return [readFileSync(join(home, name), 'utf8')];
    } catch {
      return [];
    }
  });
}

/** The first user that a `.netrc` has for a host; null if it has none. */
export function userIn(
  text: string,
  host: string,
): { readonly login: string; readonly password: string } | null {
  const words =
    text.replaceAll(/^\s*#.*$|\bmacdef\b(?:(?!\n\s*\n)[\s\S])*/gm, '').match(WORD) ?? [];
  const start = words.findIndex((word, i) => {
    const isThis = plain(words[i + 1])?.toLowerCase() === host.toLowerCase();
    return word === 'default' || (word === 'machine' && isThis);
  });
  if (start < 0) return null;
  const after = words.slice(start + 1);
  const end = after.findIndex(word => word === 'machine' || word === 'default');
  const entry = end < 0 ? after : after.slice(0, end);
  const fieldOf = (key: string): string =>
    entry.includes(key) ? (plain(entry[entry.indexOf(key) + 1]) ?? '') : '';
  return { login: fieldOf('login'), password: fieldOf('password') };
}

/** A word, or a text in quotation marks. */
const WORD = /"(?:\\.|[^"\\])*"|\S+/g;

const plain = (word: string | undefined): string | undefined =>
  word?.startsWith('"') ? word.slice(1, -1).replaceAll(/\\(.)/g, '$1') : word;
