// Which accounts of a rollout a filter shows.

/**
 * @typedef {object} Filter
 * @property {string} text in any cell, whatever its case
 * @property {string} wave empty for any
 * @property {string} state empty for any
 */

/**
 * Whether a row of the table of accounts matches; the cells are the name, the wave, the state, and others.
 * @type {(filter: Filter, cells: readonly string[]) => boolean}
 */
export function matches({ text, wave, state }, cells) {
  const [, ofWave = '', ofState = ''] = cells;
  const isIn = cells.some(cell => cell.toLowerCase().includes(text.trim().toLowerCase()));
  // The cell of an accepted account contains its state and, after a comma, that it is accepted.
  const isState = state === '' || ofState.split(',')[0] === state;
  return isIn && isState && (wave === '' || ofWave === wave);
}
