// The parts of the machine that places for secrets use: paths, the environment, and the streams of
// the process.
import type { ProgramHost } from '../../read/environment.ts';

/** The machine, as a place for secrets uses it. */
export interface PlaceHost extends ProgramHost {
  /** The folder in which commands run and to which relative paths refer. */
  readonly cwd: string;
  /** Writes to the standard output, for a path such as `/dev/stdout`. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Writes commands to the runner of a pipeline, without changing the text. */
  readonly command: (text: string) => void;
}
