// Computes the first scroll position of a map and its visible part: arithmetic with rectangles, in pixels of the window.

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect
 * @typedef {{ width: number, height: number }} Size
 */

/** The boxes that a plan changes, as drawings mark them. */
export const MARKED = '.added, .removed, .changed';

/** The space around the first box, because the edge of the map fades out. */
const MAP_MARGIN = 44;

/**
 * The first scroll position of a drawing. It is at the left, because readers follow lines from the left, and at the top if boxes
 * are visible there. Otherwise it is at the first box, or at the first marked box if there are changes.
 * @type {(boxes: Rect[], marked: Rect[], view: Size) => { x: number, y: number }}
 */
export function beginningOf(boxes, marked, view) {
  const wanted = marked.length > 0 ? marked : boxes;
  // A narrow window has room for the beginning of a box only.
  const isAtLeft = (/** @type {Rect} */ { x, width }) =>
    x + Math.min(width, MAP_MARGIN * 2) <= view.width;
  if (wanted.some(one => isAtLeft(one) && one.y + one.height <= view.height)) return { x: 0, y: 0 };
  const [first] = wanted.toSorted(
    (one, other) =>
      Number(isAtLeft(other)) - Number(isAtLeft(one)) || one.y - other.y || one.x - other.x,
  );
  if (first === undefined) return { x: 0, y: 0 };
  return { x: isAtLeft(first) ? 0 : first.x - MAP_MARGIN, y: first.y - MAP_MARGIN };
}

/**
 * The sides on which a drawing continues beyond its visible part.
 * @type {(part: Rect, drawing: Size) => string[]}
 */
export function sidesBeyond({ x, y, width, height }, drawing) {
  // A border or a rounded pixel hides nothing.
  const few = 4;
  const sides = {
    left: x > few,
    right: x + width < drawing.width - few,
    top: y > few,
    bottom: y + height < drawing.height - few,
  };
  return Object.entries(sides).flatMap(([side, isBeyond]) => (isBeyond ? [side] : []));
}

/**
 * The place of a part in an overview of the drawing.
 * @type {(part: Rect, drawing: Size, overview: Size) => Rect}
 */
export function partIn({ x, y, width, height }, drawing, overview) {
  const across = overview.width / drawing.width;
  const down = overview.height / drawing.height;
  return {
    x: x * across,
    y: y * down,
    width: Math.min(width * across, overview.width),
    height: Math.min(height * down, overview.height),
  };
}
