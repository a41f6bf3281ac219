// Git in a test: commits of somebody who is nobody.
import { execFileSync } from 'node:child_process';

const IDENTITY = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];
/** Otherwise each commit starts a second process, which finds nothing to tidy up. */
const NO_UPKEEP = ['maintenance.auto=false', 'gc.auto=0'];

/** What git answers in a folder. */
export function git(folder: string, ...args: string[]): string {
  return asked(folder, args, process.env);
}

/** The same, at a time in milliseconds since 1970: commits and logs of refs have this date. */
export function gitAt(folder: string, time: number, ...args: string[]): string {
  const date = `@${Math.floor(time / 1000)} +0000`;
  const dates = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  return asked(folder, args, { ...process.env, ...dates });
}

/** The applied revision that the base at a ref names; empty if there is no such base. */
export function appliedRevision(folder: string, ref: string): string {
  const [base = ''] = git(folder, 'for-each-ref', '--format=%(objectname)', ref).split('\n');
  return base === '' ? '' : git(folder, 'rev-parse', `${base}^1`).trim();
}

function asked(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): string {
  const settings = [...IDENTITY, ...NO_UPKEEP].flatMap(setting => ['-c', setting]);
  return execFileSync('git', ['-C', folder, ...settings, ...args], { encoding: 'utf8', env });
}
