// The search for a secret as it is defined: from each position of a text by itself. It takes long where a secret repeats itself.
import { type FoldedText, layersOf, placeIn } from '../../../src/model/secrets/foldedText.ts';
import { SHORTEST } from '../../../src/model/secrets/knownSecrets.ts';
import {
  afterCutsIn,
  type Part,
  type Sought,
  soughtOf,
} from '../../../src/model/secrets/soughtSecret.ts';

/** A text without a secret. */
export function redactedPlaceByPlace(secret: string, text: string): string {
  if (secret.trim().length < SHORTEST) return text;
  const places: Part[] = [];
  for (const layer of layersOf(text)) {
    const afterCuts = afterCutsIn(layer);
    for (const form of soughtOf(secret)) {
      const wholes = [...wholesIn(layer, form)];
      const cuts = cutsIn(layer, form, afterCuts, at =>
        wholes.some(([from, to]) => from <= at && at < to),
      );
      for (const part of [...wholes, ...cuts]) places.push(placeIn(layer, part));
    }
  }
  const shown: string[] = [];
  let end = 0;
  for (const [from, to] of places.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from >= end) shown.push(text.slice(end, from), '(secret)');
    end = Math.max(end, to);
  }
  return [...shown, text.slice(end)].join('');
}

const SHORTEST_BY_CHANCE = 8;
const TELLING = 6;
const TELLING_END = 8;

/** The parts of a text that are the secret. */
function* wholesIn(layer: FoldedText, sought: Sought): Generator<Part> {
  for (const from of startsOf(layer, sought.text)) {
    for (const whole of reach(layer, sought.text, from, 0).wholes)
      yield widened(layer.text, [from, whole], sought);
  }
}

/** The parts of a text that are the beginning of the secret before a cut, or its end after one. */
function* cutsIn(
  layer: FoldedText,
  sought: Sought,
  afterCuts: readonly Part[],
  isInWhole: (at: number) => boolean,
): Generator<Part> {
  const { text } = sought;
  for (const from of startsOf(layer, text)) {
    for (const [at, cut] of reach(layer, text, from, 0).cuts)
      yield widened(layer.text, [from, isInWhole(at - 1) ? at : cut], { ...sought, after: false });
  }
  // Only a text with the last characters of the secret can have more of its end.
  const end = text.slice(-TELLING_END).trimStart();
  if (startsOf(layer, end).every(from => reach(layer, end, from, 0).wholes.length === 0)) return;
  for (const [begin, from] of afterCuts)
    for (const at of innerStarts(layer, from, text))
      for (const whole of reach(layer, text, from, at).wholes)
        yield widened(layer.text, [isInWhole(from) ? from : begin, whole], {
          ...sought,
          before: false,
        });
}

/** Where in the secret the text from `from` on can go on, so that enough of it is left. */
function* innerStarts(
  { text, spelled }: FoldedText,
  from: number,
  sought: string,
): Generator<number> {
  const readings = [text.charAt(from), ...(spelled.get(from) ?? []).map(one => one.text)];
  for (let at = 1; at <= sought.length - TELLING_END; at++)
    if (readings.some(read => stepOver(sought, at, read) !== undefined)) yield at;
}

/** The positions at which the secret may begin: the first character can be read there, and the second one may follow. */
function* startsOf({ text, spelled, spelledBy }: FoldedText, sought: string): Generator<number> {
  const first = sought.charAt(0);
  const second = sought.charAt(1);
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const next = text.charAt(at + 1);
    if (next === second || isBlank(next) || spelled.has(at) || spelled.has(at + 1)) yield at;
  }
  for (const at of spelledBy.get(first) ?? []) if (text.charAt(at) !== first) yield at;
}

interface Reached {
  /** Where the secret ends, if all of it is there: different readings may end at different places. */
  readonly wholes: readonly number[];
  /** The cuts up to which the text is the secret, with the ends of what may be the start of a spelling there. */
  readonly cuts: readonly Part[];
}

/** How far the text from `from` on is the secret from its character `first` on. */
function reach(layer: FoldedText, sought: string, from: number, first: number): Reached {
  const { text, spelled } = layer;
  const open: (readonly [at: number, next: number])[] = [[from, first]];
  let tried: Set<number> | undefined;
  const wholes: number[] = [];
  const cuts: Part[] = [];
  for (let state = open.pop(); state; state = open.pop()) {
    let [at, next] = state;
    for (;;) {
      if (next === sought.length) {
        wholes.push(at);
        break;
      }
      const cut = next - first >= TELLING ? cutAt(text, at) : undefined;
      if (cut !== undefined) cuts.push([at, cut]);
      for (const reading of spelled.get(at) ?? []) {
        const after = stepOver(sought, next, reading.text);
        const key = after === undefined ? 0 : reading.end * (sought.length + 1) + after;
        if (after === undefined || tried?.has(key)) continue;
        tried = (tried ?? new Set<number>()).add(key);
        open.push([afterBreak(text, reading.text, reading.end), after]);
      }
      const after = at < text.length ? stepOver(sought, next, text.charAt(at)) : undefined;
      if (after === undefined) break;
      at = afterBreak(text, text.charAt(at), at + 1);
      next = after;
    }
  }
  return { wholes, cuts };
}

/** The next character of the secret after `read`; none if it is not what comes next. */
function stepOver(sought: string, next: number, read: string): number | undefined {
  if (isPrefix(read, sought, next)) return next + read.length;
  if (!isBlank(read)) return undefined;
  if (sought[next] === ' ') return next + 1;
  const isBetween = next > 0 && sought.length >= SHORTEST_BY_CHANCE;
  return (next > 0 && sought[next - 1] === ' ') || (isBetween && read === '\n') ? next : undefined;
}

/** The position after the blanks with which the next line begins. */
function afterBreak(text: string, read: string, end: number): number {
  if (read !== '\n') return end;
  let at = end;
  while (isBlank(text.charAt(at))) at++;
  return at;
}

const isBlank = (text: string): boolean => text === ' ' || text === '\n';
const isPrefix = (part: string, text: string, at: number): boolean => text.startsWith(part, at);

/** The end of a text or line, or the mark of what was left out. The start of a longer spelling may be before it. */
const CUT = /(?:[%&\\][%&#\\\w{}]{0,15})?(?:$|(?=\n|…|\.\.|\*\*))/y;

const MAY_BE_CUT = '\n….*%&\\';

function cutAt(text: string, at: number): number | undefined {
  if (at < text.length && !MAY_BE_CUT.includes(text.charAt(at))) return undefined;
  CUT.lastIndex = at;
  const found = CUT.exec(text);
  return found ? at + found[0].length : undefined;
}

const HALF = /[\w+/-]/;

/** With the characters beside it that have a part of the secret too. */
function widened(text: string, [from, to]: Part, { before, after }: Sought): Part {
  const start = before && from > 0 && HALF.test(text.charAt(from - 1)) ? from - 1 : from;
  const end = after && HALF.test(text.charAt(to)) ? to + 1 : to;
  return [start, end];
}
