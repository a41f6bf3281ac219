// Ensures that secrets are written to a separate file. Otherwise, another output of the apply would
// replace the file, or the secrets would be written to a place where they must not be.
import { basename, dirname, join, resolve } from 'node:path';
import type { PlaceChoice } from '../../apply/secrets/places.ts';
import { quoted } from '../../model/text/visible.ts';
import { realOf } from '../../read/files/projectFilesAbove.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';

/** The flags that name a file that an apply writes, other than the place for secrets. */
interface WrittenFiles {
  readonly secretsTo?: PlaceChoice;
  readonly fingerprints?: string;
  readonly journal?: string;
  /** True if the flag names no file and no run. */
  readonly resume?: string | true;
  readonly undo?: string | true;
}

/** Throws a `Stop` if secrets would be written to a file that the apply also writes for another purpose. */
export function refuseSharedPlace(flags: WrittenFiles, { cwd }: Io): void {
  const { secretsTo: place, fingerprints, journal, resume, undo } = flags;
  if (place === undefined || !('path' in place)) return;
  const real = (path: string): string => {
    const file = resolve(cwd, path);
    return join(realOf(dirname(file)), basename(file));
  };
  const others = Object.entries({ fingerprints, journal, resume, undo });
  const [name] =
    others.find(([, file]) => typeof file === 'string' && real(file) === real(place.path)) ?? [];
  if (name === undefined) return;
  throw new Stop(
    EXIT.usage,
    `--secrets-to and --${name} name the same file: ${quoted(place.path)}`,
    'name another file with --secrets-to',
  );
}
