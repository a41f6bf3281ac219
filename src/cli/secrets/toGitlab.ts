// Secrets to the later jobs of a pipeline of GitLab: a file of variables for `artifacts: reports: dotenv`.
import type { KeepSecret } from '../../apply/run/port.ts';
import type { Io } from '../io.ts';
import { appendingTo } from './appending.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { outputName, refuseTwins } from './outputNames.ts';

/** Adds secrets to the file of variables at `path`. Throws a `Stop` where nothing can be added to it. */
export async function toGitlab(
  path: string,
  awaited: readonly AwaitedSecret[],
  io: Io,
): Promise<KeepSecret> {
  refuseTwins(awaited);
  const add = await appendingTo(path, line => /^\s*(?:#|(?:export\s+)?\w+\s*=)/.test(line), io);
  return async secret =>
    /[\r\n]/.test(secret.value)
      ? 'it has several lines, which a file of variables cannot hold'
      : add(`${outputName(secret).toUpperCase()}=${secret.value}\n`);
}
