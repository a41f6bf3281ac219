// The reading order of findings: file by file, from the top.
import type { Diagnostic, Span } from './diagnostic.ts';
import { compareTexts } from './text/compareTexts.ts';

/** Findings by position, without the repetitions that an alias causes. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [JSON.stringify(found), found]));
  return sortedByPosition([...unique.values()]);
}

/** Findings by position, all of them. */
export function sortedByPosition(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      byPosition(a.at, b.at) || compareTexts(a.code, b.code) || compareTexts(a.message, b.message),
  );
}

/** Compares two positions for sorting; findings without a position come first. */
export function byPosition(a: Span | undefined, b: Span | undefined): number {
  const files = compareTexts(a?.file ?? '', b?.file ?? '');
  return files || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
