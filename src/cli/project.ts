// The project file that applies to the working directory, for commands that read no desired state.
import { relative } from 'node:path';
import { hasErrors } from '../model/diagnostic.ts';
import { loadProject } from '../read/loadProject.ts';
import type { Project } from '../source/project/project.ts';
import { printFindings, stopOnErrors } from './findings.ts';
import type { Io } from './io.ts';

/** The project files from `folder` upwards, joined; empty if there is none. A fault in one of them stops the command. */
export async function projectOrStop(io: Io, folder: string = io.cwd): Promise<Project> {
  const shownAs = (file: string) => relative(io.cwd, file);
  const { project, diagnostics } = await loadProject(folder, shownAs);
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return project;
}

/** The same for a command that reads them again with the desired state, and reports their faults then: these have no settings. */
export async function projectBefore(io: Io, folder: string): Promise<Project> {
  const { project, diagnostics } = await loadProject(folder, file => relative(io.cwd, file));
  return hasErrors(diagnostics) ? {} : project;
}
