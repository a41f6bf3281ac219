// Finds one form of a secret in a text: the whole secret, a secret broken over lines, or a part of it that was left after a cut.
import { Beginnings } from './beginnings.ts';
import { type FoldedText, foldedCase, layersOf } from './foldedText.ts';
import {
  marked,
  type Reached,
  readThrough,
  SHORTEST_BROKEN,
  type Step,
  type Steps,
} from './readThrough.ts';
import { WHOLES, type Whole } from './spellings.ts';

/**
 * The minimum length of a text that does not occur in another text by chance. The search for a shorter secret skips encodings of
 * the whole secret and line breaks.
 */
export const SHORTEST_BY_CHANCE = SHORTEST_BROKEN;

/** If the end of a secret was cut off, this many of its first characters identify it. */
const TELLING = 6;

/**
 * If the beginning of a secret was cut off, this many of its last characters identify it. The number is larger than `TELLING`:
 * the text after a cut often begins with a name, which may equal the end of a secret by chance.
 */
const TELLING_END = 8;

/** One form of a secret as it is searched for: in one case, with its last characters, and reversed. */
export interface Sought extends Whole {
  readonly beginnings: Beginnings;
  readonly end: Beginnings;
  readonly reversed: Beginnings;
}

/**
 * The forms of a secret: the secret itself, its decoded forms, and each encoding of the whole secret. `onStep`: see `Beginnings`.
 */
export function soughtOf(secret: string, onStep?: () => void): readonly Sought[] {
  const forms = new Map<string, Sought>();
  const add = (form: Whole): void => {
    const text = foldedCase(form.text).trim().replaceAll(/\s+/g, ' ');
    if (!forms.has(text)) forms.set(text, soughtAs({ ...form, text }, onStep));
  };
  add({ text: secret, before: false, after: false });
  // A program may decode a secret: if the secret contains `%41`, the result contains `A`.
  for (const { text } of layersOf(secret).slice(1))
    if (text.trim().length >= SHORTEST_BY_CHANCE) add({ text, before: false, after: false });
  if (new TextEncoder().encode(secret).length >= SHORTEST_BY_CHANCE)
    for (const written of new Set([secret, jsonText(secret), addressText(secret)]))
      for (const form of Object.values(WHOLES).flatMap(make => make(written))) add(form);
  return [...forms.values()];
}

const soughtAs = (form: Whole, onStep: (() => void) | undefined): Sought => ({
  ...form,
  beginnings: new Beginnings(form.text, onStep),
  end: new Beginnings(form.text.slice(-TELLING_END).trimStart(), onStep),
  reversed: new Beginnings(reversed(form.text), onStep),
});

const reversed = (text: string): string => text.split('').reverse().join('');
const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);
const addressText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A part of a text, from its first position to the position after it. */
export type Part = readonly [from: number, to: number];

/**
 * The parts of a text that contain the whole secret. If parts overlap, a later part may lack its beginning, which the earlier
 * part contains.
 */
export const wholesIn = (layer: FoldedText, sought: Sought): readonly Part[] =>
  readForwards(layer, sought).wholes;

/** The parts of a text that contain the whole secret, its beginning before a cut, or its end after a cut. */
export function partsIn(
  layer: FoldedText,
  sought: Sought,
  afterCuts: readonly Part[],
): readonly Part[] {
  const { wholes, beforeCuts } = readForwards(layer, sought);
  const isInWhole = coveredBy(wholes);
  return [
    ...wholes,
    ...beginningsIn(layer, sought, beforeCuts, isInWhole),
    ...endsIn(layer, sought, afterCuts, isInWhole),
  ];
}

/** Whether a position is in one of some parts. */
function coveredBy(parts: readonly Part[]): (at: number) => boolean {
  const covered = new Set<number>();
  for (const [from, to] of parts) for (let at = from; at < to; at++) covered.add(at);
  return at => covered.has(at);
}

/** Where a text was cut after the beginning of a secret, and where the visible part of the secret ends. */
type BeforeCut = readonly [reached: Reached, end: number];

function readForwards(
  layer: FoldedText,
  sought: Sought,
): { wholes: readonly Part[]; beforeCuts: readonly BeforeCut[] } {
  const { text } = layer;
  const wholes: Part[] = [];
  const beforeCuts: BeforeCut[] = [];
  const starts = startsOf(layer, sought.text);
  for (const reached of readThrough(forwards(layer), sought.beginnings, starts)) {
    if (reached.length === sought.text.length)
      for (const from of marked(reached, reached.length, sought.beginnings))
        wholes.push(widened(text, [from, reached.at], sought));
    const end = reached.length < TELLING ? undefined : cutAt(text, reached.at);
    if (end !== undefined) beforeCuts.push([reached, end]);
  }
  return { wholes, beforeCuts };
}

// Characters of a whole secret are not the beginning or the rest of another, cut secret.
const beginningsIn = (
  { text }: FoldedText,
  sought: Sought,
  beforeCuts: readonly BeforeCut[],
  isInWhole: (at: number) => boolean,
): readonly Part[] =>
  beforeCuts.flatMap(([reached, cut]) =>
    lengthsOf(reached, TELLING)
      .flatMap(length => marked(reached, length, sought.beginnings))
      .map((from): Part => [from, isInWhole(reached.at - 1) ? reached.at : cut])
      .map(part => widened(text, part, { ...sought, after: false })),
  );

/** The lengths that the interpretations up to a position have read. */
const lengthsOf = ({ ways }: Reached, least: number): readonly number[] =>
  [...new Set(ways.map(way => way.length))].filter(length => length >= least).sort((a, b) => b - a);

