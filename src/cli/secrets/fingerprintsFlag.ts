// `--fingerprints`: compares declared secrets with the values that were sent last.
import { isRefusal } from '../../apply/refusal.ts';
import { openFingerprints, otherSecrets } from '../../apply/secrets/fingerprintsOfRun.ts';
import type { IsOtherSecret } from '../../engine/types/settings.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import type { Io } from '../io.ts';
import { stopOf } from '../refusals/refusals.ts';
import { secretSources } from './sources.ts';

/**
 * Returns a function that finds secrets whose value changed, from the fingerprints in `file`. Throws a `Stop` if they cannot be
 * compared.
 */
export async function secretComparison(
  file: string,
  { folder, layers, desired }: DesiredState,
  io: Io,
): Promise<IsOtherSecret> {
  const { cwd, env, secrets } = io;
  const fingerprints = await openFingerprints(file, {
    cwd,
    env,
    onSecret: key => secrets.add(key),
  });
  if (isRefusal(fingerprints)) throw stopOf(fingerprints, io);
  const isOther = await otherSecrets(fingerprints, desired, secretSources(folder, { layers }, io));
  if (isRefusal(isOther)) throw stopOf(isOther, io);
  return isOther;
}
