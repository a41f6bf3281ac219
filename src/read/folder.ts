// Reads the desired-state files of a folder tree.
import { isUtf8 } from 'node:buffer';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Diagnostic } from '../model/diagnostic.ts';
import { quoted } from '../model/visible.ts';
import { type FileText, reasonOf } from './fileText.ts';
import { type Selection, selectorFor } from './select.ts';

export interface FileTexts {
  readonly files: readonly FileText[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The desired-state files at `path`, a folder or one file, in order of their names. Nothing found is an error: an
 * empty set of files must never look like an empty desired state. `shownAs` turns a path into its name for messages.
 */
export async function readFolder(
  path: string,
  selection: Selection,
  shownAs: (path: string) => string,
): Promise<FileTexts> {
  try {
    const { selected, misspelt } = await filesIn(path, selection);
    const doubts = misspelt.map(file => misnamed(shownAs(file)));
    if (selected.length + doubts.length === 0)
      return { files: [], diagnostics: [nothingFound(shownAs(path))] };
    const texts = await Promise.all(selected.map(file => readText(file, shownAs(file))));
    return {
      files: texts.filter(text => 'text' in text),
      diagnostics: [...texts.filter(text => 'code' in text), ...doubts],
    };
  } catch (error) {
    return { files: [], diagnostics: [unreadable(shownAs(path), reasonOf(error))] };
  }
}

async function filesIn(
  path: string,
  selection: Selection,
): Promise<{ readonly selected: string[]; readonly misspelt: string[] }> {
  if ((await stat(path)).isFile()) return { selected: [path], misspelt: [] };
  const { isSelected, isMisspelt, isLeftOut } = await selectorFor(path, selection);
  const found: string[] = [];
  const visit = async (inside: string): Promise<void> => {
    for (const entry of await readdir(join(path, inside), { withFileTypes: true })) {
      const below = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (!entry.isDirectory()) found.push(below);
      else if (!isLeftOut(below)) await visit(below);
    }
  };
  await visit('');
  const pathsOf = (names: readonly string[]) => names.toSorted().map(file => join(path, file));
  return {
    selected: pathsOf(found.filter(isSelected)),
    misspelt: pathsOf(found.filter(isMisspelt)),
  };
}

async function readText(path: string, file: string): Promise<FileText | Diagnostic> {
  try {
    const bytes = await readFile(path);
    return isUtf8(bytes)
      ? { file, text: bytes.toString('utf8') }
      : unreadable(file, 'it is not UTF-8 text');
  } catch (error) {
    return unreadable(file, reasonOf(error));
  }
}

/** The error for a place where desired state was looked for and none was found. */
export function nothingFound(where: string): Diagnostic {
  return {
    code: 'SOURCE_EMPTY',
    severity: 'error',
    message: `there is no desired state in ${quoted(where)}`,
    hint: 'files end in .yaml or .yml; `meshform init` writes a first one',
  };
}

// Not read, it would look as if everything in it were not wanted any more.
function misnamed(path: string): Diagnostic {
  return {
    code: 'SOURCE_MISNAMED',
    severity: 'error',
    message: `${quoted(path)} is not read: its name ends in neither .yaml nor .yml`,
    hint: 'rename it, or `exclude` it in meshform.yaml',
  };
}

function unreadable(path: string, reason: string): Diagnostic {
  return {
    code: 'SOURCE_UNREADABLE',
    severity: 'error',
    message: `${quoted(path)} cannot be read: ${reason}`,
  };
}
