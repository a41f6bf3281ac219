// Reads settings of git from the variables of a job. Settings with secrets, such as a header with a token or an address with a
// password, are only for commands that reach a remote. Other commands get only the settings for which they ask.
import type { Environment } from '../environment.ts';
import type { Setting } from './programKeys.ts';

/**
 * The settings in these variables whose keys match, in the order of git, in which a later setting takes precedence. Credentials
 * are removed from addresses.
 */
export const jobSettings = (env: Environment, keys: RegExp): readonly Setting[] =>
  givenIn(env, keys).map(([key, value]) => [key, withoutCredentials(key, value)] as const);

function givenIn(env: Environment, keys: RegExp): readonly Setting[] {
  const all = [...numberedIn(env), ...parameterSettings(env)];
  return all.filter(([key]) => keys.test(key));
}

/** Settings in whose addresses placeholders replace the parts that may be secret. */
export interface HeldBack {
  readonly settings: readonly Setting[];
  /** An address that git computed from these settings, with the held parts again. */
  readonly restored: (address: string) => string;
}

/**
 * The settings in these variables whose keys match, for a command that computes an address from them: credentials and queries of
 * addresses, and whole addresses that take the place of others, are held back.
 */
export function heldBackSettings(env: Environment, keys: RegExp): HeldBack {
  const held: string[] = [];
  const placeholder = (text: string): string => `meshform-held-${held.push(text) - 1}:`;
  const settings = givenIn(env, keys).map(([key, value]): Setting => {
    const [, base, end] = /^url\.(.*:\/\/.*)(\.[^.]+)$/s.exec(key) ?? [];
    if (base !== undefined) return [`url.${placeholder(base)}${end}`, value];
    if (!IS_ADDRESS.test(key)) return [key, value];
    const [, scheme = '', user, place = '', query] =
      /^([a-z][\w+.-]*:\/\/)(?:([^/?#]*)@)?([^?#]*)(.*)$/is.exec(value) ?? [];
    if (scheme === '') return [key, value];
    const before = user === undefined ? '' : `${placeholder(user)}@`;
    return [key, `${scheme}${before}${place}${query ? `?${placeholder(query)}` : ''}`];
  });
  const restored = (address: string): string =>
    address.replaceAll(/(\?)?meshform-held-(\d+):/g, (_, __, number) => held[Number(number)] ?? '');
  return { settings, restored };
}

const IS_ADDRESS = /\.(?:push)?url$/i;

/** The number of settings that are given as numbered variables. */
export const numberOfSettings = ({ GIT_CONFIG_COUNT: count }: Environment): number =>
  Number(count ?? 0) || 0;

// The settings in `GIT_CONFIG_KEY_0` and `GIT_CONFIG_VALUE_0` and so on. `GIT_CONFIG_COUNT` may be any number, so only existing
// variables are read.
function numberedIn(env: Environment): readonly Setting[] {
  const count = numberOfSettings(env);
  const numbers = Object.keys(env).flatMap(name => {
    const [, number] = /^GIT_CONFIG_KEY_(0|[1-9]\d*)$/.exec(name) ?? [];
    return number !== undefined && Number(number) < count ? [Number(number)] : [];
  });
  return numbers
    .sort((one, other) => one - other)
    .map(i => [env[`GIT_CONFIG_KEY_${i}`] ?? '', env[`GIT_CONFIG_VALUE_${i}`] ?? '']);
}

const QUOTED = "'(?:[^']|'\\\\['!]')*'";
const PARAMETER = new RegExp(`(${QUOTED})(?:(=)(${QUOTED})?)?(?:\\s+|$)`, 'g');

/** The settings in `GIT_CONFIG_PARAMETERS`, which git reads after the numbered ones. */
export const parameterSettings = (env: Environment): readonly Setting[] =>
  parametersIn(env.GIT_CONFIG_PARAMETERS ?? '');

// The settings that `git -c` passes on: `'key'='value'`, or `'key=value'` in an older git. A key without a value means true.
function parametersIn(text: string): readonly Setting[] {
  return [...text.matchAll(PARAMETER)].map(([, first = '', separated, second]) => {
    if (separated !== undefined) return [unquoted(first), unquoted(second ?? "'true'")];
    const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(unquoted(first)) ?? [];
    return [key, value];
  });
}

const unquoted = (word: string): string => word.slice(1, -1).replaceAll(/'\\(['!])'/g, '$1');

// An address without credentials. The condition of an include may compare the address of a remote, and needs only the host and
// the path.
const withoutCredentials = (key: string, value: string): string =>
  IS_ADDRESS.test(key)
    ? value.replace(/^([a-z][\w+.-]*:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2')
    : value;
