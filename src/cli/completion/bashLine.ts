// The command line as bash has it: one text with a cursor, which is taken apart and quoted here, so that the script expands
// and evaluates nothing.

import { largest } from '../../model/text/many.ts';

/** The words of a line up to the cursor. */
export interface BashLine {
  readonly words: readonly string[];
  /** The word at the cursor, without its quotes. */
  readonly current: string;
  /** The same as it is written. */
  readonly written: string;
  /** The quote in which the cursor stands. */
  readonly quote: "'" | '"' | '';
}

/** Takes a line apart as a shell does, and expands nothing. */
export function bashLine(line: string): BashLine {
  const words: string[] = [];
  let [current, written, quote, isWord]: [string, string, BashLine['quote'], boolean] = [
    '',
    '',
    '',
    false,
  ];
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    const isEscape = character === '\\' && quote !== "'";
    if (quote === '' && /\s/.test(character)) {
      if (isWord) words.push(current);
      [current, written, isWord] = ['', '', false];
      continue;
    }
    [written, isWord] = [written + character, true];
    if (isEscape) {
      at += 1;
      current += line[at] ?? '';
      written += line[at] ?? '';
    } else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === quote) quote = '';
    else current += character;
  }
  return { words, current, written, quote };
}

/**
 * What is to be inserted for a word in the place of the one at the cursor; null where it cannot be quoted there. `breaks` are
 * the characters at which bash begins a new word: what stands before the last of them stays as it is.
 */
export function insertion(
  text: string,
  { current, written, quote }: BashLine,
  breaks: string,
): string | null {
  const kept = keptLength(current, written, quote, breaks);
  const rest = text.slice(kept);
  if (quote === "'") return rest.includes("'") ? null : rest;
  if (quote === '"') return rest.includes('!') ? null : rest.replaceAll(/["$`\\]/g, '\\$&');
  return rest.replaceAll(/[^\p{L}\p{N}_./:=@%+,-]/gu, '\\$&');
}

// Inside of quotes only the quote itself breaks a word.
function keptLength(
  current: string,
  written: string,
  quote: BashLine['quote'],
  breaks: string,
): number {
  if (quote !== '')
    return current.length - bashLine(written.slice(written.lastIndexOf(quote))).current.length;
  const found = [...breaks]
    .filter(character => /[=:@]/.test(character))
    .map(character => current.lastIndexOf(character));
  return largest(-1, found) + 1;
}
