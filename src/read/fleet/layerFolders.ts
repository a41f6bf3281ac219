// Decides which folders can be layers of a fleet: folders of its work tree that are reached without a link. With a link, the
// author of the files of one account could include the files of another account, and so read their secrets.
import { existsSync, lstatSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { quoted } from '../../model/text/visible.ts';
import { isOtherFile } from '../files/confined.ts';
import { realOf } from '../files/projectFilesAbove.ts';
import { repositoryOf } from '../git/repository.ts';

/** Why a folder cannot be a layer. */
export interface LayerFault {
  /** Words that follow "the layer … ". */
  readonly why: string;
  readonly hint: string;
}

/** Why a path from the folder of a fleet file cannot be a layer of an account; undefined if it can, or if it does not exist. */
export function layerFault(folder: string, layer: string): LayerFault | undefined {
  const home = realOf(folder);
  const repository = repositoryOf(home);
  const path = resolve(home, layer);
  if (repository !== null) {
    const inside = relative(repository.root, path).split(sep);
    if (inside[0] === '..') return { why: 'is outside the repository', hint: MOVE };
    if (inside[0] === '.git') return { why: 'is in the folder of git', hint: MOVE };
  }
  const link = linkIn(home, layer);
  if (link !== undefined) {
    const why =
      link === path ? 'is a link' : `leads through the link ${quoted(relative(home, link))}`;
    return { why, hint: LINK };
  }
  if (isOtherFile(path))
    return { why: 'is a file whose name does not end in .yaml or .yml', hint: NAME };
  const isElsewhere = existsSync(path) && repositoryOf(path)?.root !== repository?.root;
  return isElsewhere ? { why: 'is in another repository', hint: MOVE } : undefined;
}

const NAME = 'if it is a file of desired state, rename it so that it ends in .yaml or .yml';

const MOVE = 'layers are folders or files of one work tree: move it there';

const LINK =
  'a link could lead to the files of another account: put the files there, or name their folder in `layers`';

// The first link on the way to a layer. The path behind the link is not examined.
function linkIn(home: string, layer: string): string | undefined {
  let path = home;
  for (const part of layer.split('/')) {
    path = join(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
  }
  return undefined;
}
