// Finds faults in the layers of a run: a layer does not exist, is outside the work tree, is read twice, or is used without a
// layer that it is built on.
import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { PROJECT_FILE, type WrittenLayer } from '../../source/project/project.ts';
import { enumerated } from '../../source/sentenceWords.ts';
import { isInGit, isOtherFile } from '../files/confined.ts';
import { type FleetSettings, realOf } from '../files/projectFilesAbove.ts';
import { selectorFor } from '../files/select.ts';
import { joinedFiles, type ProjectAt } from '../loadProject.ts';
import { repositoryOf } from './repository.ts';

/** A layer as it is named, with its project files. */
export interface NamedLayer {
  readonly path: string;
  /** The place of the layer in the list of the project file; absent for an argument. */
  readonly at?: Span;
  /** The project files of the layer, the nearest first. */
  readonly files: readonly ProjectAt[];
  /** Whether an account of a fleet does not have the layer. */
  readonly isAbsent?: boolean;
}

/** How layers are shown in messages. */
interface Showing {
  readonly shownAs: (path: string) => string;
}

/** A fault, and the layer that cannot be used because of it. */
interface LayerFault {
  readonly layer: NamedLayer;
  readonly fault: Diagnostic;
}

/** The faults of the layers before the last layer, at most one for each layer. */
export function layerFaults(
  named: readonly NamedLayer[],
  last: NamedLayer,
  { shownAs }: Showing,
): readonly LayerFault[] {
  return named.flatMap((layer, i) => {
    if (layer.isAbsent) return [];
    const others = [...named.slice(0, i), last];
    const found =
      outside(layer, last, shownAs) ??
      readTwice(layer, others, shownAs) ??
      withoutOwn(layer, { before: named.slice(0, i), last }, shownAs);
    return found ? [{ layer, fault: invalid(found, layer.at) }] : [];
  });
}

/** The faults of the list itself. */
export function listFaults(list: readonly WrittenLayer[], home: string): readonly Diagnostic[] {
  const own = list.findIndex(({ path }) => resolve(home, path) === resolve(home));
  const last = list.at(-1);
  if (last === undefined || own === list.length - 1) return [];
  const why = own < 0 ? 'it is not among them' : 'it is before others';
  return [
    invalid(
      {
        message: `the last of the layers must be ".", the folder of this file: ${why}`,
        hint: own < 0 ? 'add `.` at the end' : 'move `.` to the end',
      },
      (list[own] ?? last).at,
    ),
  ];
}

/**
 * The fault of a list of layers for an account of a fleet, whose entry has other layers. The list has no effect, because
 * otherwise the author of one account's files could read the files of another account.
 */
export function listInFleet(
  list: readonly WrittenLayer[],
  home: string,
  { file, layers }: Pick<FleetSettings, 'file' | 'layers'>,
): readonly Diagnostic[] {
  const [first] = list;
  const named = list.map(({ path }) => realOf(resolve(home, path)));
  const isSame = named.length === layers.length && named.every((path, i) => path === layers[i]);
  if (first === undefined || isSame) return [];
  // The paths as they would be written in the fleet file.
  const inWords = (paths: readonly string[]) =>
    enumerated(
      paths.map(path => relative(realOf(dirname(file)), path) || '.'),
      'and',
    );
  const fault = {
    message: `\`layers\` lists ${inWords(named)}, but in a fleet the entry of the account has its layers: ${inWords(layers)}`,
    hint: `write the layers into \`layers\` of the entry in ${basename(file)}, and remove them here or list the same`,
  };
  return [invalid(fault, first.at)];
}

interface Fault {
  readonly message: string;
  readonly hint: string;
}

const invalid = ({ message, hint }: Fault, at: Span | undefined): Diagnostic => ({
  code: 'LAYER_INVALID',
  severity: 'error',
  message,
  ...(at && { at }),
  hint,
});

type Shown = (path: string) => string;

