// The map: zoom, search, and what leads to a box and where it leads. Without a script it is a drawing.

const mapView = document.getElementById('map-view');
const mapDrawing = mapView?.querySelector('svg');
const mapBoxes = /** @type {SVGGElement[]} */ ([...(mapDrawing?.querySelectorAll('.box') ?? [])]);
const mapLines = /** @type {SVGGElement[]} */ ([...(mapDrawing?.querySelectorAll('.line') ?? [])]);

/** How far a focus goes: from a source by its rule to a destination, and on to its resource and network. */
const FAR = 4;
const STEP = 1.25;
const SMALLEST = 0.1;
const LARGEST = 4;

/** @type {(box: SVGGElement) => string} */
const idOfBox = box => box.dataset.id ?? '';

/** @type {(box: SVGGElement) => string} */
const nameOfBox = box => box.querySelector('title')?.textContent ?? '';

/** The boxes after each box, and those before it. */
const onward = { after: neighboursBy('from', 'to'), before: neighboursBy('to', 'from') };

/** @type {(from: 'from' | 'to', to: 'from' | 'to') => Map<string, string[]>} */
function neighboursBy(from, to) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { dataset } of mapLines) {
    const ends = [[dataset[from] ?? '', dataset[to] ?? '']];
    if (dataset.both !== undefined) ends.push([dataset[to] ?? '', dataset[from] ?? '']);
    for (const [start = '', end = ''] of ends) found.set(start, [...(found.get(start) ?? []), end]);
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

/** @type {(box: SVGGElement | undefined) => void} */
function focusOn(box) {
  const id = box && idOfBox(box);
  const after = id === undefined ? new Set() : within(id, onward.after);
  const before = id === undefined ? new Set() : within(id, onward.before);
  mapDrawing?.classList.toggle('focused', box !== undefined);
  for (const one of mapBoxes) {
    const own = idOfBox(one);
    one.classList.toggle('near', after.has(own) || before.has(own));
    one.setAttribute('aria-pressed', String(own === id));
  }
  for (const { classList, dataset } of mapLines)
    classList.toggle(
      'near',
      [after, before].some(set => set.has(dataset.from) && set.has(dataset.to)),
    );
  tellMap(
    box === undefined
      ? ''
      : `${nameOfBox(box)}: ${before.size - 1} boxes lead to it, and it leads to ${after.size - 1}.`,
  );
}

/** @type {(text: string) => void} */
function tellMap(text) {
  const status = document.getElementById('map-status');
  if (status) status.textContent = text;
}

/** @type {(box: SVGGElement | undefined) => void} */
function goTo(box) {
  if (!box) return;
  for (const one of mapBoxes) one.setAttribute('tabindex', one === box ? '0' : '-1');
  box.focus();
  box.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** @type {(event: KeyboardEvent, box: SVGGElement) => void} */
function moveInMap(event, box) {
  const at = mapBoxes.indexOf(box);
  /** @type {(steps: Map<string, string[]>) => SVGGElement | undefined} */
  const next = steps => {
    const [first] = steps.get(idOfBox(box)) ?? [];
    return mapBoxes.find(one => idOfBox(one) === first);
  };
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => goTo(mapBoxes[at + 1]),
    ArrowUp: () => goTo(mapBoxes[at - 1]),
    ArrowRight: () => goTo(next(onward.after)),
    ArrowLeft: () => goTo(next(onward.before)),
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

/** @type {(to: number) => void} */
function zoomTo(to) {
  if (!mapDrawing) return;
  zoom = Math.min(LARGEST, Math.max(SMALLEST, to));
  const { width, height } = mapDrawing.viewBox.baseVal;
  mapDrawing.setAttribute('width', String(Math.round(width * zoom)));
  mapDrawing.setAttribute('height', String(Math.round(height * zoom)));
}

function fitWidth() {
  if (mapView && mapDrawing) zoomTo((mapView.clientWidth - 4) / mapDrawing.viewBox.baseVal.width);
}

/** @type {(text: string) => void} */
function searchMap(text) {
  const wanted = text.trim().toLowerCase();
  const hits = mapBoxes.filter(
    box => wanted !== '' && nameOfBox(box).toLowerCase().includes(wanted),
  );
  for (const box of mapBoxes) box.classList.toggle('hit', hits.includes(box));
  hits[0]?.scrollIntoView({ block: 'center', inline: 'center' });
  tellMap(wanted === '' ? '' : hits.length === 1 ? '1 box' : `${hits.length} boxes`);
}

function wireMap() {
  mapDrawing?.setAttribute('role', 'group');
  for (const [at, box] of mapBoxes.entries()) {
    box.setAttribute('role', 'button');
    box.setAttribute('tabindex', at === 0 ? '0' : '-1');
    box.setAttribute('aria-pressed', 'false');
    box.addEventListener('click', () => {
      goTo(box);
      focusOn(box);
    });
    box.addEventListener('keydown', event => moveInMap(event, box));
  }
  /** @type {Record<string, () => void>} */
  const buttons = {
    'map-in': () => zoomTo(zoom * STEP),
    'map-out': () => zoomTo(zoom / STEP),
    'map-fit': fitWidth,
    'map-all': () => focusOn(undefined),
  };
  for (const [id, act] of Object.entries(buttons))
    document.getElementById(id)?.addEventListener('click', act);
  const search = document.getElementById('map-search');
  if (search instanceof HTMLInputElement)
    search.addEventListener('input', () => searchMap(search.value));
}

if (mapDrawing) wireMap();
