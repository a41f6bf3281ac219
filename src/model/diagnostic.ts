// A user's mistake as a value: what is wrong, where, and what to do next. Never thrown one at a time.
import type { DiagnosticCode } from './codes.ts';
import { visible } from './text/visible.ts';

/** A place in a file; line and column count from 1. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export type Severity = 'error' | 'warning' | 'note';

/** One finding about the files or the account. `code` is listed in `codes.ts` and never renamed. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence without a full stop. It quotes keys of a file but no values, which may be secret. */
  readonly message: string;
  readonly at?: Span;
  /** What to do next. */
  readonly hint?: string;
  /** The values of `--except` that leave out what the finding is about. */
  readonly except?: readonly string[];
}

/** Whether any of these diagnostics stops the run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(diagnostic => diagnostic.severity === 'error');
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function spanText(span: Span): string {
  return `${visible(span.file)}:${span.line}:${span.column}`;
}
