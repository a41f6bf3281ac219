// Passes secrets to the later jobs of a GitLab pipeline: a file of variables for `artifacts: reports: dotenv`.
import { isRefusal, type PlaceRefusal } from '../refusal.ts';
import type { KeepSecret } from '../run/port.ts';
import { appendingTo } from './appending.ts';
import type { AwaitedSecret } from './awaitedSecret.ts';
import { outputName, twins } from './outputNames.ts';
import type { PlaceHost } from './placeHost.ts';

/** Appends variables to the file at `path`. Returns a refusal if nothing can be appended. */
export async function toGitlab(
  path: string,
  awaited: readonly AwaitedSecret[],
  host: PlaceHost,
): Promise<KeepSecret | PlaceRefusal> {
  const refusal = twins(awaited);
  if (refusal) return refusal;
  const add = await appendingTo(path, line => /^\s*(?:#|(?:export\s+)?\w+\s*=)/.test(line), host);
  if (isRefusal(add)) return add;
  return async secret =>
    /[\r\n]/.test(secret.value)
      ? 'it has several lines, which a file of variables cannot hold'
      : add(`${outputName(secret).toUpperCase()}=${secret.value}\n`);
}
