// The names in the boxes of a drawing. A selector repeats the kind before each name, which makes
// boxes wide and names hard to compare. A box shows the name alone, and a sign for the kind.
import { jsonOf } from '../../model/text/jsonText.ts';
import type { GraphNode } from './graph.ts';
import type { Sign, Signs } from './signs.ts';

/** A name in a box. */
export interface BoxName {
  readonly text: string;
  /** The sign of its kind; absent if the text has no kind, or already shows the kind. */
  readonly sign?: Sign;
}

const SELECTOR = /^([a-z_]+)(?:\/(.+)|\[("(?:[^"\\]|\\.)*")\])$/s;

/**
 * Matches a text that a reader cannot mistake for anything but a single name when it is alone on a line. It may contain a word
 * that stands for several names: `‹network› staff`.
 */
const PLAIN = /^(?!and \d)[\p{L}\p{N}_./@+‹›-]+(?: [\p{L}\p{N}_./@+‹›-]+)*$/u;

/**
 * The names of a node without their kinds. A text that is not a selector, such as the name of a
 * rule, stays as it is.
 */
export function boxNames(
  { names, selectors }: Pick<GraphNode, 'names' | 'selectors'>,
  signs: Signs,
): readonly BoxName[] {
  return names.map(text => boxName(text, selectors, signs));
}

// The name that a text shows in a box. The text begins with the selector of its object, and may continue with an address or with
// machines.
function boxName(text: string, selectors: readonly string[], signs: Signs): BoxName {
  const isIn = (selector: string) =>
    text.startsWith(selector) && /^(?:[ ,]|$)/.test(text.slice(selector.length));
  const selector = selectors.find(isIn);
  const [, type = '', plain, inQuotes = ''] = SELECTOR.exec(selector ?? '') ?? [];
  const sign = signs.get(type);
  if (selector === undefined || sign === undefined) return { text };
  const rest = text.slice(selector.length);
  return { text: `${plain ?? withoutQuotes(inQuotes, rest)}${rest}`, sign };
}

/** An address after a name, or the end of one. */
const ADDRESS = /^ (?:\*\.)?[\d.:a-f]+(?:\/\d+)?$/;

// A name is seen to end before a comma, because it contains none, and before an address, unless it ends like one itself.
function withoutQuotes(inQuotes: string, rest: string): string {
  const name = jsonOf(inQuotes);
  if (typeof name !== 'string' || !PLAIN.test(name)) return inQuotes;
  const isClear =
    rest === '' ||
    rest.startsWith(', ') ||
    (ADDRESS.test(rest) && !/[\d.:/][^ ]*$/.test(name.split(' ').at(-1) ?? ''));
  return isClear ? name : inQuotes;
}
