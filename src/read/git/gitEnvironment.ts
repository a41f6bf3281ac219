// The environment for git.
import { dirname } from 'node:path';
import {
  neededEnvironment,
  type ObjectFolder,
  ordinaryEnvironment,
  type ProgramHost,
} from '../environment.ts';
import {
  heldBackSettings,
  jobSettings,
  numberOfSettings,
  parameterSettings,
} from './jobSettings.ts';
import type { Setting } from './programKeys.ts';

/** The environment of a command that needs only the repository at `root`. */
export function localEnvironment(host: ProgramHost, root: string): Record<string, string> {
  // git must not look for a repository above `root`, and must write nothing that it was not asked to write.
  return {
    ...ordinaryEnvironment(host),
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    ...TRUE_HISTORY,
  };
}

/** Makes git use only the parents that the commits themselves contain. A clone may define other parents, which no remote has. */
const TRUE_HISTORY = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' } as const;

/** Settings for the same purpose. A commit graph is a copy of the commits that git does not compare with them. */
export const HISTORY_SETTINGS: readonly Setting[] = [
  ['core.commitGraph', 'false'],
  ['advice.graftFileDeprecated', 'false'],
];

/** The variables with which git writes objects into a separate folder, as git itself does for the objects of a push. */
export const objectEnvironment = (objects: ObjectFolder | undefined): Record<string, string> =>
  objects === undefined
    ? {}
    : {
        GIT_OBJECT_DIRECTORY: objects.path,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: listedPath(objects.repositoryObjects),
      };

// The path as an element of the variable's list, in which a path may be quoted as in C.
const listedPath = (path: string): string =>
  /[:;"#]/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path;

/**
 * The variables by which git finds a repository without searching for it. With them, git does not check who owns the repository.
 */
const REPOSITORY =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|SHALLOW_FILE|GRAFT_FILE|IMPLICIT_WORK_TREE|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR)$/;

/**
 * The variables by which git and ssh reach a remote and sign in, and by which git, ssh and their helpers find settings, agents
 * and keys.
 */
const REMOTE =
  /^(?:GIT_(?:ASKPASS|ALLOW_PROTOCOL|CONFIG_\w+|CURL_VERBOSE|EXEC_PATH|HTTP_\w+|PROTOCOL|PROXY_\w+|SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|TERMINAL_PROMPT|TRACE\w*)|SSH_(?:ASKPASS|ASKPASS_REQUIRE|AUTH_SOCK|AGENT_PID|SK_PROVIDER)|KRB5\w*|SSL_CERT_\w+|CURL_CA_BUNDLE|XDG_(?:CONFIG|CACHE|DATA)_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|GNUPGHOME|GPG_TTY|TERM|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA)$/;

/** Proxies, in either case. */
const PROXY = /^(?:HTTPS?|ALL|NO)_PROXY$/i;

/** The variable that lists, separated by blanks, the names of further variables with which helpers of git sign in to a remote. */
const MORE = 'MESHFORM_GIT_VARIABLES';

/** The environment of a command that signs in to a remote of the repository at `root`. */
export function remoteEnvironment(host: ProgramHost, root: string): Record<string, string> {
  const named = new Set((host.env[MORE] ?? '').split(/\s+/));
  const env = neededEnvironment(
    host,
    name => !REPOSITORY.test(name) && (REMOTE.test(name) || PROXY.test(name) || named.has(name)),
  );
  return { ...env, GIT_CEILING_DIRECTORIES: dirname(root), ...TRUE_HISTORY };
}

/** The variables that name the settings files of the system and the user, and the identity of commits. */
const SETTINGS =
  /^(?:GIT_CONFIG_(?:SYSTEM|GLOBAL|NOSYSTEM)|XDG_CONFIG_HOME|GIT_COMMITTER_(?:NAME|EMAIL)|EMAIL)$/;

/**
 * The keys of the settings that a command may read from variables: included files and their conditions, and the keys that
 * commands here ask for. Of the keys that replace a part of an address, only those whose replacement is a path are included,
 * because others contain tokens.
 */
const ASKED =
  /^(?:include\.path|includeif\..+\.path|remote\..+\.(?:push)?url|url\.(?:file:\/\/.*|(?!.*:\/\/).*)\.(?:push)?insteadof|safe\.directory|user\.useconfigonly|(?:user|author|committer)\.(?:name|email))$/i;

/**
 * The environment of a command that only reads settings, in the repository at `root` or in none. It contains the variables that
 * name settings files. Of the settings in variables, it contains only those for which commands here ask, and no credentials of
 * the job for a remote.
 */
export function settingsEnvironment(host: ProgramHost, root?: string): Record<string, string> {
  return { ...placesOfSettings(host, root), ...settingsIn({}, jobSettings(host.env, ASKED)) };
}

/** The same keys, and all keys that replace a part of an address. */
const OF_ADDRESSES = new RegExp(`${ASKED.source}|^url\\..+\\.(?:push)?insteadof$`, 'i');

/**
 * The environment of a command that computes the addresses of a remote from all settings, also from those that put a token into an address:
 * the command gets placeholders, and `restored` puts the tokens into its answer.
 */
export function addressEnvironment(
  host: ProgramHost,
  root: string,
): { readonly env: Record<string, string>; readonly restored: (address: string) => string } {
  const { settings, restored } = heldBackSettings(host.env, OF_ADDRESSES);
  return { env: { ...placesOfSettings(host, root), ...settingsIn({}, settings) }, restored };
}

function placesOfSettings(host: ProgramHost, root: string | undefined): Record<string, string> {
  const { env } = host;
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && SETTINGS.test(entry[0]),
  );
  return {
    ...ordinaryEnvironment(host),
    ...Object.fromEntries(given),
    ...(root === undefined ? {} : { GIT_CEILING_DIRECTORIES: dirname(root) }),
  };
}

/**
 * Variables with the settings of `env` followed by `settings`, which take precedence. git reads the parameters of `git -c` last, so
 * they become numbered settings too.
 */
export function settingsIn(
  env: Readonly<Record<string, string>>,
  settings: readonly Setting[],
): Record<string, string> {
  const before = numberOfSettings(env);
  const added = [...parameterSettings(env), ...settings];
  const numbered = added.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${before + i}`, key],
    [`GIT_CONFIG_VALUE_${before + i}`, value],
  ]);
  return {
    ...Object.fromEntries(numbered),
    GIT_CONFIG_COUNT: String(before + added.length),
    ...(env.GIT_CONFIG_PARAMETERS !== undefined && { GIT_CONFIG_PARAMETERS: '' }),
  };
}
