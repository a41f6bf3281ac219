// Lets git sign in at an address with a user and a password that are not in its arguments. Other
// users of the machine can read the arguments, because git passes a whole address to the program
// that contacts the server.
import { percentDecoded } from './percentDecoded.ts';
import type { Setting } from './programKeys.ts';

/** An address without credentials, and the settings with which git signs in there. */
export interface SignIn {
  readonly address: string;
  readonly settings: readonly Setting[];
  /** Variables of git with the credentials; only the same user can read the variables of a process. */
  readonly variables: Readonly<Record<string, string>>;
}

const USER = 'GIT_REMOTE_USER';
const PASSWORD = 'GIT_REMOTE_PASSWORD';

/** A command of a shell that starts no program; `get` is what git asks for. */
const HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$${USER}" "$${PASSWORD}"; }; f`;

/** Programs that git asks for a password. */
const ASKS = ['GIT_ASKPASS', 'SSH_ASKPASS'] as const;

/**
 * How git signs in at an address that has credentials; null if it has none. An address with a user and no password is also null if
 * `env` names a program that git would ask for the password.
 */
export function signInAt(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): SignIn | null {
  const [, scheme = '', written, rest = ''] = /^(https?:\/\/)([^/?#]*)@(.*)$/is.exec(address) ?? [];
  if (written === undefined) return null;
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(written) ?? [];
  if (password === undefined && ASKS.some(name => env[name])) return null;
  const server = `${scheme}${rest.replace(/[/?#].*$/s, '')}`;
  const helper: Setting = [`credential.${server}.helper`, HELPER];
  // Without a password, helpers of the user may have one. Otherwise, the user is the token, and its password is empty.
  const before: Setting =
    password === undefined
      ? [`credential.${server}.username`, percentDecoded(user)]
      : [`credential.${server}.helper`, ''];
  return {
    address: `${scheme}${rest}`,
    settings: [before, helper],
    variables: { [USER]: percentDecoded(user), [PASSWORD]: percentDecoded(password ?? '') },
  };
}
