// The reading order of findings: file by file, from the top.
import type { Diagnostic, Span } from './diagnostic.ts';
import { compareTexts } from './text/compareTexts.ts';

/** Findings by place, without the repetitions that an alias causes. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [JSON.stringify(found), found]));
  return sortedByPlace([...unique.values()]);
}

/** Findings by place, all of them. */
export function sortedByPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      byPlace(a.at, b.at) || compareTexts(a.code, b.code) || compareTexts(a.message, b.message),
  );
}

/** Compares two places for sorting; findings without a place come first. */
export function byPlace(a: Span | undefined, b: Span | undefined): number {
  const files = compareTexts(a?.file ?? '', b?.file ?? '');
  return files || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
