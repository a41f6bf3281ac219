// Secrets to the later jobs of a pipeline of GitLab: a file of variables for `artifacts: reports: dotenv`.
import { resolve } from 'node:path';
import type { KeepSecret } from '../../execute/port.ts';
import { appendPrivately } from '../../read/appendFile.ts';
import { reasonOf } from '../../read/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import { outputName, refuseTwins } from './outputNames.ts';
import type { AwaitedSecret } from './sink.ts';

/** Adds secrets to the file of variables at `path`. Throws a `Stop` where nothing can be added to it. */
export async function toGitlab(
  path: string,
  awaited: readonly AwaitedSecret[],
  { cwd }: Io,
): Promise<KeepSecret> {
  refuseTwins(awaited);
  const file = resolve(cwd, path);
  const add = (text: string) =>
    appendPrivately(file, text).then(
      () => null,
      (error: unknown) => `\`${path}\` cannot be written: ${reasonOf(error)}`,
    );
  const why = await add('');
  if (why !== null) throw new Stop(EXIT.usage, `no secret can be kept: ${why}`);
  return async secret =>
    /[\r\n]/.test(secret.value)
      ? 'it has several lines, which a file of variables cannot hold'
      : add(`${outputName(secret).toUpperCase()}=${secret.value}\n`);
}
