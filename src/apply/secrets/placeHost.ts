// What places for secrets need of the machine: where files lie, the environment, the streams of the process.

/** The machine, for a place that keeps secrets. */
export interface PlaceHost {
  /** Relative paths start here, and commands run here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For a path that is the standard output, such as `/dev/stdout`. */
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Writes commands to the runner of a pipeline, unchanged. */
  readonly command: (text: string) => void;
}
