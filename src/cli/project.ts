// The project file that applies to the working directory, for commands that read no desired state.
import { relative } from 'node:path';
import { hasErrors } from '../model/diagnostic.ts';
import { loadProject } from '../read/loadProject.ts';
import type { Project, ReadProject } from '../source/project/project.ts';
import { printFindings, stopOnErrors } from './findings.ts';
import type { Io } from './io.ts';

/** The project files from `folder` upwards, joined; empty if there is none. A fault in one of them stops the command. */
export function projectOrStop(io: Io, folder: string = io.cwd): Project {
  const { project, diagnostics } = projectAt(io, folder);
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return project;
}

/** The same for a command that reports the faults of these files with those of the desired state: then there are no settings. */
export function projectBefore(io: Io, folder: string): Project {
  const { project, diagnostics } = projectAt(io, folder);
  return hasErrors(diagnostics) ? {} : project;
}

const projectAt = ({ cwd, projectFiles }: Io, folder: string): ReadProject =>
  loadProject(folder, { shownAs: file => relative(cwd, file), projectFiles });
