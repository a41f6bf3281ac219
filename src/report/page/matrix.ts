// The section of a page that its script fills: who can reach what, with a filter, details and a download.
import type { AccessPicture } from '../../model/access/accessPicture.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import type { Section } from './section.ts';

/** The section of the matrix. */
export function matrixSection({ matrix }: AccessPicture): Section {
  return {
    id: 'reach',
    title: 'Who reaches what',
    content: [
      element('p', {}, INTRODUCTION),
      leftOut(matrix),
      element('noscript', {}, element('p', { class: 'warning' }, WITHOUT_SCRIPT)),
      filters(),
      element('p', { id: 'count', role: 'status' }),
      legend(),
      element('div', { id: 'matrix', class: 'matrix' }),
      element('div', { id: 'details', class: 'details', 'aria-live': 'polite' }),
      element(
        'details',
        { id: 'list' },
        element('summary', {}, 'The same as a list'),
        element('div', { id: 'pairs' }),
      ),
    ],
  };
}

const INTRODUCTION =
  'Rows are sources, columns are destinations. Machines that no rule tells apart share a row. ' +
  'Choose a cell to see its machines and the rules that grant it; arrow keys move between cells.';

const WITHOUT_SCRIPT =
  'The matrix needs JavaScript. `meshform access from all to all` gives the same answer as text, JSON, Markdown or CSV.';

function leftOut({ left_out: { rows, columns } }: AccessPicture['matrix']): Content {
  if (rows === 0 && columns === 0) return undefined;
  const text = `This matrix is not complete: ${rows} more rows and ${columns} more columns do not fit on a page. Request a part: \`meshform access from SELECTOR to SELECTOR --html FILE\`.`;
  return element('p', { class: 'warning' }, element('strong', {}, text));
}

function filters(): Markup {
  const field = (id: string, label: string, hint: string): Markup =>
    element(
      'label',
      { for: id },
      element('span', {}, label),
      element('input', { id, type: 'search', placeholder: hint, autocomplete: 'off' }),
    );
  const option = (value: string, text: string): Markup => element('option', { value }, text);
  return element(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filter of the matrix' },
    field('from', 'From', 'group, machine'),
    field('to', 'To', 'group, machine, address'),
    field('ports', 'Port', '22, tcp/443, icmp'),
    field('because', 'Policy', 'name of a policy'),
    element(
      'label',
      { for: 'status' },
      element('span', {}, 'Access'),
      element(
        'select',
        { id: 'status' },
        option('', 'any'),
        option('reaches', 'without condition'),
        option('posture', 'depends on posture'),
        option('blocked', 'blocked'),
      ),
    ),
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

/** The meaning of the signs in cells, which `assets/page/matrix.js` fills in. */
const SIGNS = [
  ['reaches', '', 'tcp/22', 'access on these ports; * is everything'],
  ['pass', '◐', 'tcp/22', 'access that depends on posture: the sources pass'],
  [
    'unknown',
    '?',
    'tcp/22',
    'access that depends on posture: it is unknown whether the sources pass',
  ],
  ['fail', '✕', 'tcp/22', 'no access: the sources fail a posture check'],
  ['blocked', '✕', 'DISABLED', 'no access: a rule covers it, but something prevents it'],
] as const;

function legend(): Markup {
  const items = SIGNS.map(([status, sign, label, meaning]) => {
    const shown = sign === '' ? label : `${sign} ${label}`;
    return element('li', {}, element('span', { class: `sample ${status}` }, shown), ` ${meaning}`);
  });
  return element('ul', { class: 'legend', 'aria-label': 'Signs' }, ...items);
}
