// The paths of desired state that a command takes: one folder or file, or the layers of one desired state in their order.
import type { Command } from 'commander';

/** Files of desired state, as they are named. */
export interface NamedFiles {
  /** The only path, or the last layer. */
  readonly path: string;
  /** The layers before it; absent if one path is named: then the project file may list them. */
  readonly layers?: readonly string[];
}

/** The argument of a command that takes layers. `more` is what else it may be. */
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
