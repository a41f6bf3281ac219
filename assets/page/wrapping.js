// Wraps texts between their words, and computes the space that they need.

import { make } from './elements.js';

/** The mean width of a character, in pixels. Capitals and wide characters are wider. */
const MEAN_WIDTH = 7.9;

/** @type {(text: string, most: number) => string} */
export const shortened = (text, most) =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** The parts after which a text may be wrapped. Browsers wrap after an ellipsis, too. @type {(text: string) => string[]} */
export const partsOf = text => text.split(/(?<=[-_./,:@ …])/);

/**
 * A text that may be wrapped after punctuation marks, but not within words.
 * @param {string} text
 * @param {string} [look]
 */
export function wrappable(text, look) {
  const element = make('span', { class: look });
  for (const part of partsOf(text)) element.append(part, make('wbr', {}));
  return element;
}

/**
 * The number of lines that a text needs if it is wrapped in this way.
 * @param {string} text
 * @param {number} most characters in a line
 */
export function linesNeeded(text, most) {
  let lines = 1;
  let used = 0;
  for (const { length } of partsOf(text)) {
    if (used > 0 && used + length > most) [lines, used] = [lines + 1, 0];
    lines += Math.floor(Math.max(0, length - 1) / most);
    used = length > most ? length % most : used + length;
  }
  return lines;
}

/** The mean width of the characters of a text: capitals and signs of other scripts are wider. @type {(text: string) => number} */
export function characterWidth(text) {
  const wide = text.match(/[MWmw@%\u1100-\uffff]/g)?.length ?? 0;
  const capitals = text.match(/[A-Z]/g)?.length ?? 0;
  const widths = text.length * MEAN_WIDTH + wide * 5 + capitals * 2;
  return widths / Math.max(1, text.length);
}
