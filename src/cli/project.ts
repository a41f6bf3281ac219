// The project file that applies to the working directory, for commands that read no desired state.
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { hasErrors } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import { realOf } from '../read/files/projectFilesAbove.ts';
import { loadLayers } from '../read/git/layers.ts';
import { loadProject } from '../read/loadProject.ts';
import type { Project, ReadProject } from '../source/project/project.ts';
import { printFindings, stopOnErrors } from './findings.ts';
import type { Io } from './io.ts';

/** The project files from `folder` upwards, joined; empty if there is none. An error in one of them stops the command. */
export function projectOrStop(io: Io, folder: string = io.cwd): Project {
  const { project, diagnostics } = projectAt(io, folder);
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return project;
}

/** The project files for the files of a plan, joined, with the guards of all its layers. */
export function projectOfPlan(io: Io, { folder, layers: ways = [] }: Plan): Project {
  const path = resolve(io.cwd, folder);
  const layers = ways.map(way => join(realOf(path), way)).filter(layer => existsSync(layer));
  const shownAs = (file: string) => relative(io.cwd, file);
  const { projectFiles } = io;
  const { project, diagnostics } = loadLayers({ path, layers, shownAs, projectFiles });
  printFindings(diagnostics, io);
  stopOnErrors(diagnostics);
  return project;
}

/**
 * The project files from `folder` upwards, joined. For a command that reports errors in project
 * files together with errors in the desired state. If the project files have errors, the result has
 * no settings.
 */
export function projectBefore(io: Io, folder: string): Project {
  const { project, diagnostics } = projectAt(io, folder);
  return hasErrors(diagnostics) ? {} : project;
}

const projectAt = ({ cwd, projectFiles }: Io, folder: string): ReadProject =>
  loadProject(folder, { shownAs: file => relative(cwd, file), projectFiles });