// Reads the secret backwards from the places where its last characters end.
function endsIn(
  layer: FoldedText,
  sought: Sought,
  afterCuts: readonly Part[],
  isInWhole: (at: number) => boolean,
): readonly Part[] {
  const { text } = layer;
  const { end, reversed: whole } = sought;
  const ends: number[] = [];
  for (const { at, length } of readThrough(forwards(layer), end, startsOf(layer, end.text)))
    if (length === end.text.length) ends.push(text.length - at);
  if (ends.length === 0) return [];
  const begins = new Map<number, number>();
  for (const [begin, from] of afterCuts)
    begins.set(from, isInWhole(from) ? from : Math.min(begin, begins.get(from) ?? begin));
  const parts: Part[] = [];
  for (const reached of readThrough(backwards(layer), whole, ends.reverse())) {
    const begin = begins.get(text.length - reached.at);
    if (begin === undefined) continue;
    for (const length of lengthsOf(reached, TELLING_END)) {
      const inner = length < whole.text.length ? length : whole.within(length);
      for (const to of inner < TELLING_END ? [] : marked(reached, inner, whole))
        parts.push(widened(text, [begin, text.length - to], { ...sought, before: false }));
    }
  }
  return parts;
}

function forwards(
  { text, spelled }: FoldedText,
  afterBlanks: (at: number) => number = at => afterBlanksAt(text, at),
): Steps {
  const step = (read: string, end: number): Step => ({
    read,
    to: read === '\n' ? afterBlanks(end) : end,
  });
  return at => {
    const readings = (spelled.get(at) ?? []).map(({ text: read, end }) => step(read, end));
    return at < text.length ? [step(text.charAt(at), at + 1), ...readings] : readings;
  };
}

/** The same text read backwards, with positions counted from its end. */
function backwards(layer: FoldedText): Steps {
  const { length } = layer.text;
  const ends = new Int32Array(length + 1);
  for (let at = length; at >= 0; at--)
    ends[at] = isBlank(layer.text.charAt(at)) ? (ends[at + 1] ?? length) : at;
  const steps = forwards(layer, at => ends[at] ?? length);
  const byEnd = new Map<number, Step[]>();
  for (let at = 0; at < length; at++)
    for (const { read, to } of steps(at)) {
      const ending = byEnd.get(length - to);
      const step = { read: reversed(read), to: length - at };
      if (ending) ending.push(step);
      else byEnd.set(length - to, [step]);
    }
  return at => byEnd.get(at) ?? [];
}

/** The positions at which the secret may begin: its first character can be read there, and its second character may follow. */
function startsOf({ text, spelled, spelledBy }: FoldedText, sought: string): readonly number[] {
  const first = sought.charAt(0);
  const second = sought.charAt(1);
  const starts: number[] = [];
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const next = text.charAt(at + 1);
    if (next === second || isBlank(next) || spelled.has(at) || spelled.has(at + 1)) starts.push(at);
  }
  const others = spelledBy.get(first) ?? [];
  if (others.length === 0) return starts;
  return [...new Set([...starts, ...others])].sort((a, b) => a - b);
}

/** The position after the blanks at the beginning of the next line. */
function afterBlanksAt(text: string, end: number): number {
  let at = end;
  while (isBlank(text.charAt(at))) at++;
  return at;
}

const isBlank = (text: string): boolean => text === ' ' || text === '\n';

/** A cut: the end of a text or line, or a mark of omission. The start of a longer spelling may precede it. */
const CUT = /(?:[%&\\][%&#\\\w{}]{0,15})?(?:$|(?=\n|…|\.\.|\*\*))/y;

const MAY_BE_CUT = '\n….*%&\\';

function cutAt(text: string, at: number): number | undefined {
  if (at < text.length && !MAY_BE_CUT.includes(text.charAt(at))) return undefined;
  CUT.lastIndex = at;
  const found = CUT.exec(text);
  return found ? at + found[0].length : undefined;
}

/** The beginning of a text or line, or the position after a mark of omission. */
const AFTER_CUT = /(?<=^|\n|…|\.\.|\*\*)(?!\n)/g;

/** The rest of a spelling that was cut: of a single character, or of some bytes of a character. */
const REST =
  /^(?:#?x?[a-z\d]{0,8};|u?\{?[\da-f]{0,6}\}?|x[\da-f]{0,2}|[\x80-\xff])?(?:(?:%|\\x)[\da-f]{2}|\\[0-3][0-7]{2}|\\u[\da-f]{4}|[\x80-\xff]){0,3}$/;

/** The length of the longest rest. */
const LONGEST_REST = 15;

/** The positions after cuts. Each is paired with itself, and with the positions after a possible rest of a spelling. */
export const afterCutsIn = ({ text }: FoldedText): readonly Part[] =>
  [...text.matchAll(AFTER_CUT)].flatMap(({ index }) => {
    const rests = Array.from({ length: LONGEST_REST + 1 }, (_, i) => index + i);
    return rests
      .filter(end => isInLine(text, end) && REST.test(text.slice(index, end)))
      .map((end): Part => [index, end]);
  });

const isInLine = (text: string, at: number): boolean => at < text.length && text[at] !== '\n';

const HALF = /[\w+/-]/;

/** The part, widened by neighbouring characters that also contain a part of the secret. */
function widened(text: string, [from, to]: Part, { before, after }: Sought): Part {
  const start = before && from > 0 && HALF.test(text.charAt(from - 1)) ? from - 1 : from;
  const end = after && HALF.test(text.charAt(to)) ? to + 1 : to;
  return [start, end];
}
