// A user's mistake as a value: the problem, its place, and what to do next. Mistakes are collected; none is thrown alone.
import type { DiagnosticCode } from './codes.ts';
import { visible } from './text/visible.ts';

/** A place in a file; line and column count from 1. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How the text at this place became a part of an object; absent if the object itself contains the text. */
  readonly use?: Use;
}

/**
 * How a text that is written once became a part of several objects. A type alias rather than an interface, so that it is
 * assignable to JSON.
 */
export type Use = {
  /** The places that use the text, starting with the nearest to the object. */
  readonly places: readonly UsePlace[];
  /** The keys of `for_each` for which the object was created, outermost first. */
  readonly instances: readonly string[];
  /** The number of other objects that use the text in the same way. */
  readonly others?: number;
};

/** A place that uses a text. */
type UsePlace = Readonly<Pick<Span, 'file' | 'line' | 'column'>>;

export type Severity = 'error' | 'warning' | 'note';

/** One finding about the files or the account. `code` is listed in `codes.ts` and never renamed. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence without a full stop. It quotes keys of a file but no values, because values may be secret. */
  readonly message: string;
  readonly at?: Span;
  /** What to do next. */
  readonly hint?: string;
  /** The values of `--except` that leave out the subject of the finding. */
  readonly except?: readonly string[];
  /** The name in a flag, if the finding is about that name. */
  readonly named?: string;
}

/** Whether any of these diagnostics stops the run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(diagnostic => diagnostic.severity === 'error');
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function spanText(span: Span): string {
  return `${visible(span.file)}:${span.line}:${span.column}`;
}

/** The place, and how it is used: `templates.yaml:3:5, used at offices.yaml:10:3 (for_each "hamburg")`. */
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
