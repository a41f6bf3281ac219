// A text in lower case, for the search for secrets, with the positions of its characters in the original text.
import { BEGINNINGS, SPELLINGS, type TextReading } from './spellings.ts';

/** The text, character by character. */
export interface FoldedText {
  readonly text: string;
  /** The positions of the characters in the original text. Absent if they are the same. */
  readonly places?: Places;
  /** By position, the other spellings of characters that begin there. */
  readonly spelled: ReadonlyMap<number, readonly TextReading[]>;
  /** The positions of `spelled` by the first character that can be read there. */
  readonly spelledBy: ReadonlyMap<string, readonly number[]>;
}

interface Places {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** The maximum number of decoded layers. Three layers are, for example, a message in a JSON text in a form; more hardly occur. */
const MOST_LAYERS = 3;

/** The text itself, and the texts that result from decoding it repeatedly. */
export function layersOf(text: string): readonly FoldedText[] {
  const layers = [folded(text)];
  for (let last = layers[0]; last && layers.length <= MOST_LAYERS; last = layers.at(-1)) {
    const next = decodedOnce(last);
    if (!next) break;
    layers.push(next);
  }
  return layers;
}

/** Where the characters from `from` to `to` are in the original text. */
export function placeIn(
  { places }: FoldedText,
  [from, to]: readonly [from: number, to: number],
): [from: number, to: number] {
  return places ? [places.starts[from] ?? 0, places.ends[to - 1] ?? 0] : [from, to];
}

const ASCII = /^[\0-\x7f]*$/;

function folded(text: string): FoldedText {
  if (ASCII.test(text)) {
    const own = blanks(text.toLowerCase());
    return { text: own, ...spelledIn(own) };
  }
  const made = builder();
  let at = 0;
  for (const letter of text) {
    made.add(foldedLetter(letter), at, at + letter.length);
    at += letter.length;
  }
  return made.done();
}

/** A text in lower case, in which all blanks are equal, and all line endings are equal. */
export const foldedCase = (text: string): string =>
  ASCII.test(text) ? blanks(text.toLowerCase()) : [...text].map(foldedLetter).join('');

// A letter in lower case. Letters are converted one by one, because the case of some depends on their neighbours. A sharp s
// becomes two letters in upper case.
const foldedLetter = (letter: string): string =>
  blanks([...letter.toUpperCase()].map(one => one.toLowerCase()).join(''));

const blanks = (text: string): string =>
  text.replaceAll(/[\r\u2028\u2029]/g, '\n').replaceAll(/[^\S\n]/g, ' ');

function spelledIn(text: string): Pick<FoldedText, 'spelled' | 'spelledBy'> {
  const spelled = new Map<number, readonly TextReading[]>();
  const spelledBy = new Map<string, number[]>();
  for (const { index } of text.matchAll(BEGINNINGS)) {
    const readings = Object.values(SPELLINGS).flatMap(read => {
      const reading = read(text, index);
      return reading ? [{ text: foldedCase(reading.text), end: reading.end }] : [];
    });
    if (readings.length > 0) spelled.set(index, readings);
    for (const first of new Set(readings.map(one => one.text.charAt(0)))) {
      const positions = spelledBy.get(first);
      if (positions) positions.push(index);
      else spelledBy.set(first, [index]);
    }
  }
  return { spelled, spelledBy };
}

// The text, decoded once; undefined if there is nothing to decode. A plus sign is not decoded: it may be literal, and the search
// treats it as a blank in any case.
function decodedOnce(layer: FoldedText): FoldedText | undefined {
  const { text, spelled } = layer;
  const made = builder();
  let isSame = true;
  for (let at = 0; at < text.length; ) {
    const [reading] = text[at] === '+' ? [] : (spelled.get(at) ?? []);
    const end = reading?.end ?? at + 1;
    if (reading) isSame = false;
    made.add(reading?.text ?? text.charAt(at), ...placeIn(layer, [at, end]));
    at = end;
  }
  return isSame ? undefined : made.done();
}

/** Builds a folded text from characters and their original positions. */
function builder() {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    add(part: string, start: number, end: number): void {
      parts.push(part);
      for (let i = 0; i < part.length; i++) {
        starts.push(start);
        ends.push(end);
      }
    },
    done(): FoldedText {
      const text = parts.join('');
      return { text, places: { starts, ends }, ...spelledIn(text) };
    },
  };
}
