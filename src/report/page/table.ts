// Tables of a page, with a caption and header scopes for screen readers.
import { type Content, element, type Markup } from '../graph/markup.ts';
import { inCode, wrappableText } from './code.ts';

export interface TableRow {
  /** The first cell is the header of the row. */
  readonly cells: readonly Content[];
  /** The CSS class of the row. A cell says the same in words, because colour alone is not accessible. */
  readonly look?: string | undefined;
}

/**
 * A table with a header for each column and each row. In a narrow window, each row is shown as a list in which every cell has its
 * header beside it.
 */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly TableRow[],
): Markup {
  const heads = columns.map(text => element('th', { scope: 'col' }, text));
  const body = rows.map(({ cells: [first, ...others], look }) =>
    element(
      'tr',
      { class: look },
      element('th', { scope: 'row' }, wrappableCell(first)),
      ...others.map((cell, at) =>
        element('td', { 'data-label': columns[at + 1] }, wrappableCell(cell)),
      ),
    ),
  );
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...body),
    ),
  );
}

const wrappableCell = (cell: Content): Content =>
  typeof cell === 'string' ? wrappableText(cell) : cell;

/** A short text that is not wrapped: a code, or a sign with its meaning. */
export const whole = (text: string): Markup => element('span', { class: 'whole' }, text);

/** Names as code, separated by commas. */
export function names(list: readonly string[]): Content {
  return list.flatMap((name, at) => [at === 0 ? '' : ', ', inCode(name)]);
}

/** The number of list members shown before the rest is collapsed. */
const SHOWN = 6;

/** A list of which only the first members are shown, if it is long. */
export const shortened = (list: readonly string[]): Content => firstShown(list, names);

/** The same for any members; `shown` writes some of them. */
export function firstShown<T>(
  list: readonly T[],
  shown: (members: readonly T[]) => Content,
): Content {
  if (list.length <= SHOWN + 1) return shown(list);
  return [
    shown(list.slice(0, SHOWN)),
    element(
      'details',
      {},
      element('summary', {}, `and ${list.length - SHOWN} more`),
      shown(list.slice(SHOWN)),
    ),
  ];
}
