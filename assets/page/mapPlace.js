// Where a map begins, and which part of it is in sight: arithmetic with rectangles, in pixels of the window.

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect
 * @typedef {{ width: number, height: number }} Size
 */

/** The room around the first box. */
const MAP_MARGIN = 16;

/**
 * Where a window into a drawing begins. Lines are followed from the left, so it begins at the left, and at the top unless nothing would be
 * in sight there: then at the first box, and with changes at the first that is marked.
 * @type {(boxes: Rect[], marked: Rect[], view: Size) => { x: number, y: number }}
 */
export function beginningOf(boxes, marked, view) {
  const isInSight = (/** @type {Rect} */ { x, y }) => x < view.width && y < view.height;
  const begins = (/** @type {Rect | undefined} */ one) => ({
    x: one && one.x + one.width > view.width ? one.x - MAP_MARGIN : 0,
    y: (one?.y ?? 0) - MAP_MARGIN,
  });
  const byPlace = (/** @type {Rect} */ one, /** @type {Rect} */ other) =>
    one.y - other.y || one.x - other.x;
  if (marked.length > 0)
    return marked.some(isInSight) ? { x: 0, y: 0 } : begins(marked.toSorted(byPlace)[0]);
  if (boxes.some(isInSight)) return { x: 0, y: 0 };
  return begins(boxes.filter(({ x }) => x < view.width).sort(byPlace)[0] ?? boxes[0]);
}

/**
 * On which sides a drawing goes on beyond the part that is in sight.
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
