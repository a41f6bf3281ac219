// The width of a text on a terminal, and functions that cut a text to a width. The text must have passed `visible`.

// A combining mark that takes space, such as many vowel signs of India, has the width of a letter.
const NO_WIDTH = /\p{Mn}|\p{Me}/u;
// The blocks that Unicode calls wide or full-width. A block that is only partly wide counts as wide: too much space is better
// than too little.
const TWO_WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The number of columns that a printable text takes. */
export function textWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + characterWidth(character), 0);
}

/** The text on one line of at most `room` columns; an ellipsis marks a cut. */
export function fitted(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += characterWidth(character);
    if (width > room - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** The positions after a punctuation mark that is inside a word, not at its beginning or end. */
const AFTER_MARK = /(?<=[\p{L}\p{N}\]›][-./,:@=])(?=.)/u;

/** The parts of a word between which a line may end: `production/`, `orders-`, `db`. */
export const partsOfWord = (word: string): readonly string[] => word.split(AFTER_MARK);

/**
 * The text on lines of at most `room` columns, wrapped at spaces where possible. A word that is longer than a line is wrapped
 * after any character. With `partsOf`, such a word begins a new line and is wrapped between its parts, unless a part is longer
 * than a line.
 */
export function broken(
  text: string,
  room: number,
  partsOf?: (word: string) => readonly string[],
): readonly string[] {
  const isLong = (word: string) => textWidth(word) > room;
  const charactersOf = (word: string) => (isLong(word) ? [...word] : [word]);
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line.trimEnd());
    [line, width] = ['', 0];
  };
  for (const word of text.split(/(?<= )/)) {
    const parts = partsOf !== undefined && isLong(word.trimEnd()) ? partsOf(word) : [word];
    if (parts.length > 1 && width > 0) end();
    for (const piece of parts.flatMap(charactersOf)) {
      const inked = textWidth(piece.trimEnd());
      if (inked > 0 && width + inked > room) end();
      line += piece;
      width += textWidth(piece);
    }
  }
  return [...lines, line.trimEnd()];
}

/**
 * The end of the longest part of a text that begins at `start` and takes at most `room` columns. The part has at least one
 * character.
 */
export function fittingEnd(text: string, start: number, room: number): number {
  let end = start;
  let width = 0;
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    width += characterWidth(character);
    if (width > room && end > start) break;
    end += character.length;
  }
  return end;
}

/** The text padded with spaces to `room` columns. */
export function padded(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - textWidth(text)));
}

function characterWidth(character: string): number {
  if (character < '\u0300') return 1;
  if (NO_WIDTH.test(character)) return 0;
  return TWO_WIDE.test(character) ? 2 : 1;
}
