// The paths of desired state for a command: one folder or file, or the layers of one desired state
// in order.
import type { Command } from 'commander';

/** Files of desired state, as the user names them. */
export interface NamedFiles {
  /** The only path, or the last layer. */
  readonly path: string;
  /**
   * The earlier layers. Absent if only one path is named; in that case, the project file may list
   * layers.
   */
  readonly layers?: readonly string[];
}

/**
 * Adds the argument of a command that accepts layers. `more`: describes other values that the
 * argument may have.
 */
export const withPaths = (command: Command, more = ''): Command =>
  command.argument(
    '[path...]',
    `a folder of desired state, or one file, by default .; several are layers${more}`,
  );

/** The files that the arguments name. */
export function filesNamed(paths: readonly string[]): NamedFiles {
  const path = paths.at(-1) ?? '.';
  return paths.length > 1 ? { path, layers: paths.slice(0, -1) } : { path };
}
