// Runs one command, from its arguments to its exit code.
import { CommanderError } from 'commander';
import { readOnce } from '../read/files/projectFilesAbove.ts';
import { styleFor } from './colour.ts';
import { errorText } from './errorText.ts';
import { EXIT, exitOn } from './exitCodes.ts';
import { Interrupts } from './interrupts.ts';
import type { Io } from './io.ts';
import { filteredOutput } from './outputFilter.ts';
import { buildProgram } from './program.ts';
import { withPlaceStop } from './refusals/placeStop.ts';
import { Stop } from './stop.ts';

/** Runs the command in `argv` (without node and script); resolves to the exit code and never rejects. */
export async function run(argv: readonly string[], world: Io, version: string): Promise<number> {
  const own: Io = Object.assign(filteredOutput(world), {
    projectFiles: readOnce(world.readProjectFile),
  });
  const interrupts = new Interrupts(own);
  const io: Io = Object.assign(own, { interrupts });
  let code: number = EXIT.done;
  const finish = (ended: number): void => {
    code = ended;
  };
  try {
    const program = buildProgram({ io, version, argv, finish, run });
    // The parser expects node and the script as the first two arguments.
    await program.parseAsync(['node', program.name(), ...argv]);
  } catch (error) {
    code = report(withPlaceStop(error), io);
  } finally {
    interrupts.release();
  }
  const { caught } = interrupts;
  // A person stopped the command, whatever else failed in it.
  return caught === null || HAS_SAID.has(code) ? code : exitOn(caught);
}

/**
 * The exit codes of a command that completed despite the interrupt, or that reports the interrupt
 * itself.
 */
const HAS_SAID: ReadonlySet<number> = new Set([EXIT.done, EXIT.interrupted, EXIT.terminated]);

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  io.stderr.write(errorText(error, io, styleFor(io.stderr, io)));
  return error instanceof Stop ? error.code : EXIT.failed;
}
