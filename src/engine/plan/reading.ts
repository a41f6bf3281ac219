// The order in which people read what a plan holds: objects by kind and key, findings by their place in the files.
import type { KindTable } from '../../kinds/kind.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Key, KindName } from '../../model/names.ts';

interface Addressed {
  readonly kind: KindName;
  readonly key: Key;
}

/** Compares objects by kind, as the kind table lists them, and by key. */
export function byKindAndKey(kinds: KindTable): (a: Addressed, b: Addressed) => number {
  const order = new Map([...kinds.keys()].map((name, i) => [name, i]));
  const place = ({ kind }: Addressed) => order.get(kind) ?? 0;
  return (a, b) => place(a) - place(b) || compareTexts(a.key, b.key);
}

/** Findings in the order of the files; those without a place first. */
export function byPlace(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compareTexts(a.at?.file ?? '', b.at?.file ?? '') ||
      (a.at?.line ?? 0) - (b.at?.line ?? 0) ||
      (a.at?.column ?? 0) - (b.at?.column ?? 0) ||
      compareTexts(`${a.code} ${a.message}`, `${b.code} ${b.message}`),
  );
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
