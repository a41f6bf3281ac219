// The project file that applies to the working directory, for commands that read no desired state.
import { relative } from 'node:path';
import { shippedSchema } from '../../kinds/registry.ts';
import { unreadableProject } from '../../read/files/findings.ts';
import { findAllUpwards } from '../../read/project.ts';
import { joinProjects } from '../../source/project/joinProjects.ts';
import { PROJECT_FILE, type Project, readProject } from '../../source/project/project.ts';
import { printFindings, stopOnErrors } from '../files/desired.ts';
import type { Io } from '../io.ts';

/** The project files from `folder` upwards, joined; empty if there is none. A fault in one of them stops the command. */
export async function projectOrStop(io: Io, folder: string = io.cwd): Promise<Project> {
  const found = await findAllUpwards(folder, PROJECT_FILE);
  const read = found.map(one => {
    const file = relative(io.cwd, one.file);
    if ('why' in one) return { project: {}, diagnostics: [unreadableProject(file, one.why)] };
    return readProject({ ...one, file }, shippedSchema('project.schema.json'));
  });
  const joined = joinProjects(read.map(({ project }) => project));
  const diagnostics = [...read.flatMap(one => one.diagnostics), ...joined.diagnostics];
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return joined.project;
}
