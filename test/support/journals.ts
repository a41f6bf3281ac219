// Where commands of tests keep their journals, so that what is applied from the examples leaves nothing there.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/** The folder for the journals of this test file. */
export function journalsFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'meshform-journals-'));
  return folder;
}

/** The state folder of the user in this test file, for commands that have no `MESHFORM_JOURNALS`. */
export const stateFolder = (): string => join(journalsFolder(), 'state');

/** The folder of the journals of the only folder of desired state whose journals are in `root`. */
export function onlyFolderIn(root: string): string {
  const [only, ...others] = readdirSync(root);
  if (only === undefined || others.length > 0) throw new Error(`not one folder in ${root}`);
  return join(root, only);
}

/** Removes it; the next file gets another. */
export function removeJournals(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
