// Files that fields may use. After links are followed, they must be inside the folder of desired state, or inside the layer that
// names them.
import { realpathSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { LEADS_OUT, locate, readConfined } from './confined.ts';
import type { ReadFile } from './fileText.ts';
import { realOf } from './projectFilesAbove.ts';

/**
 * Returns a function that reads files inside `folder` by their paths; it returns undefined for a file that does not exist or is
 * outside. `layers` are the paths of other folders, relative to `folder`. A path that begins with such a path is read inside that
 * layer.
 */
export function fileInputs(
  folder: string,
  layers: readonly string[] = [],
): (path: string) => string | undefined {
  const find = placesIn(folder, layers);
  return path => {
    const found = read(find(path));
    return 'text' in found ? found.text : undefined;
  };
}

/**
 * Returns a function that explains in words why a file is never read: either it is not a regular file, or its path leads outside
 * `folder` (whether or not a file exists there). A path into another layer may be used only by the files of that layer.
 */
export function unusableFiles(folder: string): (path: string) => string | undefined {
  const find = placesIn(folder, []);
  return path => {
    if (isOutside(path)) return LEADS_OUT;
    const found = read(find(path));
    return 'text' in found || PASSING.has(found.code ?? '') ? undefined : found.why;
  };
}

const isOutside = (path: string): boolean => {
  const way = normalize(path);
  return isAbsolute(way) || way.split(sep)[0] === '..';
};

// The error codes for a file that may be readable at another time or in another job: it is missing, or this user may not read it.
const PASSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM']);

/**
 * The real path of the file `path` in `folder`, or in the layer that the path begins with; undefined if the file cannot be read
 * from there.
 */
export function fileInside(
  folder: string,
  path: string,
  layers: readonly string[] = [],
): string | undefined {
  const place = placesIn(folder, layers)(path);
  if (place.home === null || !('text' in read(place))) return undefined;
  const found = locate(place.home, join(place.home, place.inside));
  return 'real' in found ? found.real : undefined;
}

/** A file by its path in a folder; `null` if the folder does not exist. */
interface FilePlace {
  readonly home: string | null;
  readonly inside: string;
}

// A link to the folder is resolved once, so that all files come from the same folder. An account of a fleet may lack the folder
// and still have other layers.
function placesIn(folder: string, layers: readonly string[]): (path: string) => FilePlace {
  const own = homeOf(folder);
  const others = layers
    .map(way => ({ before: `${way}/`, home: homeOf(join(realOf(folder), way)) }))
    .sort((a, b) => b.before.length - a.before.length);
  return path => {
    const layer = others.find(({ before }) => path.startsWith(before));
    if (!layer) return { home: own, inside: path };
    return { home: layer.home, inside: path.slice(layer.before.length) };
  };
}

const read = ({ home, inside }: FilePlace): ReadFile =>
  home === null
    ? { why: 'its folder does not exist', code: 'ENOENT' }
    : readConfined(home, join(home, inside));

function homeOf(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}
