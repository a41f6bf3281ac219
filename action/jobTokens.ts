// The tokens of the job. Programs that the action starts do not get them, except git while it contacts the remote.
import { holdSettings } from './heldText.ts';
import { SIGNALS } from './interrupts.ts';

/** Tokens that a runner may give to every step, besides the token of the job. */
const OF_RUNNER = /^(?:GITHUB_TOKEN|ACTIONS_RUNTIME_TOKEN|ACTIONS_ID_TOKEN_REQUEST_TOKEN)$/;

/**
 * The environment without the tokens of the job, whatever the names of their variables are: files of desired state can use any
 * variable that meshform gets as the source of a secret.
 */
export function withoutJobTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GITHUB_TOKEN: token } = env;
  const isToken = (name: string, value = '') =>
    OF_RUNNER.test(name) || (token !== undefined && token !== '' && value.includes(token));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isToken(name, value)));
}

/**
 * Runs `use` with an environment in which git can sign in with the token of the job. No variable contains the token: git reads it
 * at a path, until `use` ends, fails or is interrupted.
 */
export async function withGitToken<T>(
  env: NodeJS.ProcessEnv,
  use: (env: NodeJS.ProcessEnv) => Promise<T>,
): Promise<T> {
  const { GITHUB_TOKEN: token, GITHUB_SERVER_URL: server } = env;
  const others = withoutJobTokens(env);
  if (!token || !server?.startsWith('https://')) return use(others);
  const settings = await holdSettings(signInText(server, token), env);
  // The token is erased before the interrupt is forwarded to a running program.
  for (const signal of SIGNALS) process.prependListener(signal, settings.erase);
  try {
    return await use(withSettings(others, settings.path));
  } finally {
    for (const signal of SIGNALS) process.off(signal, settings.erase);
    settings.release();
  }
}

function signInText(server: string, token: string): string {
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  // The empty value removes a header that a checkout has left in the repository. With two such headers, the server would reject
  // the request.
  const headers = ['', `AUTHORIZATION: basic ${basic}`].map(one => `\textraheader = "${one}"`);
  return [`[http "${server}/"]`, ...headers, ''].join('\n');
}

// Adds the file to the settings of git in the environment. Settings that the job itself passes in variables stay.
function withSettings(env: NodeJS.ProcessEnv, file: string): NodeJS.ProcessEnv {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  return {
    ...env,
    GIT_CONFIG_COUNT: String(before + 1),
    [`GIT_CONFIG_KEY_${before}`]: 'include.path',
    [`GIT_CONFIG_VALUE_${before}`]: file,
  };
}
