// Runs one command, from its arguments to its exit code. The only place where errors become messages.
import { CommanderError } from 'commander';
import { ApiError, InvariantError } from '../model/errors.ts';
import { visible } from '../model/text/visible.ts';
import { wrap } from '../report/text/lines.ts';
import { readable } from '../report/text/style.ts';
import { styleFor } from './colour.ts';
import { EXIT } from './exitCodes.ts';
import { guarded } from './guarded.ts';
import type { Io } from './io.ts';
import { buildProgram } from './program.ts';
import { Stop } from './stop.ts';

/** Runs the command in `argv` (without node and script); resolves to the exit code, never throws. */
export async function run(argv: readonly string[], world: Io, version: string): Promise<number> {
  const io = guarded(world);
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
    return report(error, io);
  }
}

function report(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof Stop) {
    tell(error.message, error, io);
    return error.code;
  }
  if (error instanceof ApiError) {
    tell(error.message, { lines: error.details.more ?? [] }, io);
    return EXIT.failed;
  }
  if (error instanceof RangeError && error.message === 'Invalid string length') {
    const hint = 'select a part with --kinds or --only';
    tell('the output is larger than 512 MB', { hint }, io);
    return EXIT.failed;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const whose =
    error instanceof InvariantError ? 'This is a bug in meshform' : 'An unexpected error occurred';
  tell(
    `${whose}. Please report it with the text below.`,
    { lines: io.secrets.redact(trace).split('\n') },
    io,
  );
  return EXIT.failed;
}

function tell(
  message: string,
  { lines = [], hint }: { readonly lines?: readonly string[]; readonly hint?: string | null },
  io: Io,
): void {
  const { stderr, secrets } = io;
  // Secrets are redacted before the text is escaped and wrapped, which would change how they are written.
  const [first = '', ...rest] = [message, ...lines].map(line => visible(secrets.redact(line)));
  const style = styleFor(stderr, io);
  const hints = hint ? wrap(`  hint: ${secrets.redact(hint)}`, readable(style)) : [];
  const text = [`${style.error('Error:')} ${first}`, ...rest, ...hints];
  stderr.write(`${text.join('\n')}\n`);
}
