// Recorded bases between a checkout and its remote: fetched before a run, pushed after it.
import { runProgram } from './program.ts';

const REFS = '+refs/meshform/*:refs/meshform/*';

/** The environment in which git may use the token of the job: the checkout need not keep it on disk. */
export function gitEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GITHUB_TOKEN: token, GITHUB_SERVER_URL: server } = env;
  if (!token || !server?.startsWith('https://')) return env;
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  return {
    ...env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${server}/.extraheader`,
    GIT_CONFIG_VALUE_0: `AUTHORIZATION: basic ${basic}`,
  };
}

/** Fetches the recorded bases. Throws where the remote cannot be reached: a base that is missing would look like a first run. */
export async function fetchBases(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code } = await runProgram('git', ['fetch', '--quiet', 'origin', REFS], {
    cwd,
    env: gitEnv(env),
  });
  if (code !== 0) throw new Error('the recorded bases cannot be fetched from the remote');
}

/** Pushes the recorded bases. Throws where that fails: the next run would plan from an older base. */
export async function pushBases(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { code } = await runProgram('git', ['push', '--quiet', 'origin', REFS.slice(1)], {
    cwd,
    env: gitEnv(env),
  });
  if (code !== 0) throw new Error('everything was applied, but the recorded base cannot be pushed');
}
