// A file of fingerprints. A plan compares declared secrets with it, and a run stores in it the
// fingerprints of the values that it sent.
import { resolve } from 'node:path';
import type { IsOtherSecret } from '../../engine/types/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { Fingerprints } from '../../read/fingerprints.ts';
import type { OpenSecret } from '../port.ts';
import type { Refusal } from '../refusal.ts';
import { FINGERPRINT_KEY } from './fingerprintKey.ts';
import { type SecretSources, secretOpener } from './opener.ts';
import type { SourceHost } from './sources.ts';

/**
 * The minimum length of the key, in characters. If the key can be guessed, the values can be
 * guessed too.
 */
const SHORTEST_KEY = 16;

/**
 * The fingerprints in `file`, or the reason why they cannot be used. A missing file contains no
 * fingerprints. The key for them is in the environment.
 */
export async function openFingerprints(
  file: string,
  { cwd, env, onSecret }: Pick<SourceHost, 'cwd' | 'env' | 'onSecret'>,
): Promise<Fingerprints | Refusal> {
  const key = env[FINGERPRINT_KEY];
  if (key === undefined || key.length < SHORTEST_KEY)
    return { refused: 'fingerprint-key', variable: FINGERPRINT_KEY, shortest: SHORTEST_KEY };
  onSecret?.(key);
  const read = await Fingerprints.read(resolve(cwd, file), key).catch(reasonOf);
  return typeof read === 'string' ? { refused: 'fingerprints-unreadable', file, why: read } : read;
}

/**
 * Compares declared secrets with their fingerprints, for the setting `isOtherSecret` of a plan. It
 * opens every secret, even for a plan. It refuses if a secret cannot be opened, because then it
 * cannot be determined whether the value changed.
 */
export async function otherSecrets(
  fingerprints: Fingerprints,
  desired: readonly Desired[],
  sources: SecretSources,
): Promise<IsOtherSecret | Refusal> {
  const open = secretOpener(sources);
  const values = new Map<string, string>();
  const findings: Diagnostic[] = [];
  for (const { fields, at } of desired) {
    for (const { secret } of secretsIn(fields)) {
      const value = values.get(secret.$secret) ?? (await open(secret));
      if (typeof value === 'string') values.set(secret.$secret, value);
      else findings.push(asDiagnostic(value, at));
    }
  }
  if (findings.length > 0) return { refused: 'secrets', findings };
  return (address, path, { $secret }) => {
    const value = values.get($secret);
    return value !== undefined && fingerprints.isOther(address, path, value);
  };
}

function asDiagnostic(
  fault: Exclude<Awaited<ReturnType<OpenSecret>>, string>,
  at: Desired['at'],
): Diagnostic {
  const code = fault.code === 'SECRET_UNREADABLE' ? fault.code : 'SECRET_UNDEFINED';
  return { ...fault, code, severity: 'error', at };
}
