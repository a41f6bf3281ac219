// Long lists of accounts, shortened to one or two lines.
import { compareTexts } from '../../model/text/compareTexts.ts';
import { nameText } from '../../model/text/visible.ts';
import type { Style } from '../text/style.ts';
import { textWidth } from '../text/width.ts';

/** The maximum number of lines of a list of names. */
const LINES = 2;

const INDENT = '  ';

/** The width reserved for the number of names that are left out. */
const MORE = 10;

/** As many names as fit on two lines, and the number of the others: `acme, beta, … +480`. */
export function namesLines(
  names: readonly string[],
  { width }: Pick<Style, 'width'>,
): readonly string[] {
  const lines: string[] = [];
  let line = INDENT;
  let shown = 0;
  for (const name of names) {
    const isLast = shown === names.length - 1;
    const part = `${nameText(name)}${isLast ? '' : ', '}`;
    const room = width - (lines.length === LINES - 1 && !isLast ? MORE : 0);
    if (line !== INDENT && textWidth(line) + textWidth(part.trimEnd()) > room) {
      if (lines.length === LINES - 1) break;
      lines.push(line.trimEnd());
      line = INDENT;
    }
    line += part;
    shown += 1;
  }
  const more = names.length - shown;
  return [...lines, more > 0 ? `${line}… +${more}` : line];
}

/** The first names, and the number of the others, on one line: `acme, beta and 7 more`. */
export function fewNames(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map(nameText).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Accounts grouped by the same message, the largest group first. */
export function accountsByMessage<T extends { readonly name: string }>(
  all: readonly T[],
  said: (one: T) => string,
): readonly { readonly said: string; readonly names: readonly string[] }[] {
  return [...Map.groupBy(all, said)]
    .map(([text, own]) => ({
      said: text,
      names: own.map(({ name }) => name).toSorted(compareTexts),
    }))
    .toSorted((one, other) => other.names.length - one.names.length);
}
