// The order in which people read findings: file by file, from the top.
import type { Diagnostic, Span } from './diagnostic.ts';

/** Findings by place, without repeating those that an alias brings to several objects. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [JSON.stringify(found), found]));
  return [...unique.values()].sort(
    (a, b) =>
      byPlace(a.at, b.at) || compareTexts(a.code, b.code) || compareTexts(a.message, b.message),
  );
}

/** Compares two places for sorting; what has no place comes first. */
export function byPlace(a: Span | undefined, b: Span | undefined): number {
  const files = compareTexts(a?.file ?? '', b?.file ?? '');
  return files || (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

// By their characters, the same on every machine.
function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
