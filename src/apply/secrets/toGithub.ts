// Secrets to the later steps of a job of GitHub Actions: masked in its log first, then an output or a variable.
import { randomUUID } from 'node:crypto';
import { append } from '../../read/files/appendFile.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { KeepSecret } from '../run/port.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { outputName, twins } from './outputNames.ts';
import type { PlaceHost } from './placeHost.ts';

/** Adds secrets to the job's outputs or variables. Refused where there is no such job. */
export async function toGithub(
  as: 'output' | 'env',
  awaited: readonly AwaitedSecret[],
  { env, command }: PlaceHost,
): Promise<KeepSecret | PlaceRefusal> {
  const variable = as === 'env' ? 'GITHUB_ENV' : 'GITHUB_OUTPUT';
  const file = env[variable];
  if (env.GITHUB_ACTIONS !== 'true' || file === undefined)
    return { refused: 'secret-place', why: 'this is not a job of GitHub Actions' };
  const refusal = twins(awaited);
  if (refusal) return refusal;
  const add = (text: string) =>
    append(file, text).then(
      () => null,
      (error: unknown) => `the file of ${variable} cannot be written: ${reasonOf(error)}`,
    );
  const why = await add('');
  if (why !== null) return { refused: 'secret-place', why };
  return secret => {
    // The runner takes this line out of the log, and the secret out of every line after it. It reads both streams; the
    // one for documents may have been turned to a file.
    command(secret.value.split(/\r?\n/).map(masked).join(''));
    const name = as === 'env' ? outputName(secret).toUpperCase() : outputName(secret);
    const end = `end-${randomUUID()}`;
    return add(`${name}<<${end}\n${secret.value}\n${end}\n`);
  };
}

const masked = (line: string): string =>
  line === '' ? '' : `::add-mask::${line.replaceAll('%', '%25').replaceAll('\r', '%0D')}\n`;
