// Reads the desired-state files of a folder tree.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { nearest } from '../../model/text/nearest.ts';
import { quoted } from '../../model/text/visible.ts';
import { readConfined } from './confined.ts';
import { type FileText, type ReadFile, readRegular, reasonOf, specialFile } from './fileText.ts';
import {
  innerProject,
  misnamed,
  nothingFound,
  SUBMODULE,
  unreadable,
  unreadableEntry,
} from './findings.ts';
import { type Selection, selectorFor } from './select.ts';
import { missingSubmodules } from './submodules.ts';
import { walk } from './walk.ts';

export interface FileTexts {
  readonly files: readonly FileText[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the desired-state files at `path`, a folder or one file, and returns them in the order of their names. If there is no
 * file, that is an error, because an empty set of files must never look like an empty desired state. `shownAs` turns a path into
 * its name in messages.
 */
export async function readFolder(
  path: string,
  selection: Selection,
  shownAs: (path: string) => string,
): Promise<FileTexts> {
  try {
    const stats = statSync(path, { bigint: true });
    if (stats.isDirectory()) return await readTree(path, selection, shownAs);
    const special = specialFile(stats);
    if (special !== null) return { files: [], diagnostics: [unreadable(shownAs(path), special)] };
    const leadsTo = throughLink(path, realpathSync(path), shownAs);
    const name = { file: shownAs(path), inside: basename(path), ...leadsTo };
    const read = outcome(name, readRegular(path), unreadable);
    return 'text' in read ? { files: [read], diagnostics: [] } : { files: [], diagnostics: [read] };
  } catch (error) {
    const meant = Object(error).code === 'ENOENT' ? neighbour(path) : undefined;
    const hint = meant === undefined ? undefined : `did you mean ${quoted(shownAs(meant))}?`;
    return { files: [], diagnostics: [unreadable(shownAs(path), reasonOf(error), hint)] };
  }
}

/** The path in the same folder with the most similar name. */
function neighbour(path: string): string | undefined {
  const folder = dirname(path);
  try {
    const name = nearest(basename(path), readdirSync(folder));
    return name === undefined ? undefined : join(folder, name);
  } catch {
    return undefined;
  }
}

async function readTree(
  path: string,
  selection: Selection,
  shownAs: (path: string) => string,
): Promise<FileTexts> {
  // If the folder is a link, it is resolved once, so that all files come from the same folder.
  const home = realpathSync(path);
  const selector = selectorFor(path, selection);
  const { isSelected, isMisspelt, isInnerProject, isLeftOut } = selector;
  const isWanted = (inside: string) =>
    isSelected(inside) || isMisspelt(inside) || isInnerProject(inside);
  const tree = walk(home, { isLeftOut, isWanted });
  const nameOf = (inside: string) => shownAs(join(path, inside));
  const read = tree.files
    .filter(isSelected)
    .sort()
    .map(file => {
      const found = readConfined(home, join(home, file));
      const real = 'text' in found ? found.real : undefined;
      const leadsTo = throughLink(join(path, file), real, shownAs);
      return outcome({ file: nameOf(file), inside: file, ...leadsTo }, found, unreadableEntry);
    });
  const files = read.filter(text => 'text' in text);
  const diagnostics = [
    ...read.filter(text => 'code' in text),
    ...tree.files.filter(isMisspelt).map(file => misnamed(nameOf(file))),
    ...tree.files.filter(isInnerProject).map(file => innerProject(nameOf(file))),
    ...tree.unread.map(entry => unreadableEntry(nameOf(entry.path), entry.why)),
    ...missingSubmodules(home)
      .filter(folder => !isLeftOut(folder))
      .map(folder => unreadableEntry(nameOf(folder), SUBMODULE)),
  ];
  const isEmpty = files.length + diagnostics.length === 0;
  if (isEmpty) return { files, diagnostics: [nothingFound(shownAs(path))] };
  return { files, diagnostics: diagnostics.toSorted((a, b) => (a.message < b.message ? -1 : 1)) };
}

// The real name of a file, if its path contains a link.
function throughLink(
  path: string,
  real: string | undefined,
  shownAs: (path: string) => string,
): { readonly leadsTo?: string } {
  return real === undefined || real === resolve(path) ? {} : { leadsTo: shownAs(real) };
}

function outcome(
  name: Omit<FileText, 'text'>,
  read: ReadFile,
  fault: (file: string, why: string) => Diagnostic,
): FileText | Diagnostic {
  return 'text' in read ? { ...name, text: read.text } : fault(name.file, read.why);
}
