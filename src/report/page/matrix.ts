// The section of a page with the matrix: which sources can reach which destinations, with a filter, details and a download. The
// script of the page fills it.
import type { AccessPicture } from '../../model/access/accessPicture.ts';
import { CHANGE_WORDS } from '../graph/changeWords.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { PORT_KINDS } from '../graph/portKinds.ts';
import { folding, type Section } from './section.ts';

/** The section of the matrix. */
export function matrixSection({ matrix }: AccessPicture, isCompared = false): Section {
  return {
    id: 'matrix',
    title: 'Who reaches what',
    label: 'Matrix',
    isView: true,
    content: [
      folding('How to read the matrix', element('p', {}, INTRODUCTION)),
      leftOut(matrix),
      element('noscript', {}, element('p', { class: 'warning' }, WITHOUT_SCRIPT)),
      folding('Filter and order', filters(isCompared)),
      element('p', { id: 'count', role: 'status' }),
      element('p', { id: 'grid-hint', class: 'hint' }, HINT),
      element(
        'div',
        { class: 'beside' },
        element('div', { id: 'grid', class: 'matrix' }),
        element(
          'div',
          {},
          element('div', { id: 'details', class: 'details', 'aria-live': 'polite' }),
          legend(isCompared),
        ),
      ),
      element(
        'details',
        { id: 'list', open: true },
        element('summary', {}, 'The same as a table'),
        element('div', { id: 'pairs' }),
      ),
    ],
  };
}

const INTRODUCTION =
  'Rows are sources, columns are destinations. Machines that no rule tells apart share a row. ' +
  'Arrow keys move between cells and headers, and Enter chooses one.';

/** Shown until the reader chooses a cell. */
const HINT =
  'Choose a cell to see its machines and the rules that grant it, or a header to see everything that the row reaches, or everybody who reaches the column.';

const WITHOUT_SCRIPT =
  'The matrix needs JavaScript. `meshform access from all to all` gives the same answer as text, JSON, Markdown or CSV.';

function leftOut({ left_out: { rows, columns } }: AccessPicture['matrix']): Content {
  if (rows === 0 && columns === 0) return undefined;
  const text = `This matrix is not complete: ${rows} more rows and ${columns} more columns do not fit on a page. Request a part: \`meshform access from SELECTOR to SELECTOR --html FILE\`.`;
  return element('p', { class: 'warning' }, element('strong', {}, text));
}

function filters(isCompared: boolean): Markup {
  const access = [
    option('', 'any'),
    option('reaches', 'without condition'),
    option('posture', 'depends on posture'),
    option('around', 'in another way'),
    option('blocked', 'blocked'),
    isCompared && option('changed', 'changed by the plan'),
  ];
  const order = [
    option('name', 'by name'),
    option('reach', 'by reach'),
    option('similarity', 'by similarity'),
  ];
  return element(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter of the matrix' },
    searchField('from', 'From', 'name'),
    searchField('to', 'To', 'name'),
    searchField('ports', 'Port', '22, icmp'),
    searchField('because', 'Policy', 'name'),
    choice('status', 'Access', access),
    choice('sort', 'Order', order),
    element(
      'label',
      { for: 'empty', class: 'check' },
      element('input', { id: 'empty', type: 'checkbox' }),
      element('span', {}, 'Show empty rows and columns'),
    ),
    element('button', { id: 'reset', type: 'button' }, 'Clear'),
    element('button', { id: 'csv', type: 'button' }, 'Download CSV'),
  );
}

const labelled = (id: string, label: string, control: Markup): Markup =>
  element('label', { for: id }, element('span', {}, label), control);

const searchField = (id: string, label: string, hint: string): Markup =>
  labelled(
    id,
    label,
    element('input', { id, type: 'search', placeholder: hint, autocomplete: 'off' }),
  );

const choice = (id: string, label: string, options: readonly Content[]): Markup =>
  labelled(id, label, element('select', { id }, ...options));

const option = (value: string, text: string): Markup => element('option', { value }, text);

type Look = readonly [look: string, text: string, meaning: string];

/** The meanings of the styles of cells, which `assets/page/matrix.js` draws. */
const PORT_LOOKS = PORT_KINDS.map(({ name, example, meaning }): Look => [name, example, meaning]);

const LOOKS = [
  ['other', '7000', 'a number alone is TCP'],
  ['other', '◐ 22', 'depends on posture: the sources pass'],
  ['other', '? 22', 'depends on posture: unknown whether they pass'],
  [
    'around',
    '↪ all',
    'another way to the address: a wider route, an exit node, another network resource',
  ],
  ['blocked', '✕ 22', 'no access: the sources fail a posture check'],
  ['blocked', '✕ disabled', 'no access: a rule names the pair, and something prevents it'],
] as const;

/**
 * Chips of cells in the difference, besides one chip for each type of access change. The border of a cell has the colour of its
 * change.
 */
const CHANGED_LOOKS = [
  ['gained', '+✕22', 'gained by a new rule, whose posture checks the sources fail'],
] as const;

function legend(isCompared: boolean): Content {
  const whole = PORT_LOOKS.concat(LOOKS);
  if (!isCompared) return legendOf('Signs', whole);
  const changes = CHANGE_WORDS.map(
    ({ name, sign, meaning }): Look => [name, CHIP_EXAMPLES[name] ?? sign, meaning],
  );
  // In the difference, colours show only what changes, not the purposes of ports.
  const shown = [...changes, ...CHANGED_LOOKS, ...LOOKS];
  return [
    legendOf('Signs of the difference', shown, 'in-difference'),
    legendOf('Signs', whole, 'in-state'),
  ];
}

const CHIP_EXAMPLES: Readonly<Record<string, string>> = { gained: '+443', lost: '−22' };

function legendOf(label: string, looks: readonly Look[], state?: string): Markup {
  const items = looks.map(([look, text, meaning]) =>
    element('li', {}, element('span', { class: `chip ${look}` }, text), ` ${meaning}`),
  );
  const look = state === undefined ? 'legend' : `legend ${state}`;
  return element('ul', { class: look, 'aria-label': label }, ...items);
}
