// Shows names and values as code. Browsers wrap a line only at blanks and hyphens, so without further break points a long name
// would be broken within a word.
import { type Content, element, type Markup } from '../graph/markup.ts';
import { partsOfWord } from '../text/width.ts';

/**
 * Words that are longer than this many characters may be wrapped after their punctuation marks. Shorter words fit into every
 * line.
 */
const LONG = 20;

/** A text whose long words may be wrapped after punctuation marks, but nowhere else. */
export const wrappableText = (text: string): Content => text.split(/(\s+)/).map(wrappable);

/** The same text as code. */
export const inCode = (text: string): Markup => element('code', {}, wrappableText(text));

function wrappable(word: string): Content {
  if (word.length <= LONG) return word;
  return partsOfWord(word).map((part, at) => [at > 0 && element('wbr', {}), part]);
}
