// Settings of git in the variables of a job. A header with a token, an address with a password and the like are for commands that reach a
// remote: others get only the settings that they ask for.
import type { Environment } from '../environment.ts';
import type { Setting } from './programKeys.ts';

/** The settings in these variables whose keys match, as git reads them: a later one wins. */
export const jobSettings = (env: Environment, keys: RegExp): readonly Setting[] =>
  [...numberedIn(env), ...parametersIn(env.GIT_CONFIG_PARAMETERS ?? '')].flatMap(([key, value]) =>
    keys.test(key) ? [[key, withoutCredentials(key, value)] as const] : [],
  );

/** The number of settings in variables of their own. */
export const numberOfSettings = ({ GIT_CONFIG_COUNT: count }: Environment): number =>
  Number(count ?? 0) || 0;

// `GIT_CONFIG_KEY_0` and `GIT_CONFIG_VALUE_0`. The number of them is whatever somebody wrote.
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

// What `git -c` passes on: `'key'='value'`, or `'key=value'` of an older git. A key without a value is true.
function parametersIn(text: string): readonly Setting[] {
  return [...text.matchAll(PARAMETER)].map(([, first = '', separated, second]) => {
    if (separated !== undefined) return [unquoted(first), unquoted(second ?? "'true'")];
    const [, key = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(unquoted(first)) ?? [];
    return [key, value];
  });
}

const unquoted = (word: string): string => word.slice(1, -1).replaceAll(/'\\(['!])'/g, '$1');

// A condition of an include may ask for the address of a remote: its host and path are enough.
const withoutCredentials = (key: string, value: string): string =>
  /\.(?:push)?url$/i.test(key)
    ? value.replace(/^([a-z][\w+.-]*:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2')
    : value;
