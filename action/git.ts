// Transfers recorded bases between a checkout and its remote: fetched before a run, pushed after it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobFolder, runProgram } from './program.ts';

const REFS = '+refs/meshform/*:refs/meshform/*';

/**
 * The environment in which git can use the token of the job, without the token itself: git reads it from a file of the job. If
 * it were in a variable, files of desired state could use it as the source of a secret.
 */
export function gitEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GITHUB_TOKEN: token, ...others } = env;
  const server = env.GITHUB_SERVER_URL;
  if (!token || !server?.startsWith('https://')) return others;
  const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
  const file = join(jobFolder(env), 'git-credentials.config');
  const lines = [`[http "${server}/"]`, `\textraheader = "AUTHORIZATION: basic ${basic}"`, ''];
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return {
    ...others,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'include.path',
    GIT_CONFIG_VALUE_0: file,
  };
}

/**
 * Fetches the recorded bases. Throws if the remote cannot be reached, because without a base the run would look like a first
 * run.
 */
export async function fetchBases(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['fetch', '--quiet', 'origin', REFS];
  const { code } = await runProgram('git', args, { cwd, env: gitEnv(env) });
  if (code !== 0) throw new Error('the recorded bases cannot be fetched from the remote');
}

/** Pushes the recorded bases. Throws on failure, because the next run would plan from an outdated base. */
export async function pushBases(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['push', '--quiet', 'origin', REFS.slice(1)];
  const { code } = await runProgram('git', args, { cwd, env: gitEnv(env) });
  if (code !== 0) throw new Error('everything was applied, but the recorded base cannot be pushed');
}
