// The reading order of findings: file by file, from the top.
import { type Diagnostic, type Span, spanText } from './diagnostic.ts';
import { compareTexts } from './text/compareTexts.ts';

/**
 * Findings sorted by position, without the repetitions that an alias causes. A finding about a text that several objects use
 * appears once, at the first of these objects.
 */
export function sortedAndDistinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [JSON.stringify(found), found]));
  const groups = Map.groupBy(unique.values(), ({ at, ...found }) =>
    JSON.stringify({ ...found, at: at && spanText(at) }),
  );
  return sortedByPosition([...groups.values()].flatMap(togetherOf));
}

function togetherOf(same: readonly Diagnostic[]): Diagnostic[] {
  const [first] = same;
  if (!first?.at?.use || same.length === 1) return [...same];
  const use = { ...first.at.use, others: same.length - 1 };
  return [{ ...first, at: { ...first.at, use } }];
}

/** All findings, sorted by position. */
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
