// Prints findings for people, and determines their effect on the command.
import { type Diagnostic, hasErrors } from '../model/diagnostic.ts';
import { shellWord } from '../model/text/shellWord.ts';
import { diagnosticCounts, diagnosticsText } from '../report/findings/diagnosticText.ts';
import { styleFor } from './colour.ts';
import { EXIT } from './exitCodes.ts';
import type { Io } from './io.ts';
import { Stop } from './stop.ts';

/** Prints findings to stderr. */
export function printFindings(diagnostics: readonly Diagnostic[], io: Io): void {
  io.stderr.write(io.secrets.redact(diagnosticsText(diagnostics, styleFor(io.stderr, io))));
  io.onFindings?.(diagnostics);
}

const GUARDS: ReadonlySet<string> = new Set([
  'PROTECTED',
  'ACCOUNT_DIFFERS',
  'BASE_NOT_BEHIND',
  'BASE_NOT_FOUND',
  'BASE_NAME_TAKEN',
  'REMOVAL_NOT_PRUNED',
  'END_GIVES_ACCESS',
  'CLOCK_DIFFERS',
]);

/** Throws a `Stop` if there are errors among the findings. */
export function stopOnErrors(diagnostics: readonly Diagnostic[]): void {
  if (hasErrors(diagnostics)) throw stopOn(diagnostics);
}

// A line to copy with the flags for all findings. For a single finding, the hint already contains
// the flag.
function exceptAll(errors: readonly Diagnostic[]): readonly string[] {
  const entries = [...new Set(errors.flatMap(({ except }) => except ?? []))];
  const flags = entries.map(entry => `--except ${shellWord(entry)}`).join(' ');
  return entries.length < 2
    ? []
    : [`  to leave out everything that the server does not offer: ${flags}`];
}

/** The `Stop` for findings with errors: exit code `refused` if a guard failed, otherwise `invalid`. */
export function stopOn(diagnostics: readonly Diagnostic[]): Stop {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const isGuard = errors.every(({ code }) => GUARDS.has(code));
  const code = isGuard ? EXIT.refused : EXIT.invalid;
  return new Stop(code, `stopped because of ${diagnosticCounts(errors)}`, null, exceptAll(errors));
}
