// Transfers recorded bases between a checkout and its remote: fetched before a run, pushed after it.
import { rmSync, writeFileSync } from 'node:fs';
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
  const file = credentialsFile(env);
  // The empty value drops a header that a checkout has left in the repository: with two of them, the server refuses the request.
  const headers = ['', `AUTHORIZATION: basic ${basic}`].map(one => `\textraheader = "${one}"`);
  writeFileSync(file, [`[http "${server}/"]`, ...headers, ''].join('\n'), { mode: 0o600 });
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  return {
    ...others,
    GIT_CONFIG_COUNT: String(before + 1),
    [`GIT_CONFIG_KEY_${before}`]: 'include.path',
    [`GIT_CONFIG_VALUE_${before}`]: file,
  };
}

/** Removes the token from the folder of the job. */
export const forgetToken = (env: NodeJS.ProcessEnv): void =>
  rmSync(credentialsFile(env), { force: true });

const credentialsFile = (env: NodeJS.ProcessEnv): string =>
  join(jobFolder(env), 'git-credentials.config');

/**
 * Fetches the recorded bases. Throws if the remote cannot be reached, because without a base the run would look like a first
 * run.
 */
export async function fetchBases(cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['fetch', '--quiet', 'origin', REFS];
  const { code } = await runProgram('git', args, { cwd, env: gitEnv(env) });
  if (code !== 0) throw new Error('the recorded bases cannot be fetched from the remote');
}

/** Pushes the recorded bases. Resolves to an error message on failure, because the next run would plan from an outdated base. */
export async function pushBases(cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const args = ['push', '--quiet', 'origin', REFS.slice(1)];
  const { code } = await runProgram('git', args, { cwd, env: gitEnv(env) });
  return code === 0 ? null : 'everything was applied, but the recorded base cannot be pushed';
}
