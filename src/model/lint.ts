// The results of lints: findings, and findings that the files silence with a reason.
import type { Diagnostic, Span } from './diagnostic.ts';

/** A finding that `lifecycle.lint_ignore` of its object silences. */
export interface SilencedFinding {
  readonly finding: Diagnostic;
  readonly reason: string;
  /** The place of the reason. */
  readonly reasonAt: Span;
}

/** All findings of lints, ordered by place. */
export interface LintReport {
  readonly findings: readonly Diagnostic[];
  readonly silenced: readonly SilencedFinding[];
}
