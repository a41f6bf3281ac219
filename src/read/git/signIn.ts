// How git signs in at an address with a user and a password without them in its arguments, which other users of the machine can
// read: git passes an address with everything in it to the program that reaches the server.
import { quoted } from '../../model/text/visible.ts';
import type { ServerUser } from './netrc.ts';
import { percentDecoded, percentDecodedBytes } from './percentDecoded.ts';
import type { Setting } from './programKeys.ts';
import type { RemoteAddress } from './remoteAddress.ts';
import { UnusableRemote } from './unusableRemote.ts';

/** An address without credentials, and the settings with which git signs in there. */
export interface SignIn {
  readonly address: string;
  readonly settings: readonly Setting[];
  /** Variables of git with the credentials; only the same user can read the variables of a process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Who signs in, and where. */
  readonly at: ServerUser;
}

const USER = 'GIT_REMOTE_USER';
const PASSWORD = 'GIT_REMOTE_PASSWORD';

/**
 * A command of a shell that starts no program; `get` is what git asks for. The variables are as `printf` reads them for `%b`, because
 * a variable of this process can have no bytes that are not UTF-8.
 */
const HELPER = `!f() { test "$1" = get && printf 'username=%b\\npassword=%b\\n' "$${USER}" "$${PASSWORD}"; }; f`;

// git and its helpers tell each other one fact a line. With a line break, a password would be followed by facts such as another host.
const LINES = /[\n\r\0]/;
const linesText = (address: RemoteAddress): string =>
  `the address of a remote at ${quoted(`${address}`)} has a user or a password with a line break or a NUL, percent-encoded or not`;
const WITHOUT = 'correct the address with `git remote set-url`';

/**
 * How git signs in at an address that has credentials; null if it has none. An address with a user and no password is also null if
 * git finds the password of this user elsewhere (`isFoundByUser`). Throws an `UnusableRemote` if a user or a password contains a line
 * break or a NUL.
 */
export function signInAt(address: RemoteAddress, isFoundByUser: boolean): SignIn | null {
  const [, scheme = '', written, rest = ''] =
    /^(https?:\/\/)([^/?#]*)@(.*)$/is.exec(address.forGit) ?? [];
  if (written === undefined) return null;
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(written) ?? [];
  if (LINES.test(percentDecoded(written))) throw new UnusableRemote(linesText(address), WITHOUT);
  if (password === undefined && isFoundByUser) return null;
  const server = `${scheme}${rest.replace(/[/?#].*$/s, '')}`;
  const helper: Setting = [`credential.${server}.helper`, HELPER];
  // Without a password, helpers of the user may have one. Otherwise, the user is the token, and its password is empty.
  const before: Setting =
    password === undefined
      ? [`credential.${server}.username`, percentDecoded(user)]
      : [`credential.${server}.helper`, ''];
  return {
    address: `${scheme}${rest}`,
    // Without this, git would rather sign in with a Kerberos ticket of the user.
    settings: [[`http.${server}.emptyAuth`, 'false'], before, helper],
    variables: { [USER]: printed(user), [PASSWORD]: printed(password ?? '') },
    at: { server, user: percentDecoded(user), password: percentDecoded(password ?? '') },
  };
}

// A part of an address in the form in which `printf` reads its bytes for `%b`.
const printed = (part: string): string =>
  Array.from(percentDecodedBytes(part), byte =>
    byte < 0x80 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\0${byte.toString(8).padStart(3, '0')}`,
  ).join('');
