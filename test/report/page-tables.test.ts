// Tables of a page in a narrow window: each cell names its column, and long words have places where a line may break.
import { expect, test } from 'vitest';
import { element } from '../../src/report/graph/markup.ts';
import { firstShown, table } from '../../src/report/page/table.ts';
import { elementsIn } from '../support/page/html.ts';

const HEADS = ['Rule', 'Where', 'What to do'];

test('a cell has the header of its column, and the first cell is the header of its row', () => {
  const found = elementsIn(table('Rules', HEADS, [{ cells: ['one', 'here', ''] }]).markup);
  const cells = found.filter(({ tag }) => tag === 'td' || tag === 'th');
  expect(
    cells.map(({ tag, attributes }) => attributes['data-label'] ?? `${tag} ${attributes.scope}`),
  ).toEqual(['th col', 'th col', 'th col', 'th row', 'Where', 'What to do']);
});

test('a long word of a sentence in a table is wrapped after its marks', () => {
  const { markup } = table('Rules', HEADS, [
    { cells: ['widens network_resource/production/orders-db', 'x', 'y'] },
  ]);
  expect(markup).toContain('widens network_resource/<wbr>production/<wbr>orders-<wbr>db');
});

test('the rest of a long list is folded', () => {
  const shown = (count: number) =>
    element(
      'td',
      {},
      firstShown(
        Array.from({ length: count }, (_, at) => at),
        of => of.map(String),
      ),
    ).markup;
  expect(shown(7)).toBe('<td>0123456</td>');
  expect(shown(9).replaceAll('\n', '')).toBe(
    '<td>012345<details><summary>and 3 more</summary>678</details></td>',
  );
});
