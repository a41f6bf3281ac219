// Loads the files of a studio, and the state with which they are compared. No secret is decrypted,
// so each secret counts as missing.
import { dirname, join, resolve } from 'node:path';
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import type { DesiredState } from '../../pipeline/loading/desiredState.ts';
import { loadDesired } from '../../pipeline/loading/loadDesired.ts';
import type { LoadRequest } from '../../pipeline/loading/loadRequest.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { folderOf, readOnce, realOf } from '../../read/files/projectFilesAbove.ts';
import type { Stamped } from '../../read/files/stamp.ts';
import { loadLayers } from '../../read/git/layers.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import { revisionFiles } from '../../read/git/revisionStamp.ts';
import { endedAt } from '../../source/endings/endedAt.ts';
import { PROJECT_FILE } from '../../source/project/project.ts';
import { cachedParser } from '../../source/yaml/cachedParser.ts';
import { loadRequest } from '../files/desired.ts';
import { stopOn } from '../findings.ts';
import type { SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import type { FilesBase } from './evaluate.ts';

const reasonLines = ({ message, hint }: Diagnostic): readonly string[] => [
  message,
  ...(hint === undefined ? [] : [`  hint: ${hint}`]),
];

/** Reads the files repeatedly. */
export interface StudioFiles {
  readonly load: () => Promise<DesiredState>;
  /**
   * Loads the state with which valid files are compared; null if the user chose none and there is
   * no commit.
   */
  readonly base: () => Promise<FilesBase | null>;
  /** The files whose change matters. */
  readonly files: () => Stamped;
  /** Identifies the content of a base that is a revision. Changes with the revision. */
  readonly revision: () => Stamped;
}

/** The revision with which files are compared if nobody chooses another. */
export const LAST_COMMIT = 'HEAD';

/** The files at a path. */
export function studioFiles(tools: Schemas, path: string, flags: SourceFlags, io: Io): StudioFiles {
  const parser = cachedParser();
  const { base, ...own } = flags;
  const request = (): LoadRequest => ({
    ...loadRequest(path, own, freshly(io)),
    areSecretsClosed: true,
    parse: parser.parse,
  });
  const home = resolve(io.cwd, path);
  return {
    load: async () => {
      const loaded = await loadDesired(tools, request());
      parser.forgetUnused();
      return loaded;
    },
    base: async () => {
      if (base === undefined && repositoryOf(home) === null) return null;
      const loaded = await loadDesired(tools, { ...request(), base: base ?? LAST_COMMIT });
      const faults = loaded.diagnostics.filter(isOfBase);
      if (base === undefined && hasErrors(faults)) return null;
      if (hasErrors(faults)) throw stopOn(faults).withLines(faults.flatMap(reasonLines));
      const { desired } = endedAt(loaded.base, tools.kinds, io.now());
      return { is: nameOf(base), desired };
    },
    files: () => stampedFiles(home, own, request()),
    revision: () => ({
      paths: base === undefined ? [] : [resolve(io.cwd, base)],
      files: revisionFiles(home),
    }),
  };
}

const nameOf = (base: string | undefined): string =>
  base === undefined ? 'the last commit' : `the base ${quoted(base)}`;

const isOfBase = ({ code }: Diagnostic): boolean => code.startsWith('BASE_');

// A command reads each project file once. A studio must read the project files again for each
// reading.
const freshly = (io: Io): Io => ({ ...io, projectFiles: readOnce(io.readProjectFile) });

function stampedFiles(
  home: string,
  { layers: named = [] }: SourceFlags,
  request: LoadRequest,
): Stamped {
  const { layers } = loadLayers({ ...request, projectFiles: request.host.projectFiles });
  const paths = [...new Set([home, ...named, ...layers.map(layer => layer.path)])];
  return { paths, files: paths.flatMap(projectPlaces) };
}

// The places at which project files apply: from the files upwards to the root of their repository.
function projectPlaces(path: string): readonly string[] {
  const root = repositoryOf(path)?.root;
  const places: string[] = [];
  for (let folder = realOf(folderOf(path)); ; folder = dirname(folder)) {
    places.push(join(folder, PROJECT_FILE));
    if (folder === root || folder === dirname(folder)) return places;
  }
}
