// Parses and quotes the command line of bash, which is a single text with a cursor. The completion
// script itself expands and evaluates nothing.
import { largest } from '../../model/text/longLists.ts';

/** The words of a line up to the cursor. */
export interface BashLine {
  readonly words: readonly string[];
  /** The word at the cursor, without its quotes. */
  readonly current: string;
  /** The word at the cursor with its quotes. */
  readonly written: string;
  /** The quote that is open at the cursor; empty if none is. */
  readonly quote: "'" | '"' | '';
}

/** Splits a line as a shell does, without expanding anything. */
export function bashLine(line: string): BashLine {
  const words: string[] = [];
  let current = '';
  let written = '';
  let quote: BashLine['quote'] = '';
  let isWord = false;
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
 * The text that replaces the word at the cursor; null if the word cannot be quoted there. `breaks`:
 * the characters at which bash begins a new word. The text before the last of these characters is
 * left out, because bash keeps it.
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

// Inside quotes, only the quote itself ends a word.
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
