// The section of a page that draws policies, networks and routers as one map. The script of the page chooses the drawing, zooms,
// searches and focuses.
import { type Content, element, type Markup } from '../graph/markup.ts';
import type { Signs } from '../graph/signs.ts';
import { svgElement } from '../graph/svg.ts';
import { atOnce, type InSteps } from './inSteps.ts';
import {
  type Collapsing,
  type MapContent,
  type MapDrawing,
  type MapState,
  mapDrawings,
} from './mapDrawings.ts';
import { mapLegend } from './mapLegend.ts';
import { changedTable, linesTable } from './mapList.ts';
import type { Naming } from './naming.ts';
import { folding, type Section } from './section.ts';

const INTRODUCTION =
  'From left to right: sources, rules, destinations, network resources, networks, routers. Objects with the same neighbours share a box. ' +
  'Escape shows all again after a box was chosen. The left and right arrow keys follow the lines, the up and down keys go to the next box, Home and End to the first and the last.';

/** Shown until the reader chooses a box. Boxes can be chosen only with the script, so the script makes this hint visible. */
const HINT = 'Choose a box to see only what leads to it and where it leads, with ports.';

/**
 * The section of the map, drawn in steps of one drawing each. Its tables use selectors, like all
 * tables.
 */
export function* mapInSteps(content: MapContent, { readable, signs }: Naming): InSteps<Section> {
  const drawings = mapDrawings(readable(content));
  yield;
  const figures: Markup[] = [];
  for (const [at, drawing] of drawings.entries()) {
    figures.push(figureOf(drawing, at === 0, signs));
    yield;
  }
  const shown = mapOf(content, { drawings, figures, signs });
  return { id: 'map', title: 'Map', isView: true, content: shown };
}

/** The section of the map. */
export const mapSection = (content: MapContent, naming: Naming): Section =>
  atOnce(mapInSteps(content, naming));

/** The drawings of a map, each as an element too. */
interface DrawnMap {
  readonly drawings: readonly MapDrawing[];
  readonly figures: readonly Markup[];
  readonly signs: Signs;
}

function mapOf(content: MapContent, { drawings, figures, signs }: DrawnMap): Content {
  const [first] = drawings;
  if (first === undefined)
    return element('p', {}, 'There is no policy, no network and nothing that is open.');
  const isCompared = content.compared !== undefined;
  const title = 'Map of policies, networks and routers';
  const about = { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title };
  return [
    folding(
      'How to read the map',
      element('p', {}, INTRODUCTION),
      !drawings.some(({ by }) => by === 'none') && element('p', {}, COLLAPSED),
      mapLegend(isCompared, signs),
    ),
    isWithoutRules(content, drawings) && element('p', { class: 'warning' }, NO_RULES),
    controls(drawings),
    element('p', { id: 'map-hint', class: 'hint', hidden: true }, HINT),
    element('p', { id: 'map-status', role: 'status' }),
    element('div', { id: 'map-place' }, element('div', { id: 'map-view', ...about }, figures)),
    element('div', { id: 'map-details', class: 'details', 'aria-live': 'polite' }),
    listsOf(content),
  ];
}

const COLLAPSED =
  'This account has more lines than anybody can read, so the map begins with its groups. Choose a group to look inside. ' +
  'Search for an object to see the rules that name it.';

const NO_RULES =
  'No policy, no route without access-control groups, no service and no ingress port grants access: ' +
  'the map has networks and their routers only, and nobody reaches their resources.';

// Whether the account has rules, but the part of the map around the objects of a question has none.
const isWithoutRules = ({ only = [] }: MapContent, drawings: readonly MapDrawing[]): boolean =>
  only.length === 0 &&
  !drawings.some(({ graph }) => graph.nodes.some(({ layer }) => layer === 'rule'));

const STATE_NAMES: Readonly<Record<MapState, string>> = {
  before: 'before the plan',
  after: 'after the plan',
  difference: 'what the plan changes',
};

/**
 * The width of the widest drawing that fits completely into a window of 1024 pixels if text has 11
 * pixels, the scale with which `map.js` begins. Unscaled text has 12 pixels.
 */
export const WIDEST = 1038;

function figureOf({ state, by, part, graph }: MapDrawing, isShown: boolean, signs: Signs): Markup {
  const title = `Map of policies, networks and routers, ${STATE_NAMES[state]}`;
  return element(
    'div',
    {
      class: 'map-drawing',
      'data-state': state,
      'data-by': by,
      'data-part': part,
      hidden: !isShown,
    },
    svgElement(graph, { title, signs, hasNames: true, widest: WIDEST }),
  );
}

const COLLAPSINGS: Readonly<Record<Collapsing, string>> = {
  changes: 'only what changes',
  none: 'every object',
  place: 'by network or route',
  folder: 'by folder of the files',
  label: 'by first word of names',
};

function controls(drawings: readonly MapDrawing[]): Markup {
  const button = (id: string, text: string): Markup =>
    element('button', { id, type: 'button' }, text);
  const groupings = [...new Set(drawings.map(({ by }) => by))];
  return element(
    'div',
    { class: 'filters map-controls', role: 'search', 'aria-label': 'Search in the map' },
    element(
      'label',
      { for: 'map-search' },
      element('span', {}, 'Search'),
      element('input', {
        id: 'map-search',
        type: 'search',
        placeholder: 'name',
        autocomplete: 'off',
      }),
    ),
    element(
      'label',
      { for: 'map-by' },
      element('span', {}, 'Show'),
      element(
        'select',
        { id: 'map-by' },
        ...groupings.map(value => element('option', { value }, COLLAPSINGS[value])),
      ),
    ),
    button('map-out', 'Smaller'),
    button('map-in', 'Larger'),
    button('map-fit', 'Fit to width'),
    button('map-all', 'Show all'),
    // The script draws this overview if the map is larger than its place. It is hidden from screen readers, because the map
    // itself has the same content.
    element(
      'div',
      { id: 'map-overview', hidden: true, 'aria-hidden': true },
      element('span', {}, 'Part in sight'),
      element(
        'svg',
        {},
        element('path', { class: 'small' }),
        element('rect', { class: 'in-sight', rx: 2 }),
      ),
    ),
  );
}

// A list of the lines; with a plan, a list for each state. The script shows only the list of the state that the map currently
// shows.
function listsOf({ picture, compared }: MapContent): Content {
  if (compared === undefined) {
    const lines = linesTable(picture, 'Rules and what they connect');
    return folded('after', 'The same as a table', lines);
  }
  const { before } = compared;
  const changed = changedTable(before.matrix, picture.matrix, 'Whose access the plan changes');
  return [
    folded('difference', 'Whose access the plan changes, as a table', changed),
    folded('before', 'Before the plan, as a table', linesTable(before, 'Rules before the plan')),
    folded('after', 'After the plan, as a table', linesTable(picture, 'Rules after the plan')),
  ];
}

// Only the list of changes is open, because it is the shortest, and the reason why the reader opened the page.
const folded = (state: MapState, summary: string, list: Markup): Markup =>
  element(
    'details',
    { class: 'map-list', 'data-state': state, open: state === 'difference' },
    element('summary', {}, summary),
    list,
  );
