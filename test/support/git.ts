// Git in a test: commits of somebody who is nobody.
import { execFileSync } from 'node:child_process';

const IDENTITY = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];

/** What git answers in a folder. */
export function git(folder: string, ...args: string[]): string {
  const settings = IDENTITY.flatMap(setting => ['-c', setting]);
  return execFileSync('git', ['-C', folder, ...settings, ...args], { encoding: 'utf8' });
}