// The fault of a layer that does not exist or is outside the work tree. A link in a commit may point anywhere, and git has no
// revision of files outside the work tree.
function outside({ path, at }: NamedLayer, last: NamedLayer, shownAs: Shown): Fault | null {
  const name = quoted(shownAs(path));
  if (!existsSync(path))
    return {
      message: `the layer ${name} does not exist`,
      hint: 'write the path of a folder or a file; if a sparse checkout leaves it out, run `git sparse-checkout disable`; if it was removed, remove it from the layers too',
    };
  const tree = repositoryOf(last.path)?.root;
  // A file may be a link too.
  const real = realOf(path);
  const own = repositoryOf(real)?.root;
  if (at !== undefined && tree === undefined)
    return {
      message: `${quoted(PROJECT_FILE)} lists the layer ${name}, but its folder is in no work tree of git, inside which layers must be`,
      hint: 'name the layers as arguments, or run this in a clone',
    };
  if (at !== undefined && isOtherFile(real))
    return {
      message: `the layer ${name} is a file whose name does not end in .yaml or .yml`,
      hint: 'if it is a file of desired state, rename it so that it ends in .yaml or .yml',
    };
  if (UNNAMEABLE.test(relative(realOf(last.path), real)))
    return {
      message: `the path of the layer ${name} contains "}", "#" or ":-", which references to its files cannot contain`,
      hint: 'rename the folder',
    };
  if (own === tree && !isInGit(relative(own ?? '/', real))) return null;
  const target = real === resolve(path) ? '' : ', after links are followed';
  return {
    message: `the layer ${name} is not in the work tree of ${quoted(shownAs(last.path))}${target}`,
    hint: 'layers are folders or files of one work tree: move it there',
  };
}

const UNNAMEABLE = /[}#]|:-/;

// The fault of a layer whose objects would be declared twice.
function readTwice(layer: NamedLayer, others: readonly NamedLayer[], shownAs: Shown): Fault | null {
  const name = quoted(shownAs(layer.path));
  const same = others.find(other => realOf(other.path) === realOf(layer.path));
  if (same) return { message: `the layer ${name} is named twice`, hint: 'remove one of the two' };
  const around = others.flatMap(other => [
    { outer: other, inner: layer },
    { outer: layer, inner: other },
  ]);
  const [found] = around.filter(({ outer, inner }) => isReadWith(outer, inner));
  if (!found) return null;
  const [inner, outer] = [found.inner, found.outer].map(one => quoted(shownAs(one.path)));
  return {
    message: `the layer ${inner} is inside the layer ${outer}, so its files would be read twice`,
    hint: 'move one of the two folders, so that neither is inside the other',
  };
}

function isReadWith(outer: NamedLayer, inner: NamedLayer): boolean {
  const way = relative(realOf(outer.path), realOf(inner.path)).split(sep).join('/');
  if (way === '..' || way.startsWith('../') || way.startsWith('/')) return false;
  const { exclude = [] } = joinedFiles(outer.files).project;
  return !selectorFor(outer.path, { projectFile: PROJECT_FILE, exclude }).isLeftOut(way);
}

// The fault of a layer that is used without the layers that its own project file lists, because the objects that it overrides
// would be missing.
function withoutOwn(
  { path, files }: NamedLayer,
  { before, last }: { readonly before: readonly NamedLayer[]; readonly last: NamedLayer },
  shownAs: Shown,
): Fault | null {
  const [nearest] = files;
  if (!nearest || nearest.file === last.files[0]?.file) return null;
  const home = dirname(nearest.file);
  const known = new Set([...before.map(one => realOf(one.path)), realOf(home), realOf(path)]);
  const lacking = (nearest.project.layers ?? []).find(
    one => !known.has(realOf(resolve(home, one.path))),
  );
  if (!lacking) return null;
  const missing = quoted(shownAs(resolve(home, lacking.path)));
  return {
    message: `the layer ${quoted(shownAs(path))} is built on ${missing}, which is not among the layers before it`,
    hint: `name ${missing} before it, as ${shownAs(nearest.file)} does`,
  };
}
