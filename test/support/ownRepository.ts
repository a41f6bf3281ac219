// Before the tests: a hook of git, and `git bisect run`, name the repository of the project in variables. With them, git in the
// folder of a test would write to that repository.
import { execFileSync } from 'node:child_process';

/** The variables that name a repository, as git lists them. */
export const repositoryVariables = (): readonly string[] =>
  execFileSync('git', ['rev-parse', '--local-env-vars'], { encoding: 'utf8' }).trim().split('\n');

/** Removes these variables; the workers that run the tests start without them. */
export function setup(): void {
  for (const name of repositoryVariables()) delete process.env[name];
}
