// A small picture of the whole map with a frame around the visible part. It shows that a large map continues, and where.
import { partIn, sidesBeyond } from './mapPlace.js';
import { viewsEnd } from './viewsEnd.js';

/** The largest size of the overview, in pixels. */
const OVERVIEW_MOST = { width: 150, height: 64 };

/** Shows which part of the drawing in a scrolling element is visible. */
export class Overview {
  #view;
  #place;
  #box = document.getElementById('map-overview');
  #svg = document.querySelector('#map-overview svg');
  #small = document.querySelector('#map-overview .small');
  #frame = document.querySelector('#map-overview .in-sight');
  /** @type {SVGSVGElement | undefined} */
  #drawing;
  #size = { width: 0, height: 0 };
  #isWaiting = false;

  /** @param {HTMLElement} view */
  constructor(view) {
    this.#view = view;
    this.#place = view.parentElement;
    view.addEventListener('scroll', () => this.#showSoon(), { passive: true });
    addEventListener('resize', () => this.#showSoon(), { signal: viewsEnd });
    for (const type of ['pointerdown', 'pointermove'])
      this.#svg?.addEventListener(type, event => this.#moveTo(/** @type {PointerEvent} */ (event)));
  }

  /** Draws the boxes of another drawing. @type {(drawing: SVGSVGElement, boxes: Element[]) => void} */
  draw(drawing, boxes) {
    this.#drawing = drawing;
    const { width, height } = drawing.viewBox.baseVal;
    const scale = Math.min(OVERVIEW_MOST.width / width, OVERVIEW_MOST.height / height);
    const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) };
    this.#size = size;
    for (const [name, value] of Object.entries(size)) this.#svg?.setAttribute(name, String(value));
    this.#svg?.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    const way = boxes.map(box => {
      const numberOf = (/** @type {string} */ name) =>
        Math.round(Number(box.getAttribute(name)) * scale * 10) / 10;
      const across = Math.max(2, numberOf('width'));
      const down = Math.max(1.5, numberOf('height'));
      return `M${numberOf('x')} ${numberOf('y')}h${across}v${down}h-${across}z`;
    });
    this.#small?.setAttribute('d', way.join(''));
    this.show();
  }

  /** Moves the frame to the part that is visible now. */
  show() {
    this.#isWaiting = false;
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#view;
    // In a hidden part of the page, elements have no size.
    if (!this.#drawing || clientWidth === 0) return;
    const whole = { width: this.#view.scrollWidth, height: this.#view.scrollHeight };
    const part = { x: scrollLeft, y: scrollTop, width: clientWidth, height: clientHeight };
    const beyond = sidesBeyond(part, whole);
    if (this.#place) this.#place.dataset.beyond = beyond.join(' ');
    if (!this.#box) return;
    this.#box.hidden = beyond.length === 0;
    for (const [name, value] of Object.entries(partIn(part, whole, this.#size)))
      this.#frame?.setAttribute(name, value.toFixed(1));
  }

  #showSoon() {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => this.show());
  }

  /** Scrolls the map to the place under a pressed pointer. @type {(event: PointerEvent) => void} */
  #moveTo(event) {
    if (event.buttons !== 1 || !this.#svg) return;
    const { left, top, width, height } = this.#svg.getBoundingClientRect();
    const view = this.#view;
    view.scrollLeft = ((event.clientX - left) / width) * view.scrollWidth - view.clientWidth / 2;
    view.scrollTop = ((event.clientY - top) / height) * view.scrollHeight - view.clientHeight / 2;
  }
}
