// Shows names and values as code. Browsers wrap a line only at blanks and hyphens, so without further break points a long name
// would be broken within a word.
import { type Content, element, type Markup } from '../graph/markup.ts';
import { partsOfWord } from '../text/width.ts';

/**
 * Words that are longer than this many characters may be wrapped after their punctuation marks. Shorter words fit into every
 * line.
 */
const LONG = 20;

const FLAG = /^--[a-z][a-z-]*$/;

/** A text that may be wrapped after the marks of long words, and not within their parts. */
export const wrappableText = (text: string): Content => text.split(/(\s+)/).map(wrappable);

/** The same text as code. */
export const inCode = (text: string): Markup => element('code', {}, wrappableText(text));

function wrappable(word: string): Content {
  // Browsers would wrap after the hyphens of a flag.
  if (FLAG.test(word)) return element('span', { class: 'whole' }, word);
  if (word.length <= LONG) return word;
  return partsOfWord(word).map((part, at) => [at > 0 && element('wbr', {}), part]);
}
