// The output of a command's document: a new file, an existing file of the same type, or a pipe.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quoted } from '../model/text/visible.ts';
import { isOutOfRoom, readIfThere, reasonOf } from '../read/files/fileText.ts';
import { writeStream, writeWhole } from '../read/files/writeFile.ts';
import {
  errorOf,
  type UnusablePlace,
  type WriteTarget,
  writeTargetAt,
} from '../read/files/writeTarget.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { refusedPlace } from './refusedPlace.ts';
import { Stop } from './stop.ts';

/** The kind of an output, and the files that the output may replace. */
export interface OutputKind {
  /** The name at the beginning of a sentence, such as `the plan`. */
  readonly name: string;
  /** The type of file that the output may replace, such as `a plan`. */
  readonly ours: string;
  readonly isOurs: (text: string) => boolean;
  /** The mode of a new file; by default only its owner can read it. */
  readonly mode?: number;
}

/** The flags of every command that writes a file. */
export interface OutputFlags {
  readonly out?: string | undefined;
  readonly force?: boolean;
}

/** Throws a `Stop` for `--force` without a file to replace. The flag would have no effect. */
export function refuseForceAlone({ out, force }: OutputFlags, flag = '--out'): void {
  if (force && (out === undefined || out === '-'))
    throw new Stop(
      EXIT.usage,
      `\`--force\` replaces the file of ${flag}, but ${flag} is missing`,
      `name the file with ${flag} FILE, or remove --force`,
    );
}

/** A place for output. */
export interface Output {
  readonly write: (text: string) => Promise<void>;
}

/**
 * Opens the output at `file`. Throws a `Stop`, now or during the write, if the output would replace
 * a file of another type. With `force`, any regular file is replaced; `force` is `null` for a
 * command without such a flag.
 */
export async function outputAt(
  file: string,
  { kind, force }: { readonly kind: OutputKind; readonly force: boolean | null },
  io: Io,
): Promise<Output> {
  const look = () => lookAt(file, kind, force, io);
  await look();
  return {
    write: async text => {
      const place = await look();
      await write(place, text, kind, io).catch((error: unknown) => {
        throw notWritten(file, { name: kind.name }, error);
      });
    },
  };
}

async function lookAt(
  file: string,
  { name, ours, isOurs }: OutputKind,
  force: boolean | null,
  { cwd }: Io,
): Promise<UsableTarget> {
  const place = writeTargetAt(resolve(cwd, file));
  if (place.is === 'unusable')
    throw notWritten(
      file,
      { name, hint: place.isOutput ? OTHER_OUTPUT : ELSEWHERE },
      errorOf(place),
    );
  if (place.is === 'new' && !existsSync(dirname(place.path)))
    throw new Stop(
      EXIT.usage,
      `${name} cannot be saved as ${quoted(file)}: the folder ${quoted(dirname(file))} does not exist`,
      'create the folder, or choose a file in a folder that exists',
    );
  if (place.is !== 'file' || force) return place;
  // Replacing an empty file loses nothing.
  const text = await readIfThere(place.path).catch(() => null);
  if (text === '' || (text !== null && isOurs(text))) return place;
  const message = `${quoted(file)} exists and is not ${ours}`;
  const replacing = force === null ? '' : ', or add --force to replace it';
  throw new Stop(EXIT.usage, message, `choose another file${replacing}`);
}

type UsableTarget = Exclude<WriteTarget, UnusablePlace>;

async function write(
  place: UsableTarget,
  text: string,
  { mode }: OutputKind,
  { stdout, stderr }: Io,
): Promise<void> {
  if (place.is !== 'stream') return writeWhole(place.path, text, mode);
  if (place.descriptor === 1) return void stdout.write(text);
  if (place.descriptor === 2) return void stderr.write(text);
  return writeStream(place.path, text, { isDescriptor: place.descriptor !== undefined });
}

function notWritten(
  file: string,
  { name, hint = ELSEWHERE }: { readonly name: string; readonly hint?: string },
  error: unknown,
): Stop {
  const message = `${name} cannot be saved as ${quoted(file)}: ${reasonOf(error)}`;
  const code = isOutOfRoom(error) ? EXIT.failed : EXIT.usage;
  return refusedPlace(message, error) ?? new Stop(code, message, hint);
}

const ELSEWHERE = 'choose a file in a writable folder with free space';
const OTHER_OUTPUT = 'choose another file, or redirect the output elsewhere';
