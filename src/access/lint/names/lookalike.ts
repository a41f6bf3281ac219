// Whether two names look the same to a person. Covers letters of other scripts that look like Latin
// letters, and digits that look like letters. Does not cover the whole Unicode table of confusable
// characters.
import { BLANK } from '../../../model/text/visible.ts';

// For each Latin letter, the characters that look like it.
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  A: 'АΑ',
  B: 'ВΒ',
  C: 'СϹ',
  E: 'ЕΕ',
  H: 'НΗ',
  J: 'ЈͿ',
  K: 'КΚ',
  M: 'МΜ',
  N: 'Ν',
  O: '0ОΟՕ',
  P: 'РΡ',
  S: 'ЅՏ',
  T: 'ТΤ',
  X: 'ХΧ',
  Y: 'ҮΥ',
  Z: 'Ζ',
  a: 'аɑα',
  c: 'сϲ',
  d: 'ԁ',
  e: 'е',
  g: 'ɡ',
  h: 'һհ',
  i: 'іıι',
  j: 'јϳ',
  k: 'кκ',
  l: '1IІΙӀ|',
  n: 'ո',
  o: 'оοօσ',
  p: 'рρ',
  q: 'ԛ',
  s: 'ѕ',
  u: 'սυ',
  v: 'νѵ',
  w: 'ԝ',
  x: 'хχ',
  y: 'уγү',
};

const LATIN = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([letter, others]) =>
    [...others].map(other => [other, letter] as const),
  ),
);

const INVISIBLE = new RegExp(
  String.raw`[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}${BLANK}]`,
  'gv',
);
const BETWEEN_WORDS = /[\s\p{Pd}\u2212_]+/gv;

const seen = (text: string): string => text.replaceAll(INVISIBLE, '').normalize('NFKC');
const cased = (text: string): string => seen(text).toLowerCase();
const spaced = (text: string): string => cased(text).replaceAll(BETWEEN_WORDS, ' ').trim();
const plain = (text: string): string =>
  spaced(text)
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');
const drawn = (text: string): string =>
  plain([...seen(text)].map(character => LATIN.get(character) ?? character).join(''));

/** Two names look alike if they share one of these forms. */
export function appearancesOf(name: string): readonly string[] {
  return [...new Set([plain(name), drawn(name)])];
}

const DIFFERENCES: readonly (readonly [form: (text: string) => string, difference: string])[] = [
  [seen, 'invisible characters'],
  [cased, 'upper and lower case'],
  [spaced, 'spaces, hyphens and underscores'],
  [plain, 'accents'],
];

/** The difference between two similar names, as the end of `they differ only in …`. */
export function differenceOf(name: string, other: string): string {
  const found = DIFFERENCES.find(([form]) => form(name) === form(other));
  if (found) return found[1];
  const strange = [...name].filter(character => LATIN.has(character) && !other.includes(character));
  const points = [...new Set(strange)].map(codePoint).join(', ');
  return points === '' ? 'characters that look alike' : `characters that look alike (${points})`;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
