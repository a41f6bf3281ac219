// The ways in which a server, a proxy or a program may write a secret that it repeats. docs/security.md lists them.
import { namedCharacter } from '../text/htmlEntities.ts';

/** The text that a part of a text represents, and the end of that part. */
export interface TextReading {
  readonly text: string;
  readonly end: number;
}

/**
 * Returns the text that the part beginning at `at` represents; undefined if it is not written in
 * this spelling.
 */
type Spelling = (text: string, at: number) => TextReading | undefined;

/** The spellings of single characters. A text may use a spelling for some characters only. */
export const SPELLINGS: Readonly<Record<string, Spelling>> = {
  'percent-encoded': bytes(/%([\da-f]{2})/iy, 16),
  'as a form': spelled(/\+/y, () => ' '),
  'as named entities of HTML': spelled(/&([a-z]+\d*);/iy, namedCharacter),
  'as decimal entities of HTML': spelled(/&#(\d{1,8});/y, digits => character(digits, 10)),
  'as hexadecimal entities of HTML': spelled(/&#x([\da-f]{1,8});/iy, digits =>
    character(digits, 16),
  ),
  'escaped as in JSON': spelled(/(?:\\|%)u([\da-f]{4})/iy, digits => character(digits, 16)),
  'escaped as in JavaScript': spelled(/\\u\{([\da-f]{1,8})\}/iy, digits => character(digits, 16)),
  'escaped in bytes': bytes(/\\x([\da-f]{2})/iy, 16),
  'escaped in octal bytes': bytes(/\\([0-3][0-7]{2})/y, 8),
  'with letters for control characters': spelled(/\\([bfnrtv])/iy, letter =>
    CONTROLS.get(letter.toLowerCase()),
  ),
  'with backslashes': spelled(/\\([^\p{L}\p{N}\s])/uy, sign => sign),
};

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** The characters with which one of the spellings can begin. */
export const BEGINNINGS = /[%&+\\]/g;

/** A secret that was encoded as a whole: its text, and whether a partial character precedes or follows it. */
export interface Whole {
  readonly text: string;
  readonly before: boolean;
  readonly after: boolean;
}

/** The encodings of a secret as a whole. */
export const WHOLES: Readonly<Record<string, (secret: string) => readonly Whole[]>> = {
  reversed: secret => [whole([...secret].reverse().join(''))],
  'in hexadecimal digits': secret => [
    whole([...bytesOf(secret)].map(byte => byte.toString(16).padStart(2, '0')).join('')),
  ],
  'as base64': base64,
  'as base64url': secret =>
    base64(secret).map(({ text, ...cut }) => ({
      ...cut,
      text: text.replaceAll('+', '-').replaceAll('/', '_'),
    })),
};

const whole = (text: string): Whole => ({ text, before: false, after: false });

// The base64 forms of a secret inside a longer text. The characters at its edges depend on the neighbouring bytes, so they are
// left out.
function base64(secret: string): readonly Whole[] {
  const bytes = bytesOf(secret);
  return [0, 1, 2].map(before => {
    const text = btoa(
      '\0'.repeat(before) + [...bytes].map(byte => String.fromCharCode(byte)).join(''),
    );
    const spare = (before + bytes.length) % 3;
    const end = spare === 0 ? undefined : spare === 1 ? -3 : -2;
    return {
      text: text.slice(Math.ceil((before * 4) / 3), end),
      before: before > 0,
      after: spare > 0,
    };
  });
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The largest code point. */
const LAST = 0x10_ff_ff;

function character(digits: string, radix: number): string | undefined {
  const code = Number.parseInt(digits, radix);
  return code > LAST ? undefined : String.fromCodePoint(code);
}

function spelled(pattern: RegExp, read: (matched: string) => string | undefined): Spelling {
  return (text, at) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    const meant = found && read(found[1] ?? '');
    return found && meant !== undefined && meant !== null
      ? { text: meant, end: at + found[0].length }
      : undefined;
  };
}

// A spelling that writes the UTF-8 bytes of one character. A byte that belongs to no UTF-8 character is read as a character of
// Latin-1.
function bytes(unit: RegExp, radix: number): Spelling {
  const byteAt = (text: string, at: number): { value: number; end: number } | undefined => {
    unit.lastIndex = at;
    const found = unit.exec(text);
    if (!found) return undefined;
    return { value: Number.parseInt(found[1] ?? '', radix), end: at + found[0].length };
  };
  return (text, at) => {
    const first = byteAt(text, at);
    if (!first) return undefined;
    const values = [first.value];
    let { end } = first;
    while (values.length < lengthOf(first.value)) {
      const next = byteAt(text, end);
      if (!next) break;
      values.push(next.value);
      end = next.end;
    }
    const read = values.length === lengthOf(first.value) ? decoded(values) : undefined;
    if (read !== undefined) return { text: read, end };
    return { text: String.fromCharCode(first.value), end: first.end };
  };
}

/** The number of bytes of a character in UTF-8, by its first byte. */
function lengthOf(first: number): number {
  if (first < 0xc0) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

function decoded(values: readonly number[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      new Uint8Array(values),
    );
  } catch {
    return undefined;
  }
}
