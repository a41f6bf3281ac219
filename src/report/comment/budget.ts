// Shortens the text of a comment, because forges reject a comment above a certain size.
import { fenced } from '../text/markdown.ts';

/**
 * The maximum size of a comment, in bytes of UTF-8. GitHub accepts 65,536 characters; the difference is reserved for a marker and
 * a link to the run, which the action adds.
 */
export const COMMENT_BYTES = 58_000;

const ENCODER = new TextEncoder();

/** The size of a text in UTF-8, which is at least its number of characters. */
export const bytesOf = (text: string): number => ENCODER.encode(text).length;

/** The text cut to at most this many bytes; `…` marks the cut. */
export function clipped(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  let end = 0;
  let size = bytesOf('…');
  for (const character of text) {
    size += bytesOf(character);
    if (size > bytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/**
 * The sizes in bytes to which lines are cut, from the longest. The list tries the sizes in this order, because all lines in a
 * shortened form are more useful than some lines in full.
 */
const LINE_BYTES = [Number.POSITIVE_INFINITY, 200, 120, 80, 60, 48, 36, 30] as const;
const SHORTEST = 30;

/**
 * A fenced list of at most this many bytes. Long lines are cut first. If that is not enough, lines are left out, and the last
 * line shows how many.
 */
export function listWithin(lines: readonly string[], bytes: number): string {
  for (const limit of LINE_BYTES) {
    const list = fenced(lines.map(line => clipped(line, limit)).join('\n'), 'diff');
    if (bytesOf(list) <= bytes) return list;
  }
  // Each line needs a line feed, and the fence and the last line need room.
  const most = Math.max(0, Math.floor((bytes - 3 * SHORTEST) / (SHORTEST + 1)));
  const shown = lines.slice(0, most).map(line => clipped(line, SHORTEST).replaceAll('`', "'"));
  return fenced([...shown, `# … and ${lines.length - shown.length} more`].join('\n'), 'diff');
}

/** A fenced text of at most this many bytes. If lines are left out, `rest` tells where to find them. */
export function textWithin(text: string, bytes: number, rest: string): string {
  const whole = fenced(text);
  if (bytesOf(whole) <= bytes) return whole;
  const lines = text.trimEnd().split('\n');
  const longest = fenced(lines.join('\n')).indexOf('text\n');
  const kept: string[] = [];
  let size = bytesOf(rest) + 2 * longest + 80;
  for (const line of lines) {
    size += bytesOf(line) + 1;
    if (size > bytes) break;
    kept.push(line);
  }
  return fenced([...kept, `… ${lines.length - kept.length} more lines: ${rest}`].join('\n'));
}

/** A part of the comment that is collapsed. */
export const folded = (summary: string, body: string): readonly string[] => [
  '',
  `<details><summary>${summary}</summary>`,
  '',
  body,
  '',
  '</details>',
];

/** The size that `folded` adds to its body, for a summary of usual length. */
export const FOLD_BYTES = 120;
