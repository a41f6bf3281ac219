// `--fingerprints`: a file that says of every secret which value was sent last, so that another value is a change.
import { resolve } from 'node:path';
import type { OpenSecret } from '../../apply/run/port.ts';
import type { IsOtherSecret } from '../../engine/types/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import { secretsIn } from '../../model/secrets/secret.ts';
import { quoted } from '../../model/text/visible.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { Fingerprints } from '../../read/fingerprints.ts';
import { EXIT } from '../exitCodes.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

const KEY = 'MESHFORM_FINGERPRINT_KEY';
/** A key that can be guessed would let values be guessed too. */
const SHORTEST_KEY = 16;

/** The fingerprints in `file`; undefined where none is named. Throws a `Stop` where they cannot be used. */
export async function openFingerprints(
  file: string | undefined,
  io: Io,
): Promise<Fingerprints | undefined> {
  if (file === undefined) return undefined;
  const key = io.env[KEY];
  if (key === undefined || key.length < SHORTEST_KEY) {
    const hint = `set ${KEY} to at least ${SHORTEST_KEY} random characters, the same in every run`;
    throw new Stop(EXIT.usage, '--fingerprints needs a key', hint);
  }
  io.secrets.add(key);
  const read = await Fingerprints.read(resolve(io.cwd, file), key).catch(reasonOf);
  if (typeof read !== 'string') return read;
  const hint = 'without the file, meshform sends every secret again and writes a new file';
  throw new Stop(EXIT.invalid, `the fingerprints ${quoted(file)} cannot be read: ${read}`, hint);
}

/**
 * Compares declared secrets with their fingerprints. They are opened for that, in a plan too. Throws a `Stop` where one
 * cannot be: whether it is another is not known then.
 */
export async function comparedBy(
  fingerprints: Fingerprints,
  desired: readonly Desired[],
  open: OpenSecret,
  io: Io,
): Promise<IsOtherSecret> {
  const values = new Map<string, string>();
  const faults: Diagnostic[] = [];
  for (const { fields, at } of desired) {
    for (const { secret } of secretsIn(fields)) {
      const value = values.get(secret.$secret) ?? (await open(secret));
      if (typeof value === 'string') values.set(secret.$secret, value);
      else faults.push(asDiagnostic(value, at));
    }
  }
  printFindings(faults, io);
  stopOnErrors(faults);
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
