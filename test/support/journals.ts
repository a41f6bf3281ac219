// Where commands of tests keep their journals, so that what is applied from the examples leaves nothing there.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string | undefined;

/** The folder for the journals of this test file. */
export function journalsFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'meshform-journals-'));
  return folder;
}

/** Removes it; the next file gets another. */
export function removeJournals(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
}
