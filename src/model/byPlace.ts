// The order in which people read findings: file by file, from the top.
import type { Diagnostic, Span } from './diagnostic.ts';
import { compareTexts } from './text/compareTexts.ts';

/** Findings by place, without repeating those that an alias brings to several objects. */
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

/** Compares two places for sorting; what has no place comes first. */
export function byPlace(a: Span | undefined, b: Span | undefined): number {
  const files = compareTexts(a?.file ?? '', b?.file ?? '');
  return files || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
