// A user's mistake as a value: what is wrong, where, and what to do next. Never thrown one at a time.
import type { DiagnosticCode } from './codes.ts';
import { visible } from './text/visible.ts';

/** A place in a file; line and column count from 1. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How the text there became a part of an object. Absent if it was written in the object itself. */
  readonly use?: Use;
}

/** How a text that is written once became a part of several objects. A type, so that it is JSON. */
export type Use = {
  /** The places that use the text, from the nearest to the object. */
  readonly places: readonly UsePlace[];
  /** The keys of `for_each` that the object was made for, the outermost first. */
  readonly instances: readonly string[];
  /** How many other objects use the text in the same way. */
  readonly others?: number;
};

/** A place that uses a text. */
type UsePlace = Readonly<Pick<Span, 'file' | 'line' | 'column'>>;

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

/** The place with how it is used: `templates.yaml:3:5, used at offices.yaml:10:3 (for_each "hamburg")`. */
export function placeText(span: Span): string {
  const used = useText(span);
  if (used === undefined) return spanText(span);
  return span.use?.places.length === 0 ? `${spanText(span)} ${used}` : `${spanText(span)}, ${used}`;
}

/** How the text at a place is used: `used at offices.yaml:10:3 (for_each "hamburg")`; undefined for any other text. */
export function useText({ use }: Span): string | undefined {
  if (!use) return undefined;
  const { places, instances, others = 0 } = use;
  const at = places.length > 0 ? `used at ${places.map(spanText).join(', ')}` : '';
  const keys = instances.map(key => JSON.stringify(visible(key))).join(', ');
  const each = instances.length > 0 ? `(for_each ${keys})` : '';
  const more = others > 0 ? `and in ${others} other ${others === 1 ? 'object' : 'objects'}` : '';
  return [at, each, more].filter(text => text !== '').join(' ');
}
