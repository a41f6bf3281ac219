// "Did you mean …?": the most similar of the valid names.
import { quoted } from './visible.ts';

/** The candidate most similar to `written`, if it is similar enough to be a typing error. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const text = written.toLowerCase();
  let best: string | undefined;
  let limit = Math.max(1, Math.floor(written.length / 3));
  for (const name of candidates) {
    const distance = distanceWithin(limit, text, name.toLowerCase());
    if (distance > limit || (distance === limit && best !== undefined && name >= best)) continue;
    // A name replaces the best one if it is nearer, or equally near and first in the alphabet.
    best = name;
    limit = distance;
  }
  return best;
}

/**
 * The hint with the most similar candidate, or undefined. If a text is only the beginning of some names, the hint contains these
 * names.
 */
export function didYouMean(written: string, candidates: Iterable<string>): string | undefined {
  const names = [...new Set(candidates)];
  const name = nearest(written, names);
  if (name !== undefined) return `did you mean ${quoted(name)}?`;
  if (written.length < SHORTEST_BEGINNING) return undefined;
  const [first, ...more] = names
    .filter(one => one.toLowerCase().startsWith(written.toLowerCase()))
    .sort();
  if (first === undefined) return undefined;
  const [second] = more;
  if (second === undefined) return `did you mean ${quoted(first)}?`;
  if (more.length === 1) return `did you mean ${quoted(first)} or ${quoted(second)}?`;
  return `did you mean ${quoted(first)}, ${quoted(second)}, or another one of ${more.length + 1} that begin with it?`;
}

/** Too many names begin with fewer letters than this. */
const SHORTEST_BEGINNING = 3;

// Damerau–Levenshtein distance, restricted: insertions, deletions, substitutions and swaps of neighbours count one each. Infinity
// beyond `limit`. Only cells within `limit` of the diagonal are computed, because thousands of long names may be compared.
function distanceWithin(limit: number, a: string, b: string): number {
  if (Math.abs(a.length - b.length) > limit) return FAR;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  let previousLeast = 0;
  for (let i = 1; i <= a.length; i++) {
    const row = Array<number>(b.length + 1).fill(FAR);
    if (i <= limit) row[0] = i;
    let least = row[0] ?? FAR;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const cell = Math.min(
        (previous[j] ?? FAR) + 1,
        (row[j - 1] ?? FAR) + 1,
        (previous[j - 1] ?? FAR) + cost,
        swapped ? (before[j - 2] ?? FAR) + 1 : FAR,
      );
      row[j] = cell;
      least = Math.min(least, cell);
    }
    // A swap uses the row before the last.
    if (Math.min(least, previousLeast) > limit) return FAR;
    [before, previous, previousLeast] = [previous, row, least];
  }
  return previous[b.length] ?? FAR;
}

const FAR = Number.POSITIVE_INFINITY;
