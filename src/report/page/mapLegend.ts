// The legend of a map: the purposes of ports, the numbers of pairs on lines, and the changes of a plan.

import { CHANGE_WORDS } from '../graph/changeWords.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { LINE_KINDS } from '../graph/portKinds.ts';
import { SIGN, type Signs, signAt } from '../graph/signs.ts';
import { WIDTHS } from '../graph/svgStyle.ts';

/** The meanings of the colours and widths of lines and boxes. `isCompared`: whether the map shows the changes of a plan. */
export function mapLegend(isCompared: boolean, known: Signs): Content {
  const kinds = LINE_KINDS.map(({ name, letter, meaning }) =>
    item(`k-${name} w1`, meaning, letter),
  );
  const widths = WIDTHS.map(({ meaning }, at) => item(`w${at}`, meaning));
  const others = [item('belongs', 'belongs to'), item('off w0', 'disabled, or drops')];
  const changes = CHANGE_WORDS.map(({ name, sign, meaning }) => item(`${name} w1`, meaning, sign));
  const signs = Array.from(known.values(), sign =>
    entry(SIGN.size, sign.meaning, [signAt(sign, 0, 1.5)]),
  );
  return [
    isCompared &&
      list('in-difference', [
        ...changes,
        item('gone w0', 'line removed, but its access is unchanged'),
        ...widths,
        // The legend of a difference also has the letters of ports: boxes show them if the plan
        // changes nothing that is drawn.
        ...kinds,
        ...signs,
      ]),
    list('in-state', [...kinds, ...widths, ...others, ...signs]),
  ];
}

const list = (state: string, items: readonly Markup[]): Markup =>
  element('ul', { class: `legend ${state}`, 'aria-label': 'Lines and letters' }, ...items);

function item(look: string, meaning: string, letter?: string): Markup {
  const width = letter === undefined ? 34 : 54;
  const badge = letter !== undefined && [
    element('rect', { x: 36, y: 0, width: 16, height: 16, rx: 4 }),
    element('text', { x: 44, y: 12 }, letter),
  ];
  const line = element(
    'g',
    { class: `line ${look}` },
    element('path', { class: 'way', d: 'M0 8H30' }),
  );
  const [kind = ''] = look.split(' ');
  return entry(width, meaning, [line, badge && element('g', { class: `badge ${kind}` }, badge)]);
}

function entry(width: number, meaning: string, drawn: readonly Content[]): Markup {
  const size = { width, height: 16, viewBox: `0 0 ${width} 16`, 'aria-hidden': 'true' };
  return element('li', {}, element('svg', { ...size, class: 'drawing' }, drawn), ` ${meaning}`);
}
