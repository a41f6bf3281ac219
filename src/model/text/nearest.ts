// "Did you mean …?": the most similar of the valid names.
import { quoted } from './visible.ts';

/** The candidate most similar to `written`, if it is similar enough to be a typing error. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(written.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    const isBetter =
      !best || distance < best.distance || (distance === best.distance && name < best.name);
    if (distance <= limit && isBetter) best = { name, distance };
  }
  return best?.name;
}

/** The hint for it, or undefined. */
export function didYouMean(written: string, candidates: Iterable<string>): string | undefined {
  const name = nearest(written, candidates);
  return name === undefined ? undefined : `did you mean ${quoted(name)}?`;
}

// Damerau–Levenshtein, restricted: insertions, deletions, substitutions and swaps of neighbours count one each.
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
