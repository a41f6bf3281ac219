// The project file that applies to the working directory, for commands that read no desired state.
import { relative } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { unreadableProject } from '../../read/files/findings.ts';
import { findUpwards } from '../../read/project.ts';
import { PROJECT_FILE, type Project, readProject } from '../../source/project/project.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import type { Io } from '../io.ts';

/** The nearest project file from `folder` upwards; empty if there is none. A fault in it stops the command. */
export async function projectOrStop(io: Io, folder: string = io.cwd): Promise<Project> {
  const found = await findUpwards(folder, PROJECT_FILE);
  if (found === null) return {};
  const file = relative(io.cwd, found.file);
  const { project, diagnostics } =
    'why' in found
      ? { project: {}, diagnostics: [unreadableProject(file, found.why)] }
      : readProject({ ...found, file }, shippedSchema('project.schema.json'));
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return project;
}
