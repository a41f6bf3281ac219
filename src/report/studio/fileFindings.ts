// Findings about files on a page: the fault, its place, and what to do next.
import { type Diagnostic, placeText } from '../../model/diagnostic.ts';
import { type Content, element } from '../graph/markup.ts';
import { inCode } from '../page/code.ts';
import { table, whole } from '../page/table.ts';

/** The findings as a table; a sentence if there are none. */
export function findingsContent(
  findings: readonly Diagnostic[],
  caption = 'Faults and lint findings',
): Content {
  if (findings.length === 0) return element('p', {}, 'No faults and no lint findings.');
  const rows = findings.map(({ severity, code, at, message, hint }) => ({
    cells: [
      [whole(severity), ' ', whole(code)],
      at ? inCode(placeText(at)) : '',
      [message, hint !== undefined && element('p', { class: 'hint' }, `hint: ${hint}`)],
    ],
    look: severity,
  }));
  return table(caption, ['Finding', 'Where', 'What'], rows);
}
