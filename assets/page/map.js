// The map: chooses the visible drawing, zooms, searches, and shows what reaches a box and what the box reaches. Without scripts,
// the page has a single drawing.

import { make } from './elements.js';
import { Overview } from './mapOverview.js';
import { beginningOf, MARKED } from './mapPlace.js';
import { viewsEnd } from './viewsEnd.js';

/**
 * @typedef {{ place: HTMLElement, svg: SVGSVGElement, boxes: SVGGElement[], lines: SVGGElement[], byId: Map<string, SVGGElement>,
 *   after: Map<string, string[]>, before: Map<string, string[]> }} Drawing
 */

const mapView = document.getElementById('map-view');
const mapPlaces = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.map-drawing')]);
const mapLists = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.map-list')]);
const overview = mapView && new Overview(mapView);
const byControl = document.getElementById('map-by');
/** @type {Map<HTMLElement, Drawing>} */
const drawings = new Map();
/** @type {Drawing | undefined} */
let drawing;
/** How the user wants the map to be collapsed, even if a state has no such drawing. @type {string | undefined} */
let collapsedBy;

/** The number of steps that a focus follows: from a source by its rule to a destination, and on to its resource and network. */
const FAR = 4;
const STEP = 1.25;
const SMALLEST = 0.1;
const LARGEST = 4;
/** The number of lines and names that a list shows at first. */
const SOME = 30;

/** @type {(box: SVGGElement) => string} */
const idOfBox = box => box.dataset.id ?? '';

/** @type {(part: SVGGElement) => string} */
const nameOfPart = part => part.querySelector('title')?.textContent ?? '';

/** A drawing with its boxes and lines, read when it is first shown. @type {(place: HTMLElement) => Drawing | undefined} */
function drawingIn(place) {
  const known = drawings.get(place);
  if (known) return known;
  const svg = place.querySelector('svg');
  if (!svg) return undefined;
  const boxes = /** @type {SVGGElement[]} */ ([...svg.querySelectorAll('.box')]);
  const lines = /** @type {SVGGElement[]} */ ([...svg.querySelectorAll('.lines > .line')]);
  const found = {
    place,
    svg,
    boxes,
    lines,
    byId: new Map(boxes.map(box => [idOfBox(box), box])),
    after: neighboursBy(lines, 'from', 'to'),
    before: neighboursBy(lines, 'to', 'from'),
  };
  drawings.set(place, found);
  wireDrawing(found);
  return found;
}

/** @type {(lines: SVGGElement[], from: 'from' | 'to', to: 'from' | 'to') => Map<string, string[]>} */
function neighboursBy(lines, from, to) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const add = (/** @type {string} */ start, /** @type {string} */ end) => {
    const known = found.get(start) ?? [];
    known.push(end);
    found.set(start, known);
  };
  for (const { dataset } of lines) {
    const start = dataset[from] ?? '';
    const end = dataset[to] ?? '';
    add(start, end);
    if (dataset.both !== undefined) add(end, start);
  }
  return found;
}

/** @type {(start: string, steps: Map<string, string[]>) => Set<string>} */
function within(start, steps) {
  const seen = new Set([start]);
  let edge = [start];
  for (let far = 0; far < FAR; far++) {
    edge = edge.flatMap(id => steps.get(id) ?? []).filter(id => !seen.has(id));
    for (const id of edge) seen.add(id);
  }
  return seen;
}

/** What leads to the address of a box in another way, by way. @type {(box: SVGGElement | undefined, before: Map<string, string[]>) => Set<string>[]} */
const waysAround = (box, before) =>
  (box?.dataset.around?.split(' ') ?? []).map(id => within(id, before));

/** @type {(box: SVGGElement | undefined) => void} */
function focusOn(box) {
  if (!drawing) return;
  if (box !== undefined) showMapHint(false);
  const id = box && idOfBox(box);
  const after = id === undefined ? new Set() : within(id, drawing.after);
  const before = id === undefined ? new Set() : within(id, drawing.before);
  const near = [after, before, ...waysAround(box, drawing.before)];
  drawing.svg.classList.toggle('focused', box !== undefined);
  for (const one of drawing.boxes) {
    const own = idOfBox(one);
    one.classList.toggle(
      'near',
      near.some(set => set.has(own)),
    );
    one.setAttribute('aria-pressed', String(own === id));
  }
  for (const { classList, dataset } of drawing.lines)
    classList.toggle(
      'near',
      near.some(set => set.has(dataset.from) && set.has(dataset.to)),
    );
  tellMap(
    box === undefined
      ? ''
      : `${nameOfPart(box)}: ${before.size === 2 ? '1 box leads' : `${before.size - 1} boxes lead`} to it, and it leads to ${after.size === 2 ? '1 box' : `${after.size - 1} boxes`}.`,
  );
  showInMap(box === undefined ? [] : detailsOf(box, drawing));
}

