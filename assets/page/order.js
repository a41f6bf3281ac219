// The order of the rows and columns of a matrix: by name, by how much they reach, or with similar rows and columns beside each
// other.

/**
 * @typedef {import('./matrix.js').Side} Side
 * @typedef {import('./matrix.js').Matrix} Matrix
 * @typedef {{ rows: Int32Array, columns: Int32Array }} Ranks the place of each row and column of the matrix
 */

/**
 * The places of all rows and columns of a matrix in an order.
 * @param {Matrix} matrix
 * @param {string} order
 * @returns {Ranks}
 */
export function ranksOf(matrix, order) {
  const { rows, columns } = matrix.data;
  if (order === 'name') return { rows: ranksBy(byName(rows)), columns: ranksBy(byName(columns)) };
  const across = bitsOf(rows.length, columns.length, matrix.at);
  const down = bitsOf(columns.length, rows.length, (at, other) => matrix.at(other, at));
  const places = order === 'reach' ? byReach : byLikeness;
  return { rows: ranksBy(places(across)), columns: ranksBy(places(down)) };
}

/** @type {(places: number[]) => Int32Array} */
function ranksBy(places) {
  const ranks = new Int32Array(places.length);
  for (const [rank, at] of places.entries()) ranks[at] = rank;
  return ranks;
}

/**
 * Destinations in networks come first, by network; then other addresses, and then machines.
 * @type {(sides: Side[]) => number[]}
 */
function byName(sides) {
  const { compare } = new Intl.Collator('en', { numeric: true });
  const isRouted = (/** @type {Side | undefined} */ side) => Number(side?.address === undefined);
  return [...sides.keys()].sort((one, other) => {
    const a = sides[one];
    const b = sides[other];
    return (
      isRouted(a) - isRouted(b) ||
      Number(a?.within === undefined) - Number(b?.within === undefined) ||
      compare(a?.within ?? '', b?.within ?? '') ||
      compare(a?.label ?? '', b?.label ?? '') ||
      one - other
    );
  });
}

/**
 * For each of `count` lines a set of bits: which of its `width` cells are not empty.
 * @param {number} count
 * @param {number} width
 * @param {(at: number, other: number) => number} numberAt
 * @returns {Int32Array[]}
 */
function bitsOf(count, width, numberAt) {
  return Array.from({ length: count }, (_, at) => {
    const bits = new Int32Array(Math.ceil(width / 32));
    for (let other = 0; other < width; other++)
      if (numberAt(at, other) >= 0)
        bits[other >> 5] = (bits[other >> 5] ?? 0) | (1 << (other & 31));
    return bits;
  });
}

/** @type {(lines: Int32Array[]) => number[]} */
function byReach(lines) {
  const counts = lines.map(bits => bits.reduce((sum, word) => sum + ones(word), 0));
  return [...lines.keys()].sort(
    (one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other,
  );
}

/** The number of lines on each side that are compared to find the next line: comparing all lines of 2,000 would take seconds. */
const NEAR = 100;

/**
 * Each line is followed by the one that differs from it in the fewest cells, among those that reach about as much.
 * @type {(lines: Int32Array[]) => number[]}
 */
function byLikeness(lines) {
  const left = byReach(lines);
  const places = left.splice(0, 1);
  let at = 0;
  while (left.length > 0) {
    const last = lines[places.at(-1) ?? 0] ?? new Int32Array();
    const begin = Math.max(0, Math.min(at, left.length) - NEAR);
    at = begin + nearestOf(last, left.slice(begin, begin + 2 * NEAR), lines);
    places.push(...left.splice(at, 1));
  }
  return places;
}

/**
 * The index in `places` of the line that differs least from `line`.
 * @type {(line: Int32Array, places: number[], lines: Int32Array[]) => number}
 */
function nearestOf(line, places, lines) {
  let nearest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [at, place] of places.entries()) {
    const distance = distanceOf(line, lines[place] ?? line, least);
    if (distance < least) [nearest, least] = [at, distance];
    if (least === 0) break;
  }
  return nearest;
}

/**
 * In how many cells two lines differ; counting ends at `most`.
 * @param {Int32Array} one
 * @param {Int32Array} other
 * @param {number} most
 */
function distanceOf(one, other, most) {
  let sum = 0;
  for (let at = 0; at < one.length && sum < most; at++)
    sum += ones((one[at] ?? 0) ^ (other[at] ?? 0));
  return sum;
}

/** The number of bits in a word. @type {(word: number) => number} */
function ones(word) {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
