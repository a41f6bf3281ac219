// What the lints say about files: findings, and those that the files silence with a reason.
import type { Diagnostic, Span } from './diagnostic.ts';

/** A finding that `lifecycle.lint_ignore` of its object silences. */
export interface SilencedFinding {
  readonly finding: Diagnostic;
  readonly reason: string;
  /** Where the reason is written. */
  readonly reasonAt: Span;
}

/** Everything that the lints say about files, ordered by place. */
export interface LintReport {
  readonly findings: readonly Diagnostic[];
  readonly silenced: readonly SilencedFinding[];
}