/** @type {(text: string) => void} */
function tellMap(text) {
  const status = document.getElementById('map-status');
  if (status) status.textContent = text;
}

/** Shows the hint that boxes can be chosen, until a box is chosen. @type {(isShown: boolean) => void} */
function showMapHint(isShown) {
  const hint = document.getElementById('map-hint');
  if (hint) hint.hidden = !isShown;
}

/** @type {(parts: Node[]) => void} */
function showInMap(parts) {
  document.getElementById('map-details')?.replaceChildren(...parts);
}

/** What a box represents, and the lines that lead to it and from it, with their ports. @type {(box: SVGGElement, shown: Drawing) => Node[]} */
function detailsOf(box, { lines, after, before, place }) {
  const id = idOfBox(box);
  const contents = box.dataset.contents?.split('\n') ?? [];
  const inside = mapPlaces.find(
    ({ dataset }) =>
      dataset.part === id &&
      dataset.by === place.dataset.by &&
      dataset.state === place.dataset.state,
  );
  const linesIn = (/** @type {Set<string>[]} */ ...sets) =>
    lines
      .filter(({ dataset }) =>
        sets.some(ids => ids.has(dataset.from ?? '') && ids.has(dataset.to ?? '')),
      )
      .map(nameOfPart);
  return [
    make('h3', {}, nameOfPart(box)),
    ...(inside ? [buttonFor('Look inside', () => showDrawing(inside))] : []),
    ...mapListOf('Lines that lead to it', linesIn(within(id, before))),
    ...mapListOf('Lines to its address in another way', linesIn(...waysAround(box, before))),
    ...mapListOf('Lines that lead from it', linesIn(within(id, after))),
    ...mapListOf('It stands for', contents),
  ];
}

/** @type {(heading: string, texts: string[]) => Node[]} */
function mapListOf(heading, texts) {
  const lines = texts.filter(Boolean);
  if (lines.length === 0) return [];
  const list = make('ul', {});
  list.append(...lines.slice(0, SOME).map(text => make('li', {}, text)));
  if (lines.length > SOME) list.append(make('li', {}, `and ${lines.length - SOME} more`));
  return [make('h4', {}, `${heading} (${lines.length})`), list];
}

/** @type {(text: string, act: () => void) => HTMLElement} */
function buttonFor(text, act) {
  const button = make('button', { type: 'button' }, text);
  button.addEventListener('click', act);
  return button;
}

