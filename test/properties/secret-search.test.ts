// One reading of a text finds what a search from each of its positions finds, in an amount of work that grows with the text.
import { expect, test } from 'vitest';
import { layersOf } from '../../src/model/secrets/foldedText.ts';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';
import { afterCutsIn, partsIn, soughtOf } from '../../src/model/secrets/soughtSecret.ts';
import { redactedPlaceByPlace } from '../support/secrets/placeByPlace.ts';
import { fc } from '../support/seeded.ts';

function redacted(secret: string, text: string): string {
  const known = new KnownSecrets();
  known.add(secret);
  return known.redact(text);
}

/** Few characters, so that texts repeat themselves, with spellings of them, blanks and cuts. */
const drawn = (pieces: readonly string[], least: number, most: number) =>
  fc
    .array(fc.constantFrom(...pieces), { minLength: least, maxLength: most })
    .map(one => one.join(''));

const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  'two letters': ['a', 'b'],
  'letters and spellings': ['a', 'b', '%61', '&#98;', '%25', '\\u0061'],
  'letters and blanks': ['a', 'b', 'a', ' ', '\n', '%0A', '+'],
  'letters and cuts': ['a', 'b', 'a', 'a', '..', '\n', '%', '%61', '\\'],
  backslashes: ['\\', '\\\\', 'a', '"'],
};

test.each(Object.entries(ALPHABETS))('the same secrets are found in texts of %s', (_, pieces) => {
  fc.assert(
    fc.property(
      drawn(pieces, 4, 14),
      drawn(pieces, 0, 40),
      fc.array(fc.tuple(fc.nat(14), fc.nat(14), drawn(pieces, 0, 2)), { maxLength: 3 }),
      (secret, text, parts) => {
        const all =
          text + parts.map(([from, to, between]) => secret.slice(from, to) + between).join('');
        for (const one of [text, all])
          expect(redacted(secret, one)).toBe(redactedPlaceByPlace(secret, one));
      },
    ),
  );
});

/** The steps of a search for all forms of a secret. */
function stepsFor(secret: string, text: string): number {
  let steps = 0;
  const forms = soughtOf(secret, () => {
    steps++;
  });
  for (const layer of layersOf(text))
    for (const form of forms) partsIn(layer, form, afterCutsIn(layer));
  return steps;
}

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const lines = (text: string): string => text.replaceAll(/.{8}/g, '$&\n');

const fibonacci = (length: number, last = 'b', next = 'a'): string =>
  next.length < length ? fibonacci(length, next, next + last) : next.slice(0, length);

/** Secrets that repeat themselves and texts that nearly have them in them, by a length. */
const REPEATED: Readonly<Record<string, (length: number) => [secret: string, text: string]>> = {
  'one letter': length => [repeated('a', length), repeated('a', 10 * length)],
  'one letter and a last one': length => [`${repeated('a', length)}b`, repeated('a', 10 * length)],
  'one letter, with others between': length => [
    repeated('a', length),
    repeated(`${repeated('a', length - 1)}b`, 10 * length),
  ],
  'two letters': length => [repeated('ab', length), repeated('ab', 10 * length)],
  'no letter': length => [`${repeated('a b ', length)}c`, repeated('a b ', 10 * length)],
  lines: length => [repeated('a', length), lines(repeated('a', 10 * length))],
  'lines and blanks': length => [
    `${repeated('ab a ', length)}c`,
    lines(repeated('ab a ', 10 * length)),
  ],
  'empty lines': length => [
    `${repeated('a ', length)}c`,
    `${'\n'.repeat(5 * length)}${repeated('a ', length)}c`,
  ],
  'encoded letters': length => [repeated('a', length), repeated('%61', 10 * length)],
  'encoded and other letters': length => [
    `${repeated('a', length)}b`,
    repeated('a%61', 10 * length),
  ],
  'what looks encoded': length => [repeated('%61a', length), repeated('%61%2561', 10 * length)],
  backslashes: length => [`${repeated('\\', length)}b`, repeated('\\', 10 * length)],
  cuts: length => [repeated('a..', length), repeated('a..', 10 * length)],
  'a word of Fibonacci': length => [fibonacci(length), fibonacci(10 * length)],
};

test.each(Object.entries(REPEATED))(
  'a text of twice the length takes twice as long: %s',
  (_, make) => {
    expect(stepsFor(...make(792))).toBeLessThan(2.5 * stepsFor(...make(396)));
  },
);
