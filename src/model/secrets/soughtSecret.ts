// Looks for one form of a secret in a text: whole, broken over lines, or cut.
import { type FoldedText, foldedCase, layersOf } from './foldedText.ts';
import { WHOLES, type Whole } from './spellings.ts';

/** A form of a secret as it is looked for, in one case. */
export type Sought = Whole;

/** The shortest text that no other has in it by chance. A shorter secret is looked for neither encoded as a whole nor broken over lines. */
export const SHORTEST_BY_CHANCE = 8;

/** This many first characters are enough to reveal a secret where a text was cut. */
const TELLING = 6;

/** This many last characters are. Texts rarely begin in the middle of another one, and many begin with a name. */
const TELLING_END = 8;

/** The forms of a secret: as it is, as it would be read, and each way to write it as a whole. */
export function soughtOf(secret: string): readonly Sought[] {
  const forms = new Map<string, Sought>();
  const add = (form: Whole): void => {
    const text = foldedCase(form.text).trim().replaceAll(/\s+/g, ' ');
    if (!forms.has(text)) forms.set(text, { ...form, text });
  };
  add({ text: secret, before: false, after: false });
  // A secret with `%41` in it may be read as one with an `A`.
  for (const { text } of layersOf(secret).slice(1))
    if (text.trim().length >= SHORTEST_BY_CHANCE) add({ text, before: false, after: false });
  if (new TextEncoder().encode(secret).length >= SHORTEST_BY_CHANCE)
    for (const written of new Set([secret, jsonText(secret), addressText(secret)]))
      for (const form of Object.values(WHOLES).flatMap(make => make(written))) add(form);
  return [...forms.values()];
}

const jsonText = (text: string): string => JSON.stringify(text).slice(1, -1);
const addressText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A part of a text, by its first position and the one after it. */
export type Part = readonly [from: number, to: number];

/** The parts of a text that are the secret. */
export function* wholesIn(layer: FoldedText, sought: Sought): Generator<Part> {
  for (const from of startsOf(layer, sought.text)) {
    const { whole } = reach(layer, sought.text, from, 0);
    if (whole !== undefined) yield widened(layer.text, [from, whole], sought);
  }
}

/** The parts of a text that are the beginning of the secret before a cut, or its end after one. */
export function* cutsIn(
  layer: FoldedText,
  sought: Sought,
  afterCuts: readonly Part[],
): Generator<Part> {
  const { text } = sought;
  for (const from of startsOf(layer, text)) {
    const { cut } = reach(layer, text, from, 0);
    if (cut !== undefined) yield widened(layer.text, [from, cut], { ...sought, after: false });
  }
  // Only a text with the last characters of the secret can have more of its end.
  const end = text.slice(-TELLING_END).trimStart();
  if (startsOf(layer, end).every(from => reach(layer, end, from, 0).whole === undefined)) return;
  for (const [begin, from] of afterCuts)
    for (const at of innerStarts(layer, from, text)) {
      const { whole } = reach(layer, text, from, at);
      if (whole !== undefined)
        yield widened(layer.text, [begin, whole], { ...sought, before: false });
    }
}

/** Where in the secret the text from `from` on can go on, so that enough of it is left. */
function* innerStarts(
  { text, spelled }: FoldedText,
  from: number,
  sought: string,
): Generator<number> {
  const readings = [text.charAt(from), ...(spelled.get(from) ?? []).map(one => one.text)];
  const last = sought.length - TELLING_END;
  for (const read of new Set(readings))
    for (let at = sought.indexOf(read, 1); at >= 0 && at <= last; at = sought.indexOf(read, at + 1))
      yield at;
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
  /** Where the secret ends, if all of it is there. */
  readonly whole?: number;
  /** The cut up to which the text is the secret. */
  readonly cut?: number;
}

/** How far the text from `from` on is the secret from its character `first` on. */
function reach(layer: FoldedText, sought: string, from: number, first: number): Reached {
  const { text, spelled } = layer;
  const open: (readonly [at: number, next: number])[] = [[from, first]];
  let tried: Set<number> | undefined;
  let cut: number | undefined;
  let furthest = 0;
  for (let state = open.pop(); state; state = open.pop()) {
    let [at, next] = state;
    for (;;) {
      if (next === sought.length) return { whole: at };
      if (next - first >= TELLING && next > furthest) {
        const end = cutAt(text, at);
        if (end !== undefined) {
          cut = end;
          furthest = next;
        }
      }
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
  return cut === undefined ? {} : { cut };
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

/** Where a text or line begins, or goes on after what was left out. */
const AFTER_CUT = /(?<=^|\n|…|\.\.|\*\*)(?!\n)/g;

/** The rest of a spelling: of one character, or of some of its bytes. */
const REST =
  /^(?:#?x?[a-z\d]{0,8};|u?\{?[\da-f]{0,6}\}?|x[\da-f]{0,2}|[\x80-\xff])?(?:(?:%|\\x)[\da-f]{2}|\\[0-3][0-7]{2}|\\u[\da-f]{4}|[\x80-\xff]){0,3}$/;

/** The longest of them. */
const LONGEST_REST = 15;

/** The positions after a cut, each with itself and with those after what may be the rest of a spelling. */
export const afterCutsIn = ({ text }: FoldedText): readonly Part[] =>
  [...text.matchAll(AFTER_CUT)].flatMap(({ index }) => {
    const rests = Array.from({ length: LONGEST_REST + 1 }, (_, i) => index + i);
    return rests
      .filter(end => end < text.length && REST.test(text.slice(index, end)))
      .map((end): Part => [index, end]);
  });

const HALF = /[\w+/-]/;

/** With the characters beside it that have a part of the secret too. */
function widened(text: string, [from, to]: Part, { before, after }: Sought): Part {
  const start = before && from > 0 && HALF.test(text.charAt(from - 1)) ? from - 1 : from;
  const end = after && HALF.test(text.charAt(to)) ? to + 1 : to;
  return [start, end];
}