/** @type {(box: SVGGElement | undefined) => void} */
function goTo(box) {
  if (!box || !drawing) return;
  for (const one of drawing.boxes) one.setAttribute('tabindex', one === box ? '0' : '-1');
  box.focus();
  box.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** @type {(event: KeyboardEvent, box: SVGGElement, shown: Drawing) => void} */
function moveInMap(event, box, { boxes, byId, after, before }) {
  const at = boxes.indexOf(box);
  /** @type {(steps: Map<string, string[]>) => SVGGElement | undefined} */
  const next = steps => byId.get(steps.get(idOfBox(box))?.[0] ?? '');
  /** @type {Record<string, () => void>} */
  const keys = {
    Home: () => goTo(boxes[0]),
    End: () => goTo(boxes.at(-1)),
    ArrowDown: () => goTo(boxes[at + 1]),
    ArrowUp: () => goTo(boxes[at - 1]),
    ArrowRight: () => goTo(next(after)),
    ArrowLeft: () => goTo(next(before)),
    Enter: () => focusOn(box),
    ' ': () => focusOn(box),
    Escape: () => focusOn(undefined),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

let zoom = 1;
/** Whether the user chose the size. The chosen size stays if another drawing is shown or the size of the window changes. */
let isZoomChosen = false;

/** @type {(to: number) => void} */
function zoomTo(to) {
  if (!drawing) return;
  zoom = Math.min(LARGEST, Math.max(SMALLEST, to));
  const { width, height } = drawing.svg.viewBox.baseVal;
  drawing.svg.setAttribute('width', String(Math.round(width * zoom)));
  drawing.svg.setAttribute('height', String(Math.round(height * zoom)));
  overview?.show();
}

/** @type {(to: number) => void} */
function chooseZoom(to) {
  isZoomChosen = true;
  zoomTo(to);
}

function fitWidth() {
  if (mapView && drawing) chooseZoom((mapView.clientWidth - 4) / drawing.svg.viewBox.baseVal.width);
}

/** @type {(text: string) => void} */
function searchMap(text) {
  if (!drawing) return;
  const wanted = text.trim().toLowerCase();
  const isHit = (/** @type {SVGGElement} */ box) =>
    wanted !== '' &&
    `${nameOfPart(box)}\n${box.dataset.contents ?? ''}`.toLowerCase().includes(wanted);
  const hits = new Set(drawing.boxes.filter(isHit));
  for (const box of drawing.boxes) box.classList.toggle('hit', hits.has(box));
  hits.values().next().value?.scrollIntoView({ block: 'center', inline: 'center' });
  tellMap(wanted === '' ? '' : hits.size === 1 ? '1 box' : `${hits.size} boxes`);
  const isCollapsed = drawing.place.dataset.by !== 'none';
  showInMap(isCollapsed && wanted !== '' ? rulesNaming(wanted) : []);
}

/** The rows of the list of a state whose text has what was searched for. @type {(wanted: string) => Node[]} */
function rulesNaming(wanted) {
  const state = document.documentElement.dataset.state === 'before' ? 'before' : 'after';
  const table = mapLists.find(({ dataset }) => dataset.state === state)?.querySelector('table');
  if (!table) return [];
  const rows = [...table.querySelectorAll('tbody tr')].filter(row =>
    row.textContent?.toLowerCase().includes(wanted),
  );
  const found = make('table', {});
  const body = make('tbody', {});
  body.append(...rows.slice(0, SOME).map(row => row.cloneNode(true)));
  const head = table.querySelector('thead');
  found.append(...(head ? [head.cloneNode(true)] : []), body);
  const place = make('div', {
    class: 'scroll',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Rules that name it',
  });
  place.append(found);
  const few = rows.length > SOME ? `; the first ${SOME}:` : ':';
  const heading = rows.length === 1 ? '1 rule names it:' : `${rows.length} rules name it${few}`;
  return [make('h3', {}, heading), ...(rows.length > 0 ? [place] : [])];
}

/** Shows one drawing in place of another. @type {(place: HTMLElement | undefined) => void} */
function showDrawing(place) {
  if (!place) return;
  for (const one of mapPlaces) one.hidden = one !== place;
  drawing = drawingIn(place);
  if (byControl instanceof HTMLSelectElement) offerCollapsings(byControl, place.dataset.by);
  focusOn(undefined);
  if (isZoomChosen) zoomTo(zoom);
  else beginWhole();
  beginAtBoxes();
  if (place.dataset.part !== undefined)
    showInMap([buttonFor('Back to all groups', () => showDrawing(drawingFor(place.dataset.by)))]);
}

/**
 * The limits of the first zoom of a drawing. Its text has 12 pixels. Text below 11 pixels is hard to read, and much larger text
 * would leave too little room for other boxes.
 */
const FIRST_ZOOM = { least: 0.92, most: 1.2 };

/** Shows the whole drawing if its text is then readable, and otherwise its whole width, without making the text larger. */
function beginWhole() {
  if (!mapView || !drawing) return;
  const { width, height } = drawing.svg.viewBox.baseVal;
  const style = getComputedStyle(mapView);
  const highest = Number.parseFloat(style.maxHeight) || height;
  const whole = Math.min((mapView.clientWidth - 4) / width, (highest - 4) / height);
  const byWidth = Math.min(1, (mapView.clientWidth - 4) / width);
  const wanted = whole < FIRST_ZOOM.least ? byWidth : whole;
  zoomTo(Math.min(FIRST_ZOOM.most, Math.max(FIRST_ZOOM.least, wanted)));
}

/** The place of a box in the window at the size that is shown. @type {(box: SVGGElement) => import('./mapPlace.js').Rect[]} */
function rectOf(box) {
  const rect = box.querySelector('rect');
  if (!rect) return [];
  const numberOf = (/** @type {string} */ name) => Number(rect.getAttribute(name)) * zoom;
  return [
    { x: numberOf('x'), y: numberOf('y'), width: numberOf('width'), height: numberOf('height') },
  ];
}

function beginAtBoxes() {
  if (!mapView || !drawing) return;
  const { boxes } = drawing;
  const marked = boxes.filter(box => box.matches(MARKED));
  const view = { width: mapView.clientWidth, height: mapView.clientHeight };
  const { x, y } = beginningOf(boxes.flatMap(rectOf), marked.flatMap(rectOf), view);
  mapView.scrollTo(x, y);
  overview?.draw(
    drawing.svg,
    boxes.flatMap(box => box.querySelector('rect') ?? []),
  );
}

/** Offers the ways of collapsing for which the state has a drawing. @type {(control: HTMLSelectElement, shown: string | undefined) => void} */
function offerCollapsings(control, shown) {
  for (const option of control.options)
    option.hidden = drawingFor(option.value)?.dataset.by !== option.value;
  control.value = shown ?? 'none';
}

/** The drawing of the chosen state, collapsed as asked for. @type {(by: string | undefined) => HTMLElement | undefined} */
function drawingFor(by) {
  const { state } = document.documentElement.dataset;
  const wholes = mapPlaces.filter(
    ({ dataset }) => dataset.part === undefined && dataset.state === state,
  );
  const alike = by === 'changes' ? 'none' : by;
  const found = wholes.find(({ dataset }) => dataset.by === by);
  return found ?? wholes.find(({ dataset }) => dataset.by === alike) ?? wholes[0];
}

function showMapState() {
  const { state } = document.documentElement.dataset;
  for (const list of mapLists) list.hidden = list.dataset.state !== state;
  showDrawing(drawingFor(collapsedBy));
}

/**
 * A printed page in pixels, the height of title and legend on the first page, the smallest readable zoom, and the overlap of
 * parts.
 */
const PAPER = { width: 1030, height: 620, head: 150, least: 0.55, overlap: 40 };

/** Splits a drawing that cannot be read on one page into parts, each printed on a separate page. */
function beforePrint() {
  afterPrint();
  if (!drawing || !mapView) return;
  const { width, height } = drawing.svg.viewBox.baseVal;
  const byWidth = Math.min(1, PAPER.width / width);
  if (Math.min(byWidth, (PAPER.height - PAPER.head) / height) >= PAPER.least) return;
  const scale = Math.max(PAPER.least, byWidth);
  const across = partsAlong(width, PAPER.width / scale);
  const down = partsAlong(height, PAPER.height / scale);
  const pages = make('div', { id: 'map-pages' });
  for (const [row, top] of down.entries())
    for (const [column, left] of across.entries()) {
      const part = /** @type {SVGSVGElement} */ (drawing.svg.cloneNode(true));
      part.setAttribute(
        'viewBox',
        [left, top, PAPER.width / scale, PAPER.height / scale].join(' '),
      );
      const place = `Map, row ${row + 1} of ${down.length}, column ${column + 1} of ${across.length}`;
      const page = make('div', {});
      page.append(make('p', {}, place), part);
      pages.append(page);
    }
  mapView.after(pages);
}

function afterPrint() {
  document.getElementById('map-pages')?.remove();
}

/** Where the parts of a length begin. @type {(length: number, most: number) => number[]} */
function partsAlong(length, most) {
  const step = most - PAPER.overlap;
  const count = Math.max(1, Math.ceil((length - PAPER.overlap) / step));
  return Array.from({ length: count }, (_, at) => at * step);
}

/** @type {(shown: Drawing) => void} */
function wireDrawing(shown) {
  shown.svg.setAttribute('role', 'group');
  for (const [at, box] of shown.boxes.entries()) {
    box.setAttribute('role', 'button');
    box.setAttribute('tabindex', at === 0 ? '0' : '-1');
    box.setAttribute('aria-pressed', 'false');
    box.addEventListener('click', () => {
      goTo(box);
      focusOn(box);
    });
    box.addEventListener('keydown', event => moveInMap(event, box, shown));
  }
}

function wireMap() {
  showMapHint(true);
  /** @type {Record<string, () => void>} */
  const buttons = {
    'map-in': () => chooseZoom(zoom * STEP),
    'map-out': () => chooseZoom(zoom / STEP),
    'map-fit': fitWidth,
    'map-all': () => focusOn(undefined),
  };
  for (const [id, act] of Object.entries(buttons))
    document.getElementById(id)?.addEventListener('click', act);
  const search = document.getElementById('map-search');
  if (search instanceof HTMLInputElement)
    search.addEventListener('input', () => searchMap(search.value));
  if (byControl instanceof HTMLSelectElement)
    byControl.addEventListener('input', () => {
      collapsedBy = byControl.value;
      showDrawing(drawingFor(collapsedBy));
    });
  document.addEventListener('statechange', showMapState, { signal: viewsEnd });
  const fitAgain = () => {
    if (!isZoomChosen) beginWhole();
  };
  addEventListener('resize', fitAgain, { signal: viewsEnd });
  addEventListener('beforeprint', beforePrint, { signal: viewsEnd });
  addEventListener('afterprint', afterPrint, { signal: viewsEnd });
  // A hidden part of the page cannot be scrolled.
  let hasBegun = false;
  const begin = () => {
    if (hasBegun || document.documentElement.dataset.view !== 'map') return;
    hasBegun = true;
    beginWhole();
    beginAtBoxes();
  };
  document.addEventListener('viewchange', begin, { signal: viewsEnd });
  const first = mapPlaces.find(({ hidden }) => !hidden);
  collapsedBy = first?.dataset.by;
  showMapState();
  begin();
}

if (mapPlaces.length > 0) wireMap();
