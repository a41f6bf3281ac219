// Checks the arguments of commands that accept a run followed by a folder. If there is only a
// folder, the user forgot the run.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { shellWord } from '../model/text/shellWord.ts';
import { quoted } from '../model/text/visible.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

/**
 * Throws a `Stop` if the argument for the run is a path. `command`: the words of the command,
 * without the program and its arguments.
 */
export function refusePathForRun(
  run: string,
  path: string,
  { command, io: { cwd } }: { readonly command: string; readonly io: Pick<Io, 'cwd'> },
): void {
  if (path !== '.' || !existsSync(resolve(cwd, run))) return;
  throw new Stop(
    EXIT.usage,
    `${quoted(run)} is a path, and no run is named`,
    `name the run first: \`meshform ${command} RUN ${shellWord(run)}\`; \`meshform runs ${shellWord(run)}\` lists them`,
  );
}
