// The holder of the lock according to the remote. Also the person or pipeline that runs meshform, according to git and the
// environment.
import type { Environment } from '../environment.ts';
import { settingsEnvironment } from '../git/gitEnvironment.ts';
import { looseObject } from '../git/looseObjects.ts';
import { repositoryOf } from '../git/repository.ts';
import { type GitPlace, git } from '../git/runGit.ts';
import { inFolder, startGit } from '../git/startGit.ts';

/** The message of a commit; null if the clone does not have the commit. Rejects if git fails. */
export async function messageOf(place: GitPlace, commit: string): Promise<string | null> {
  const loose = await looseObject(place, commit);
  if (loose !== null) return loose.type === 'commit' ? messageIn(loose.content) : null;
  const input = `${commit}\n`;
  const answer = (await git(place, ['cat-file', '--batch'], { input })).toString('utf8');
  if (!/^[0-9a-f]+ commit \d+\n/.test(answer)) return null;
  return messageIn(answer);
}

// The message after the header of a commit.
function messageIn(commit: Buffer | string): string {
  const text = commit.toString('utf8');
  const start = text.indexOf('\n\n');
  return start < 0 ? '' : text.slice(start + 2).trimEnd();
}

/** The committer according to the settings of git: `name <address>`; undefined if the settings name none. */
export async function personOf({ folder, host }: GitPlace): Promise<string | undefined> {
  const root = repositoryOf(folder)?.root;
  if (root === undefined) return undefined;
  const args = [...inFolder(root), 'var', 'GIT_COMMITTER_IDENT'];
  // git fails if it would have to make up an address.
  const answer = await startGit(args, {}, settingsEnvironment(host, root)).catch(() => '');
  const [, person] = /^(.*>) \d+ [+-]\d+$/.exec(answer.toString().trim()) ?? [];
  return person;
}

/** The address of the pipeline in which meshform runs, if the variables of the forge contain it; otherwise undefined. */
export function pipelineLink(env: Environment): string | undefined {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = env;
  const actions =
    GITHUB_SERVER_URL && GITHUB_REPOSITORY && GITHUB_RUN_ID
      ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`
      : undefined;
  const candidates = [actions, env.CI_JOB_URL, env.CI_PIPELINE_URL, env.BUILD_URL];
  return candidates.find(candidate => candidate !== undefined && isPage(candidate));
}

// Whether an address may be shown. It must contain no user name and no password, because everybody who reads the lock sees it.
function isPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
