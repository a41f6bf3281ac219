// Passes secrets to the later steps of a GitHub Actions job: masked in the log, then set as an output or a variable.
import { randomUUID } from 'node:crypto';
import { append } from '../../read/files/appendFile.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { ForeignFile, ownerOf } from '../../read/files/owners.ts';
import type { KeepSecret } from '../port.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { duplicateOutputNames, outputName } from './outputNames.ts';
import type { PlaceHost } from './placeHost.ts';
import type { PlaceKind } from './placeKind.ts';

/** `github` or `github:env`: sets outputs or variables of the job. Refused outside a job. */
export const toGithub: PlaceKind<{ readonly to: 'github'; readonly as: 'output' | 'env' }> = {
  forms: ['github', 'github:env'],
  parse: text => {
    if (text === undefined) return { to: 'github', as: 'output' };
    return text === 'env' ? { to: 'github', as: 'env' } : null;
  },
  open: ({ as }, awaited, host) => open(as, awaited, host),
};

async function open(
  as: 'output' | 'env',
  awaited: readonly AwaitedSecret[],
  { env, command }: PlaceHost,
): Promise<KeepSecret | PlaceRefusal> {
  const variable = as === 'env' ? 'GITHUB_ENV' : 'GITHUB_OUTPUT';
  const file = env[variable];
  if (env.GITHUB_ACTIONS !== 'true' || file === undefined)
    return { refused: 'secret-place', why: 'this is not a job of GitHub Actions' };
  const refusal = duplicateOutputNames(awaited);
  if (refusal) return refusal;
  // In the container of a job, files of the runner belong to the user of the runner.
  const runner = env.RUNNER_TEMP ? ownerOf(env.RUNNER_TEMP) : undefined;
  const because = (error: unknown) =>
    `the file of ${variable} cannot be written: ${reasonOf(error)}`;
  try {
    await append(file, '', runner);
  } catch (error) {
    const refused = error instanceof ForeignFile ? 'secret-place-foreign' : 'secret-place';
    return { refused, why: because(error) };
  }
  const add = (text: string) => append(file, text, runner).then(() => null, because);
  return secret => {
    // The runner removes this line from the log, and the secret from every later line. The runner
    // reads both streams, so the line also arrives if standard output is redirected to a file.
    command(secret.value.split(/\r?\n/).map(masked).join(''));
    const name = as === 'env' ? outputName(secret).toUpperCase() : outputName(secret);
    const end = `end-${randomUUID()}`;
    return add(`${name}<<${end}\n${secret.value}\n${end}\n`);
  };
}

const masked = (line: string): string =>
  line === '' ? '' : `::add-mask::${line.replaceAll('%', '%25').replaceAll('\r', '%0D')}\n`;
