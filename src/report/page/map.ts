// The section of a page that draws policies, networks and routers as one map. Its script zooms, searches and focuses.
import type { AccessPicture } from '../../model/access/accessPicture.ts';
import { accessGraph } from '../graph/accessGraph.ts';
import { type Content, element, type Markup } from '../graph/markup.ts';
import { merged } from '../graph/merged.ts';
import { svgElement } from '../graph/svg.ts';
import type { Section } from './section.ts';

/** With more lines, a map is larger than what a person can look at, and takes seconds to lay out. */
const MOST_LINES = 600;

const INTRODUCTION =
  'Policies, networks and routers, from left to right: sources, rules, destinations, network resources, networks, routers. ' +
  'What has the same neighbours shares a box. Choose a box to see only what leads to it and where it leads; Escape shows all again. ' +
  'The left and right arrow keys follow the lines, the up and down keys go to the next box.';

const TOO_LARGE =
  'This account is too large for one map. `meshform graph --only SELECTOR` draws what is around an object; the matrix and the lists of this page have everything.';

/** The section of the map. */
export function mapSection(picture: AccessPicture): Section {
  return { id: 'map', title: 'Map', isView: true, content: mapOf(picture) };
}

function mapOf(picture: AccessPicture): Content {
  const graph = merged(accessGraph(picture), false);
  if (graph.nodes.length === 0) return element('p', {}, 'There is no policy and no network.');
  if (graph.edges.length > MOST_LINES) return element('p', { class: 'warning' }, TOO_LARGE);
  const title = 'Map of policies, networks and routers';
  const about = { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title };
  return [
    element('p', {}, INTRODUCTION),
    controls(),
    element('p', { id: 'map-status', role: 'status' }),
    element('div', { id: 'map-view', ...about }, svgElement(graph, { title, hasNames: true })),
    element(
      'p',
      {},
      'The same as tables: ',
      element('a', { href: '#rules' }, 'Policies'),
      ' · ',
      element('a', { href: '#routing' }, 'Networks and their routers'),
      '.',
    ),
  ];
}

function controls(): Markup {
  const button = (id: string, text: string): Markup =>
    element('button', { id, type: 'button' }, text);
  const search = element(
    'label',
    { for: 'map-search' },
    element('span', {}, 'Search'),
    element('input', {
      id: 'map-search',
      type: 'search',
      placeholder: 'group, machine, policy, address',
      autocomplete: 'off',
    }),
  );
  return element(
    'div',
    { class: 'filters map-controls', role: 'search', 'aria-label': 'Search in the map' },
    search,
    button('map-out', 'Smaller'),
    button('map-in', 'Larger'),
    button('map-fit', 'Fit to width'),
    button('map-all', 'Show all'),
  );
}
