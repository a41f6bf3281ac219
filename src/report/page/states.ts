// The control of a page of a plan that chooses which state its views show.
import { element, type Markup } from '../graph/markup.ts';

const STATES = [
  ['before', 'Before'],
  ['after', 'After'],
  ['difference', 'Difference'],
] as const;

/** The choice of a state. The script of the page shows it, as nothing follows it without one. */
export function stateControl(): Markup {
  const choices = STATES.map(([value, text]) =>
    element(
      'label',
      {},
      element('input', {
        type: 'radio',
        name: 'states',
        value,
        checked: value === 'difference',
      }),
      element('span', {}, text),
    ),
  );
  const legend = element('legend', {}, 'Access shown');
  return element('fieldset', { id: 'states', class: 'segments', hidden: true }, legend, ...choices);
}
