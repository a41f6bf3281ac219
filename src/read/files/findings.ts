// Errors for desired state that cannot be read. If a file were skipped silently, its objects would look removed, so they would be
// pruned.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';

/** The error for a place without desired state. */
export function nothingFound(where: string): Diagnostic {
  return {
    code: 'SOURCE_EMPTY',
    severity: 'error',
    message: `${quoted(where)} contains no desired state`,
    hint: 'files must end in .yaml or .yml; `meshform init` writes a first file; to delete all that was declared, add --prune removed --destroy to `plan` or `apply`',
  };
}

/** The error for a file whose name is nearly that of a YAML file. */
export function misnamed(path: string): Diagnostic {
  return {
    code: 'SOURCE_MISNAMED',
    severity: 'error',
    message: `${quoted(path)} is not read: its name ends in neither .yaml nor .yml`,
    hint: 'rename it, or `exclude` it in meshform.yaml',
  };
}

/** The error for a project file in an inner folder, because a run of the outer folder would not apply its guards. */
export function innerProject(path: string): Diagnostic {
  return {
    code: 'PROJECT_INVALID',
    severity: 'error',
    message: `${quoted(path)} is in an inner folder, and this run does not use it: its account and its guards would not count`,
    hint: 'run the inner folder by itself, and `exclude` it in the outer meshform.yaml; or move the content of the file into the outer one',
  };
}

/** The error for an unreadable path. */
export function unreadable(path: string, reason: string, hint = READABLE): Diagnostic {
  return {
    code: 'SOURCE_UNREADABLE',
    severity: 'error',
    message: `${quoted(path)} cannot be read: ${reason}`,
    hint,
  };
}

const READABLE = 'the path must be a readable folder of desired state, or one file';

/** The error for an entry of a folder that cannot be read. */
export function unreadableEntry(path: string, reason: string): Diagnostic {
  const mend =
    reason === SUBMODULE || reason === OTHER_REPOSITORY
      ? 'move its files into this repository'
      : 'fix the file';
  const hint = `its objects would be treated as removed: ${mend}, or \`exclude\` it in meshform.yaml`;
  return unreadable(path, reason, hint);
}

/** The error for a file that a sparse checkout leaves out; `more` is the number of other such files. */
export function leftOutOfCheckout(path: string, more = 0): Diagnostic {
  const others =
    more === 0 ? '' : more === 1 ? ', and so is 1 other file' : `, and so are ${more} other files`;
  return unreadable(
    path,
    `it is left out of this sparse checkout${others}`,
    'what it declares would be treated as removed: run `git sparse-checkout disable`',
  );
}

/** Why a submodule of git is not read, even if it is checked out: no commit of this repository contains its files. */
export const SUBMODULE = 'it is a submodule: its files are in another repository';

/** Why a folder with a `.git` entry is not read. */
export const OTHER_REPOSITORY = 'it is a submodule or a clone: its files are in another repository';

/** The error for a project file that other users of the machine may have written. `hint` states what to do. */
export function foreignProject(path: string, reason: string, hint: string): Diagnostic {
  return {
    code: 'PROJECT_FOREIGN',
    severity: 'error',
    message: `${quoted(path)} is not used: ${reason}`,
    hint,
  };
}

/** The error for a file that looks like a project file and has another name: its guards would not count. */
export function misnamedProject(path: string): Diagnostic {
  return {
    code: 'PROJECT_INVALID',
    severity: 'error',
    message: `${quoted(path)} is not read: a project file is called meshform.yaml`,
    hint: 'rename it; or give it another name, if it is not a project file',
  };
}

/** The error for a project file that cannot be read. */
export function unreadableProject(path: string, reason: string): Diagnostic {
  const hint = 'it must be a regular file, or a link to a regular file below its own folder';
  return unreadable(path, reason, hint);
}
