// Runs one command, from its arguments to its exit code.
import { CommanderError } from 'commander';
import { readOnce } from '../read/files/upwards.ts';
import { styleFor } from './colour.ts';
import { errorText } from './errorText.ts';
import { EXIT } from './exitCodes.ts';
import { guarded } from './guarded.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { withForeignStop } from './refusals/foreignStop.ts';
import { Stop } from './stop.ts';

/** Runs the command in `argv` (without node and script); resolves to the exit code, never throws. */
export async function run(argv: readonly string[], world: Io, version: string): Promise<number> {
  const io: Io = Object.assign(guarded(world), { projectFiles: readOnce(world.readProjectFile) });
  let code: number = EXIT.done;
  const finish = (ended: number): void => {
    code = ended;
  };
  try {
    const program = buildProgram({ io, version, argv, finish, run });
    // The parser expects node and the script as the first two arguments.
    await program.parseAsync(['node', program.name(), ...argv]);
    return code;
  } catch (error) {
    return report(withForeignStop(error), io);
  }
}

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  io.stderr.write(errorText(error, io, styleFor(io.stderr, io)));
  return error instanceof Stop ? error.code : EXIT.failed;
}
