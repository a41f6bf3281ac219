// Inserts into a text without changing any other part of it.

/**
 * A text to insert. Offsets count in a text without byte order mark and carriage returns; the inserted text has line feeds only.
 */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** The text with the insertions, with the line endings that the text has at these places. */
export function inserted(source: string, insertions: readonly Insertion[]): string {
  const mark = source.startsWith('\uFEFF') ? 1 : 0;
  const returns = [...source.matchAll(/\r\n/g)].map(({ index }, i) => index - mark - i);
  const parts: string[] = [];
  let start = 0;
  let passed = 0;
  for (const { offset, text } of [...insertions].sort((one, other) => one.offset - other.offset)) {
    while ((returns[passed] ?? Number.POSITIVE_INFINITY) < offset) passed++;
    const place = mark + offset + passed;
    parts.push(source.slice(start, place), text.replaceAll('\n', lineEndingAt(source, place)));
    start = place;
  }
  return parts.join('') + source.slice(start);
}

function lineEndingAt(source: string, place: number): string {
  const end = source.indexOf('\n', place);
  const hasReturn = end < 0 ? source.includes('\r\n') : source[end - 1] === '\r';
  return hasReturn ? '\r\n' : '\n';
}
