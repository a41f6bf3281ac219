// Shows lines of text with their indentation on a page. Each line is a separate element, because the text of an element cannot
// contain line feeds.
import { element, type Markup } from '../graph/markup.ts';

/** Lines as a terminal shows them. */
export const linesText = (lines: readonly string[]): Markup =>
  element(
    'pre',
    {},
    lines.map(line => element('span', { class: 'line' }, line === '' ? ' ' : line)),
  );
