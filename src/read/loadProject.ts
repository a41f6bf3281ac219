// The settings for desired state: its project file, joined with those above it.
import type { KindTable } from '../kinds/kind.ts';
import { shippedSchema } from '../kinds/registry.ts';
import { joinedPlaces } from '../source/project/guardPlaces.ts';
import { joinProjects } from '../source/project/joinProjects.ts';
import { PROJECT_FILE, type ReadProject, readProject } from '../source/project/project.ts';
import { unreadableProject } from './files/findings.ts';
import { type FileInFolder, findAllUpwards } from './files/upwards.ts';

/** How project files are read, and shown in messages. */
interface ProjectReading {
  readonly shownAs: (path: string) => string;
  readonly kinds?: KindTable | undefined;
  /** The files as the run has read them. Without it, they are read now. */
  readonly projectFiles?: FileInFolder | undefined;
}

/** The settings for the files at `path`, and the faults in them. */
export function loadProject(
  path: string,
  { shownAs, kinds, projectFiles }: ProjectReading,
): ReadProject {
  const found = findAllUpwards(path, PROJECT_FILE, projectFiles);
  const read = found.map((one): ReadProject => {
    const file = shownAs(one.file);
    if ('why' in one)
      return { project: {}, places: new Map(), diagnostics: [unreadableProject(file, one.why)] };
    return readProject({ ...one, file }, shippedSchema('project.schema.json'), kinds);
  });
  const { project, diagnostics } = joinProjects(read.map(one => one.project));
  return {
    project,
    places: joinedPlaces(read.map(one => one.places)),
    diagnostics: [...read.flatMap(one => one.diagnostics), ...diagnostics],
  };
}
