// Appends secrets to a file that only its owner can read, or to a pipe.
import { fstatSync, lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import {
  appendPrivately,
  openStream,
  refuseOpen,
  refuseStream,
} from '../../read/files/appendFile.ts';
import { isInGit } from '../../read/files/confined.ts';
import { readIfThere, reasonOf } from '../../read/files/fileText.ts';
import { ForeignFile, OpenFile } from '../../read/files/owners.ts';
import { realOf } from '../../read/files/projectFilesAbove.ts';
import { fileBehind, usable, writeTargetAt } from '../../read/files/writeTarget.ts';
import { isTracked } from '../../read/git/isTracked.ts';
import type { GitFault } from '../../read/git/runGit.ts';
import type { PlaceRefusal } from '../refusal.ts';
import type { PlaceHost } from './placeHost.ts';

type Add = (text: string) => Promise<string | null>;

/**
 * Appends texts to the file at `path`. The file may contain only lines of meshform, and must not be
 * in any of the folders `state`. Each append resolves to null, or to the reason of a failure.
 * Returns a refusal if nothing can be appended.
 */
export async function appendingTo(
  path: string,
  isOurs: (line: string) => boolean,
  host: PlaceHost,
  state: readonly string[] = [],
): Promise<Add | PlaceRefusal> {
  try {
    const write = await writerTo({ file: resolve(host.cwd, path), isOurs, state }, host);
    await write('');
    return text => write(text).then(() => null, because(path));
  } catch (error) {
    if (error instanceof SharedFile || error instanceof OpenFile)
      return { refused: 'secret-place', why: because(path)(error), hint: error.hint };
    const refused = error instanceof ForeignFile ? 'secret-place-foreign' : 'secret-place';
    return { refused, why: because(path)(error) };
  }
}

/** The error for a file that others would get together with the files of a repository. */
class SharedFile extends Error {
  override readonly name = 'SharedFile';
  readonly hint: string;

  constructor(
    why: string,
    hint = 'name a file that git does not track, outside the folder of the files',
  ) {
    super(why);
    this.hint = hint;
  }
}

// A commit would publish the secrets.
async function refuseShared({ file, state }: Target, host: PlaceHost): Promise<void> {
  const real = join(realOf(dirname(file)), basename(file));
  const home = realOf(host.cwd);
  // In the folder of desired state, only YAML files are refused, because a user who works in that
  // folder also has other files there.
  const folder = state.find(one => {
    const at = realOf(resolve(host.cwd, one));
    return isIn(at, real) && (/\.ya?ml$/i.test(real) || !isIn(at, home));
  });
  if (folder !== undefined)
    throw new SharedFile(`it is part of the desired state in ${quoted(folder)}`);
  const tracked = await isTracked(file, host);
  if (tracked === true) throw new SharedFile('git tracks it');
  if (tracked !== false)
    throw new SharedFile(`git cannot say whether it tracks it: ${tracked.why}`, hintFor(tracked));
}

const ELSEWHERE = 'name a file outside the repository';

function hintFor({ is, hint }: GitFault): string {
  if (is === 'missing') return `install git, or ${ELSEWHERE}`;
  return is === 'untrusted' && hint !== undefined ? `${hint}, or ${ELSEWHERE}` : ELSEWHERE;
}

// A descriptor may refer to a file with a name: the shell may have opened a file that git tracks.
async function refuseDescriptor(
  descriptor: number,
  target: Target,
  host: PlaceHost,
): Promise<void> {
  const stats = fstatSync(descriptor);
  const file = fileBehind(descriptor);
  const path = file ?? target.file;
  if (descriptor === 1 || descriptor === 2) refuseOpen(path, stats);
  else refuseStream(path, stats);
  // A file without a name is in no repository.
  if (!stats.isFile() || stats.nlink === 0) return;
  if (file === undefined)
    throw new SharedFile('its file has no path here', 'name the file instead of the descriptor');
  await refuseShared({ ...target, file }, host);
}

// Whether a file is in a folder. Files in `.git` do not count, because no commit can contain them.
function isIn(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way) && !isInGit(way);
}

const because = (path: string) => (error: unknown) =>
  `${quoted(path)} cannot be written: ${reasonOf(error)}`;

interface Target {
  readonly file: string;
  readonly isOurs: (line: string) => boolean;
  readonly state: readonly string[];
}

async function writerTo(target: Target, host: PlaceHost): Promise<(text: string) => Promise<void>> {
  const { file, isOurs } = target;
  const { stdout, stderr } = host;
  const place = writeTargetAt(file);
  if (place.is === 'stream' && place.descriptor !== undefined) {
    await refuseDescriptor(place.descriptor, target, host);
    if (place.descriptor === 1) return async text => stdout(text);
    return place.descriptor === 2 ? async text => stderr(text) : openStream(file);
  }
  if (place.is === 'unusable' && place.isOutput) throw new Error(place.why);
  // Anybody who may create links in the folder could redirect the secrets.
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error('it is a link');
  if (usable(place).is === 'stream') return openStream(file);
  const lines = ((await readIfThere(file)) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
  if (!lines.every(isOurs))
    throw new Error('it has lines that meshform did not write, so nothing is appended');
  await refuseShared(target, host);
  return text => appendPrivately(file, text);
}
