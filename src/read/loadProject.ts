// The settings for desired state: those of the nearest project file, joined with those of the project files above it.
import type { KindTable } from '../kinds/kind.ts';
import { shippedSchema } from '../kinds/registry.ts';
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { joinedPlaces } from '../source/project/guardPlaces.ts';
import { joinProjects } from '../source/project/joinProjects.ts';
import {
  PROJECT_FILE,
  type ReadProject,
  readGuards,
  readProject,
} from '../source/project/project.ts';
import { foreignProject, misnamedProject, unreadableProject } from './files/findings.ts';
import {
  type FileInFolder,
  type FleetSettings,
  findAllUpwards,
  misnamedUpwards,
} from './files/projectFilesAbove.ts';

/** How project files are read, and shown in messages. */
export interface ProjectReading {
  readonly shownAs: (path: string) => string;
  readonly kinds?: KindTable | undefined;
  /** The files as the run has read them. If absent, they are read now. */
  readonly projectFiles?: FileInFolder | undefined;
  /** Whether the files belong to a base. Of the project files of a base, only guards and layers count. */
  readonly isFormer?: boolean;
}

/** The content of a project file, and its path. */
export interface ProjectAt extends ReadProject {
  readonly file: string;
}

/** The joined settings for the files at `path`, and their faults. */
export const loadProject = (path: string, reading: ProjectReading): ReadProject =>
  joinedFiles(projectsFor(path, reading));

/** Each project file for the files at `path`, the nearest first. */
export function projectsFor(
  path: string,
  { shownAs, kinds = new Map(), projectFiles, isFormer = false }: ProjectReading,
): readonly ProjectAt[] {
  const schema = shippedSchema('project.schema.json');
  const read = isFormer ? readGuards : readProject;
  const found = findAllUpwards(path, PROJECT_FILE, projectFiles).map((one): ProjectAt => {
    const { file } = one;
    const shown = shownAs(file);
    if (!('why' in one)) return { file, ...read({ ...one, file: shown }, schema, kinds) };
    const { why, foreign } = one;
    const fault = foreign ? foreignProject(shown, why, foreign) : unreadableProject(shown, why);
    return unused(file, fault);
  });
  // For a base, files that are misnamed in the checkout do not matter.
  const others = isFormer ? [] : misnamedUpwards(path, PROJECT_FILE);
  const misnamed = others.map(file => unused(file, misnamedProject(shownAs(file))));
  const all = found.concat(misnamed);
  const entry = projectFiles?.inFleet?.(path);
  return entry ? belowFleet(all, entry) : all;
}

const unused = (file: string, fault: Diagnostic): ProjectAt => ({
  file,
  project: {},
  places: new Map(),
  diagnostics: [fault],
});

// The project files with the settings of a fleet entry, which takes precedence over all files. Only the name of the base is added
// to the nearest file, as a default; the other settings stay with the fleet.
function belowFleet(
  [nearest, ...outer]: readonly ProjectAt[],
  { file, account, accountAt, name }: FleetSettings,
): readonly ProjectAt[] {
  const named = name !== undefined && { name };
  const known = account !== undefined && { account, ...(accountAt && { accountAt }) };
  const own = { file, places: new Map<string, Span>(), diagnostics: [] };
  if (nearest === undefined) return [{ ...own, project: { ...named, ...known } }];
  const project = { ...named, ...nearest.project };
  return [{ ...nearest, project }, ...outer, { ...own, project: { ...known } }];
}

/** The settings in project files of a folder, from the nearest outwards. */
export function joinedFiles(read: readonly ReadProject[]): ReadProject {
  const { project, diagnostics } = joinProjects(read.map(one => one.project));
  return {
    project,
    places: joinedPlaces(read.map(one => one.places)),
    diagnostics: [...read.flatMap(one => one.diagnostics), ...diagnostics],
  };
}
