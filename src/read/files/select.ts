// Which files of a folder tree are desired state: the one rule, for folders and for git revisions alike.
import { dirname, matchesGlob, relative, sep } from 'node:path';
import { findUpwards, realOf } from '../project.ts';

export interface Selection {
  /** The name of the project file, which is not desired state. */
  readonly projectFile: string;
  /** Paths and patterns that the project leaves out, from the project file's folder on. */
  readonly exclude: readonly string[];
}

/** Says of paths, with slashes and from one folder on, whether they are desired state. */
export interface Selector {
  /** Whether the file at `path` is read. */
  readonly isSelected: (path: string) => boolean;
  /** Whether the file at `path` would be read if its name were spelt right. */
  readonly isMisspelt: (path: string) => boolean;
  /** Whether what stands at `path`, a file or a folder, is left out together with all that is in it. */
  readonly isLeftOut: (path: string) => boolean;
}

/** The selector for what is in `folder`. */
export async function selectorFor(
  folder: string,
  { projectFile, exclude }: Selection,
): Promise<Selector> {
  const project = await findUpwards(folder, projectFile);
  const way = project ? wayTo(folder, dirname(project.file)) : '';
  const patterns = exclude.map(pattern => pattern.replace(/^\.\//, '').replace(/\/$/, ''));
  const isLeftOut = (path: string): boolean =>
    path.split('/').some(part => part.startsWith('.')) ||
    foldersOf(way === '' ? path : `${way}/${path}`).some(part =>
      patterns.some(pattern => part === pattern || matchesGlob(part, pattern)),
    );
  return {
    isLeftOut,
    isSelected: path =>
      /\.ya?ml$/.test(path) && path.split('/').at(-1) !== projectFile && !isLeftOut(path),
    isMisspelt: path => NEARLY_YAML.test(path) && !/\.ya?ml$/.test(path) && !isLeftOut(path),
  };
}

// A project file above what a link leads to is not above the link.
function wayTo(folder: string, home: string): string {
  const way = relative(home, folder);
  const isBelow = way.split(sep)[0] !== '..';
  return (isBelow ? way : relative(home, realOf(folder))).split(sep).join('/');
}

// Letters of `yaml` in a wrong order or number, or in capitals: what is declared in such a file would look removed.
const NEARLY_YAML = /\.(y[aml]{2,5}|aml|ayml|mly)$/i;

// `a/b/c` and the folders it lies in: a, a/b, a/b/c.
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
