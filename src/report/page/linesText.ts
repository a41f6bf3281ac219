// Lines of text with their indentation on a page. The text of an element cannot contain line feeds, so each line is an element.
import { element, type Markup } from '../graph/markup.ts';

/** Lines as a terminal shows them. */
export const linesText = (lines: readonly string[]): Markup =>
  element(
    'pre',
    {},
    lines.map(line => element('span', { class: 'line' }, line === '' ? ' ' : line)),
  );
