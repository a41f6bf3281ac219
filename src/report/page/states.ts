// The control on the page of a plan for choosing the state that its views show.
import { element, type Markup } from '../graph/markup.ts';

const STATES = [
  ['before', 'Before'],
  ['after', 'After'],
  ['difference', 'Difference'],
] as const;

/**
 * The control for choosing a state. It is hidden until the script of the page shows it, because it does nothing without the
 * script.
 */
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
