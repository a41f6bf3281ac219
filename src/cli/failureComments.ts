// If a command with `--format comment` fails before it has printed its comment, it prints a comment
// with the reason. Reviewers read the comment, not the log.
import { CommanderError } from 'commander';
import type { Diagnostic, Span } from '../model/diagnostic.ts';
import { ApiError } from '../model/errors.ts';
import type { FailedCommand } from '../report/comment/facts.ts';
import { PLAIN } from '../report/text/style.ts';
import { errorText } from './errorText.ts';
import type { Io, Sink } from './io.ts';
import { withPlaceStop } from './refusals/placeStop.ts';
import { Stop } from './stop.ts';

/** Runs a command that prints a document in this format. */
export async function withFailureComment<T>(
  { command, format }: { readonly command: FailedCommand; readonly format: string },
  io: Io,
  run: (io: Io) => Promise<T>,
): Promise<T> {
  if (format !== 'comment') return run(io);
  const findings: Diagnostic[] = [];
  let isPrinted = false;
  const stdout = noted(io.stdout, () => {
    isPrinted = true;
  });
  const onFindings = (found: readonly Diagnostic[]) => {
    for (const finding of found) findings.push(redacted(finding, io));
  };
  try {
    return await run({ ...io, stdout, onFindings });
  } catch (thrown) {
    const error = withPlaceStop(thrown);
    if (!isPrinted && !(error instanceof CommanderError))
      await printFailure({ command, findings, error }, io);
    throw error;
  }
}

function noted(sink: Sink, onWrite: () => void): Sink {
  const write = (text: string) => {
    onWrite();
    sink.write(text);
  };
  return new Proxy(sink, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)),
  });
}

// Redacts a finding before its text is wrapped, because wrapping changes how a secret is written.
function redacted(finding: Diagnostic, { secrets }: Io): Diagnostic {
  const { message, hint, at } = finding;
  return {
    ...finding,
    message: secrets.redact(message),
    ...(hint !== undefined && { hint: secrets.redact(hint) }),
    ...(at && { at: placeRedacted(at, secrets) }),
  };
}

function placeRedacted({ use, ...at }: Span, secrets: Io['secrets']): Span {
  const redactedUse = use && {
    ...use,
    places: use.places.map(place => ({ ...place, file: secrets.redact(place.file) })),
    instances: use.instances.map(key => secrets.redact(key)),
  };
  return { ...at, file: secrets.redact(at.file), ...(redactedUse && { use: redactedUse }) };
}

async function printFailure(
  {
    command,
    findings,
    error,
  }: {
    readonly command: FailedCommand;
    readonly findings: readonly Diagnostic[];
    readonly error: unknown;
  },
  io: Io,
): Promise<void> {
  const { failureComment } = await import('../report/comment/failureComment.ts');
  // A stack trace belongs in the log.
  const isForPeople = error instanceof Stop || error instanceof ApiError;
  const text = isForPeople ? errorText(error, io, PLAIN) : UNEXPECTED;
  io.stdout.write(failureComment({ command, findings, error: text }));
}

const UNEXPECTED = 'Error: an unexpected error occurred; the log of the job has its text\n';
