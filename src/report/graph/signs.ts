// Signs for the kinds of objects, drawn as outlines beside the text in boxes. The legend of a map shows their meanings.
import type { Kind, KindTable } from '../../kinds/kind.ts';
import { element, type Markup } from './markup.ts';

/** A sign, and what it means. */
export interface Sign {
  readonly meaning: string;
  /** The SVG path of its lines, in a square of `SIGN.size`. */
  readonly way: string;
}

/** Signs by the type in a selector. */
export type Signs = ReadonlyMap<string, Sign>;

/** The edge length of a sign, and the gap between the sign and the text. */
export const SIGN = { size: 13, gap: 5 };

/** Without signs, boxes show whole selectors. */
export const NO_SIGNS: Signs = new Map();

const WAYS: Readonly<Record<NonNullable<Kind['sign']>['draws'], string>> = {
  circles:
    'M4.2 3.5a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0M.9 9.5a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0M7.5 9.5a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0',
  screen: 'M1 1.5h11v7.5h-11zM6.5 9v2.5M3.5 12h6',
  shelves: 'M1.5 1.5h10v4h-10zM1.5 7.5h10v4h-10zM4 3.5h1M4 9.5h1',
  hexagon: 'M6.5.8l5 2.9v5.6l-5 2.9l-5-2.9v-5.6z',
  arrow: 'M1 6.5h10.5M8 2.8l3.7 3.7l-3.7 3.7',
};

/** The signs that the kinds declare. */
export const signsOf = (kinds: KindTable): Signs =>
  new Map(
    [...kinds].flatMap(([name, { sign }]) =>
      sign ? [[name, { meaning: sign.means, way: WAYS[sign.draws] }] as const] : [],
    ),
  );

/** A sign whose corner is at a place. */
export const signAt = ({ way }: Sign, x: number, y: number): Markup =>
  element('path', { class: 'sign', transform: `translate(${x} ${y})`, d: way });
