// Whatever a server makes of a secret that it repeats, nothing of it is left in what is shown: for each declared spelling.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layersOf } from '../../src/model/secrets/foldedText.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import { SPELLINGS, WHOLES } from '../../src/model/secrets/spellings.ts';
import { fc } from '../support/seeded.ts';

const digits = (text: string, radix: number, length = 0): string[] =>
  Array.from(text, letter => (letter.codePointAt(0) ?? 0).toString(radix).padStart(length, '0'));
const bytes = (text: string): number[] => [...Buffer.from(text)];
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
const units = (text: string): string[] =>
  Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i)).padStart(4, '0'));

const NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
  '/': 'sol',
  '+': 'plus',
  '=': 'equals',
  '%': 'percnt',
  '\\': 'bsol',
  ä: 'auml',
  É: 'Eacute',
  ß: 'szlig',
};

/** How each character of a text is written in a spelling; null if this spelling does not change it. */
const LETTERS: Readonly<Record<string, (letter: string) => string | null>> = {
  'percent-encoded': letter =>
    bytes(letter)
      .map(byte => `%${hex(byte)}`)
      .join(''),
  'as a form': letter => (letter === ' ' ? '+' : encodeURIComponent(letter)),
  'as named entities of HTML': letter => (NAMES[letter] ? `&${NAMES[letter]};` : null),
  'as decimal entities of HTML': letter => `&#${digits(letter, 10).join('')};`,
  'as hexadecimal entities of HTML': letter => `&#x${digits(letter, 16).join('')};`,
  'escaped as in JSON': letter =>
    units(letter)
      .map(unit => `\\u${unit}`)
      .join(''),
  'escaped as in JavaScript': letter => `\\u{${digits(letter, 16).join('')}}`,
  'escaped in bytes': letter =>
    bytes(letter)
      .map(byte => `\\x${hex(byte)}`)
      .join(''),
  'escaped in octal bytes': letter =>
    bytes(letter)
      .map(byte => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'with letters for control characters': letter =>
    ({ '\n': '\\n', '\t': '\\t' })[letter] ?? (letter === '\\' ? '\\\\' : null),
  'with backslashes': letter => (/[^\w\s]/.test(letter) && letter < '\x7f' ? `\\${letter}` : null),
};

const written = (text: string, write: (letter: string) => string | null): string =>
  [...text].map(letter => write(letter) ?? letter).join('');

const WRITTEN: Readonly<Record<string, (text: string) => string>> = {
  reversed: text => [...text].reverse().join(''),
  'in hexadecimal digits': text => Buffer.from(text).toString('hex'),
  'as base64': text => Buffer.from(text).toString('base64'),
  'as base64url': text => Buffer.from(text).toString('base64url'),
};

const swapped = (text: string): string =>
  [...text]
    .map(letter => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('');

const CASES: readonly ((text: string) => string)[] = [
  text => text,
  text => text.toLowerCase(),
  text => text.toUpperCase(),
  swapped,
];

/** Of every kind of character that is written differently somewhere, with what looks like a spelling already. */
const PIECES = [
  ...'aZ09kQ7mX_-.~:/+= \t\n"\'\\%&#?<>;{}$`äÉß€Σş😀',
  '%41',
  '&lt;',
  '&amp;lt;',
  '\\u0041',
  '\\n',
  '%2525',
];
const secrets = fc
  .array(fc.constantFrom(...PIECES), { minLength: 8, maxLength: 24 })
  .map(pieces => `q${pieces.join('')}7`)
  .filter(text => text.replaceAll(/\s+/g, '').length >= 10);

/** What is beside it, also what could be the start of a spelling. */
const around = fc.constantFrom(
  '',
  ' ',
  'x',
  '4',
  '%',
  '%4',
  '\\',
  '&',
  '&#',
  '+',
  'ü',
  '"',
  ': ',
  '/',
  '\n',
  '%25',
);

/** Those in which nothing looks like a spelling. */
const plainSecrets = secrets.filter(text => layersOf(text).length === 1);

const REDACTED = '(secret)';

function redacted(secret: string, text: string): string {
  const known = new KnownSecrets();
  known.add(secret);
  return known.redact(text);
}

/** Demands one mark in the place of a text. A character beside it may belong to what was read. */
function isNothingLeft(
  [head, secret, tail]: readonly [string, string, string],
  shown: string,
): void {
  const [before = '', after = 'no mark', ...more] = shown.split(REDACTED);
  const isLeft = more.length > 0 || !head.startsWith(before) || !tail.endsWith(after);
  expect(isLeft, `${head}${secret}${tail} became ${shown}`).toBe(false);
}

/** Each letter as it is or in this spelling: programs do not agree which ones have to be. */
const partly = (write: (letter: string) => string | null, mask: readonly boolean[]) => {
  let i = 0;
  return (letter: string): string | null =>
    mask.length === 0 ||
    (mask[i++ % mask.length] ?? true) ||
    letter === '\\' ||
    letter === '%' ||
    letter === '&'
      ? write(letter)
      : null;
};

test('each spelling is drawn in these tests, and documented', () => {
  const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const unnamed = [...Object.keys(SPELLINGS), ...Object.keys(WHOLES)].filter(
    name => !page.replaceAll(/\s+/g, ' ').includes(name),
  );
  expect(unnamed).toEqual([]);
  expect(Object.keys(LETTERS)).toEqual(Object.keys(SPELLINGS));
  expect(Object.keys(WRITTEN)).toEqual(Object.keys(WHOLES));
});

test.each(Object.entries(LETTERS))('a secret is redacted where it is written %s', (_, write) => {
  fc.assert(
    fc.property(
      secrets,
      around,
      around,
      fc.array(fc.boolean(), { maxLength: 5 }),
      (secret, head, tail, mask) => {
        for (const inCase of CASES) {
          const middle = written(inCase(secret), partly(write, mask));
          isNothingLeft([head, middle, tail], redacted(secret, `${head}${middle}${tail}`));
        }
      },
    ),
  );
});

test.each(Object.entries(LETTERS))(
  'no secret is left that was first written %s and then in another way',
  (_, write) => {
    fc.assert(
      fc.property(plainSecrets, fc.constantFrom(...Object.values(LETTERS)), (secret, then) => {
        const text = `it: ${written(written(secret, write), then)}, sorry`;
        expect(redacted(secret, text), text).toBe(`it: ${REDACTED}, sorry`);
      }),
    );
  },
);

test.each(Object.entries(WRITTEN))(
  'no secret is left %s, by itself or as a part',
  (name, write) => {
    const isAligned = name.startsWith('as base64');
    fc.assert(
      fc.property(
        secrets,
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (secret, head, tail) => {
          for (const own of [
            secret,
            JSON.stringify(secret).slice(1, -1),
            encodeURIComponent(secret),
          ])
            for (const inCase of name === 'reversed' ? CASES : CASES.slice(0, 1)) {
              if (!isAligned) {
                expect(redacted(secret, `(${write(inCase(own))})`)).toBe(`(${REDACTED})`);
                continue;
              }
              for (const otherCase of CASES) {
                const text = otherCase(write(`${head}${own}${tail}`));
                const bits = write(head).replaceAll('=', '').length;
                const ending = write(tail).length + 2;
                const left = redacted(secret, text);
                expect(left).toContain(REDACTED);
                expect(left.indexOf(REDACTED), left).toBeLessThanOrEqual(bits);
                expect(left.length - left.indexOf(REDACTED) - REDACTED.length).toBeLessThanOrEqual(
                  ending,
                );
              }
            }
        },
      ),
    );
  },
);

test.each(Object.entries({ ...LETTERS, 'as it is': (_: string) => null }))(
  'no beginning and no end of a secret remains where a text was cut: %s',
  (_, write) => {
    const plain = secrets.filter(text => text.replaceAll(/\s+/g, ' ').length >= 20);
    fc.assert(
      fc.property(
        plain,
        fc.nat(200),
        fc.constantFrom('', '…', '...', '\n', '***'),
        (secret, drawn, mark) => {
          const whole = written(secret.replaceAll(/\s+/g, ' '), write);
          const lengths = [...secret.replaceAll(/\s+/g, ' ')].map(
            letter => (write(letter) ?? letter).length,
          );
          const least = lengths.slice(0, 9).reduce((sum, one) => sum + one, 0);
          const last = lengths.slice(-9).reduce((sum, one) => sum + one, 0);
          const kept = whole.slice(0, least + (drawn % (whole.length - least)));
          isNothingLeft(['it: ', kept, mark], redacted(secret, `it: ${kept}${mark}`));
          const rest = whole.slice(-last - (drawn % (whole.length - last)));
          isNothingLeft([mark, rest, ', it was'], redacted(secret, `${mark}${rest}, it was`));
        },
      ),
    );
  },
);

test('no secret remains that is broken over lines', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.nat(30),
      fc.constantFrom('\n', '\r\n', '\n    ', '\\n', '%0A'),
      (secret, at, end) => {
        const width = 1 + (at % (secret.length - 1));
        const text = `it: ${secret.slice(0, width)}${end}${secret.slice(width)}, sorry`;
        expect(redacted(secret, text)).toBe(`it: ${REDACTED}, sorry`);
      },
    ),
  );
});

test('texts without a secret stay as they are', () => {
  fc.assert(
    fc.property(secrets, fc.string(), (secret, text) => {
      fc.pre(!secret.toLowerCase().includes(text.slice(-6).toLowerCase()) && text.length > 8);
      expect(redacted(secret, text)).toBe(text);
    }),
  );
});
