// Text of a comment that fits: forges refuse a comment above a size, and a comment that is refused shows nothing at all.
import { fenced } from '../text/markdown.ts';

/**
 * The largest comment, in bytes of UTF-8. GitHub accepts 65,536 characters; the rest is for what the forge's side adds: its
 * marker, and a link to the run.
 */
export const COMMENT_BYTES = 58_000;

const ENCODER = new TextEncoder();

/** The size of a text in UTF-8, which is never below its number of characters. */
export const bytesOf = (text: string): number => ENCODER.encode(text).length;

/** A text of at most so many bytes; `…` stands for what is cut off. */
export function clipped(text: string, bytes: number): string {
  if (bytesOf(text) <= bytes) return text;
  let [end, size] = [0, bytesOf('…')];
  for (const character of text) {
    size += bytesOf(character);
    if (size > bytes) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Lines as they are, then shorter and shorter: all of them are worth more than the ends of some. */
const LINE_BYTES = [Number.POSITIVE_INFINITY, 200, 120, 80, 60, 48, 36, 30] as const;
const SHORTEST = 30;

/** A fenced list of at most so many bytes. Long lines are cut first; only then does the list end with how many are missing. */
export function listWithin(lines: readonly string[], bytes: number): string {
  for (const limit of LINE_BYTES) {
    const list = fenced(lines.map(line => clipped(line, limit)).join('\n'), 'diff');
    if (bytesOf(list) <= bytes) return list;
  }
  // A line feed after each line, and room for the fence and the last line.
  const most = Math.max(0, Math.floor((bytes - 3 * SHORTEST) / (SHORTEST + 1)));
  const shown = lines.slice(0, most).map(line => clipped(line, SHORTEST).replaceAll('`', "'"));
  return fenced([...shown, `# … and ${lines.length - shown.length} more`].join('\n'), 'diff');
}

/** A fenced text of at most so many bytes; `rest` is a line that says where the remaining lines are. */
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

/** A part that is closed until somebody opens it. */
export const folded = (summary: string, body: string): readonly string[] => [
  '',
  `<details><summary>${summary}</summary>`,
  '',
  body,
  '',
  '</details>',
];

/** The size that `folded` adds to its body, for a summary of a usual length. */
export const FOLD_BYTES = 120;
