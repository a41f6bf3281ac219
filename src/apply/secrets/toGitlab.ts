// Passes secrets to the later jobs of a GitLab pipeline: a file of variables for `artifacts: reports: dotenv`.

import type { KeepSecret } from '../port.ts';
import { isRefusal, type PlaceRefusal } from '../refusal.ts';
import { appendingTo } from './appending.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { duplicateOutputNames, outputName } from './outputNames.ts';
import type { PlaceHost } from './placeHost.ts';
import type { PlaceKind } from './placeKind.ts';

/** `gitlab` or `gitlab:PATH`: appends variables to the file. Refused if nothing can be appended. */
export const toGitlab: PlaceKind<{ readonly to: 'gitlab'; readonly path: string }> = {
  forms: ['gitlab', 'gitlab:PATH'],
  parse: (path = 'meshform.env') => (path === '' ? null : { to: 'gitlab', path }),
  open: ({ path }, awaited, host, state) => open(path, { awaited, host, state }),
};

interface Given {
  readonly awaited: readonly AwaitedSecret[];
  readonly host: PlaceHost;
  readonly state: readonly string[];
}

async function open(
  path: string,
  { awaited, host, state }: Given,
): Promise<KeepSecret | PlaceRefusal> {
  const refusal = duplicateOutputNames(awaited);
  if (refusal) return refusal;
  const add = await appendingTo(path, isVariable, host, state);
  if (isRefusal(add)) return add;
  return async secret =>
    /[\r\n]/.test(secret.value)
      ? 'it has several lines, which a file of variables cannot hold'
      : add(`${outputName(secret).toUpperCase()}=${secret.value}\n`);
}

const isVariable = (line: string): boolean => /^\s*(?:#|(?:export\s+)?\w+\s*=)/.test(line);
