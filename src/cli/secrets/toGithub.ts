// Secrets to the later steps of a job of GitHub Actions: masked in its log first, then an output or a variable.
import { randomUUID } from 'node:crypto';
import type { KeepSecret } from '../../apply/run/port.ts';
import { append } from '../../read/files/appendFile.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { EXIT } from '../exitCodes.ts';
import { control, type Io } from '../io.ts';
import { Stop } from '../stop.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { outputName, refuseTwins } from './outputNames.ts';

/** Adds secrets to the job's outputs or variables. Throws a `Stop` where there is no such job. */
export async function toGithub(
  as: 'output' | 'env',
  awaited: readonly AwaitedSecret[],
  { env, stderr }: Io,
): Promise<KeepSecret> {
  const variable = as === 'env' ? 'GITHUB_ENV' : 'GITHUB_OUTPUT';
  const file = env[variable];
  if (env.GITHUB_ACTIONS !== 'true' || file === undefined)
    throw new Stop(
      EXIT.usage,
      'secrets cannot be stored: this is not a job of GitHub Actions',
      ELSEWHERE,
    );
  refuseTwins(awaited);
  const add = (text: string) =>
    append(file, text).then(
      () => null,
      (error: unknown) => `the file of ${variable} cannot be written: ${reasonOf(error)}`,
    );
  const why = await add('');
  if (why !== null) throw new Stop(EXIT.usage, `secrets cannot be stored: ${why}`, ELSEWHERE);
  return secret => {
    // The runner takes this line out of the log, and the secret out of every line after it. It reads both streams; the
    // one for documents may have been turned to a file.
    control(stderr, secret.value.split(/\r?\n/).map(masked).join(''));
    const name = as === 'env' ? outputName(secret).toUpperCase() : outputName(secret);
    const end = `end-${randomUUID()}`;
    return add(`${name}<<${end}\n${secret.value}\n${end}\n`);
  };
}

const ELSEWHERE = 'choose another destination with --secrets-to';

const masked = (line: string): string =>
  line === '' ? '' : `::add-mask::${line.replaceAll('%', '%25').replaceAll('\r', '%0D')}\n`;
