// The folders of desired state directly below a folder that has no project file, for hints.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FILE } from '../../source/project/project.ts';

/**
 * The names of the folders in `folder` that have a project file, in order; empty if `folder` cannot
 * be read.
 */
export function projectsBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && existsSync(join(folder, entry.name, PROJECT_FILE)))
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}
