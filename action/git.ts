// Transfers recorded bases between a checkout and its remote: fetched before a run, pushed after it.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { remotesOf } from '../src/read/git/remotes.ts';
import { type GitPlace, gitFault, remoteGit } from '../src/read/git/runGit.ts';
import { inLine } from './forgeError.ts';
import { jobFolder } from './program.ts';

const BASES = 'refs/meshform-base/*:refs/meshform-base/*';

/** The refs of versions before 0.1.0: a folder without a base starts from them. Nothing moves them, so nothing pushes them. */
const FORMER = 'refs/meshform/*:refs/meshform/*';

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
 * Fetches the recorded bases into the repository of `folder`. Throws if the remote cannot be reached, because without a base the
 * run would look like a first run.
 */
export async function fetchBases(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const why = await transferred(folder, env, [
    'fetch',
    '--quiet',
    'origin',
    `+${BASES}`,
    `+${FORMER}`,
  ]);
  if (why !== null)
    throw new Error(`the recorded bases cannot be fetched from the remote: ${inLine(why)}`);
}

/** Pushes the recorded bases. Resolves to an error message on failure, because the next run would plan from an outdated base. */
export async function pushBases(folder: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const why = await transferred(folder, env, ['push', '--quiet', 'origin', BASES]);
  return why === null
    ? null
    : `everything was applied, but the recorded base cannot be pushed: ${inLine(why)}`;
}

// Why git could not do it; null if it could.
async function transferred(
  folder: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
): Promise<string | null> {
  const place: GitPlace = { folder, host: { env: gitEnv(env) } };
  try {
    if (!(await remotesOf(place)).includes('origin'))
      return 'the repository has no remote called origin';
    await remoteGit(place, args);
    return null;
  } catch (error) {
    return gitFault(error).why;
  }
}
