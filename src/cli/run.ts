// One command from its words to its exit code. The only place where errors become messages.
import { CommanderError } from 'commander';
import { ApiError, InvariantError } from '../model/errors.ts';
import { wrap } from '../report/lines.ts';
import { WIDTH } from '../report/style.ts';
import { styleFor } from './colour.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { Stop } from './stop.ts';

/** Runs the command that `argv` (without node and script) asks for; resolves to the exit code, never throws. */
export async function run(argv: readonly string[], io: Io, version: string): Promise<number> {
  let code: number = EXIT.done;
  const finish = (ended: number): void => {
    code = ended;
  };
  try {
    const program = buildProgram({ io, version, finish });
    // The parser takes the first two words for node and the script.
    await program.parseAsync(['node', program.name(), ...argv]);
    return code;
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const style = styleFor(io.stderr, io);
  const say = (message: string, hint?: string) => {
    const hints = hint ? wrap(`  hint: ${hint}`, WIDTH) : [];
    const lines = [`${style.error('Error:')} ${message}`, ...hints, ''];
    io.stderr.write(io.secrets.strike(lines.join('\n')));
  };
  if (error instanceof Stop) {
    say(error.message, error.hint);
    return error.code;
  }
  if (error instanceof ApiError) {
    say(error.message);
    return EXIT.failed;
  }
  if (error instanceof RangeError && error.message === 'Invalid string length') {
    say('what is to be written is longer than 512 MB', 'take a part of it, with --kinds or --only');
    return EXIT.failed;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const whose =
    error instanceof InvariantError ? 'This is a fault in meshform' : 'This was not expected';
  say(`${whose}. Please report it with what follows.\n${trace}`);
  return EXIT.failed;
}
