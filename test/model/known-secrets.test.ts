// Texts that others wrote, without the secrets that may have got into them.
import { expect, test } from 'vitest';
import { KnownSecrets } from '../../src/model/secrets/knownSecrets.ts';

const known = new KnownSecrets();
for (const secret of ['Hush-Hush (1+1)', 'hush', 'two\nlines "quoted"', '', 'ключ/ä ö'])
  known.add(secret);

test.each([
  ['invalid header: Hush-Hush (1+1), sorry', 'invalid header: (secret), sorry'],
  ['invalid header: hush-hush (1+1)', 'invalid header: (secret)'],
  ['HUSH and hushed', '(secret) and (secret)ed'],
  ['as it came: two\nlines "quoted"', 'as it came: (secret)'],
  [String.raw`in quotes: "two\nlines \"quoted\""`, 'in quotes: "(secret)"'],
  ['on one line: two lines "quoted"', 'on one line: (secret)'],
  [`GET /x?key=${encodeURIComponent('ключ/ä ö')}`, 'GET /x?key=(secret)'],
  ['cut off: two lines', 'cut off: (secret)'],
  ['ends in a word that two', 'ends in a word that two'],
  ['nothing', 'nothing'],
  ['', ''],
])('%j becomes %j', (text, expected) => {
  expect(known.redact(text)).toBe(expected);
});

test('nothing is redacted without secrets', () => {
  const none = new KnownSecrets();
  none.add('');
  expect(none.redact('a string')).toBe('a string');
});

test.each([
  ['`nbp_Hh7Zk20rQwX` is not a web address', '`(secret)` is not a web address'],
  ['https://api.example.com/nbx_Hh7Zk20rQwX/', 'https://api.example.com/(secret)/'],
  ['the network nbp_7', 'the network nbp_7'],
])('a token of the API is redacted although nobody named it as a secret: %j', (text, expected) => {
  expect(new KnownSecrets().redact(text)).toBe(expected);
});

test('half of a surrogate pair causes no error', () => {
  const odd = new KnownSecrets();
  odd.add('\ud800xyz');
  expect(odd.redact('a \ud800xyz b')).toBe('a (secret) b');
});

test('a value that is too short to be a secret does not redact parts of words', () => {
  const short = new KnownSecrets();
  for (const text of ['', 'b', 'abc', ' '.repeat(20)]) short.add(text);
  expect(short.redact('stopped by an error: abc')).toBe('stopped by an error: abc');
});

test('a secret of any length is redacted', () => {
  const long = new KnownSecrets();
  const secret = Array.from({ length: 12_000 }, (_, i) => (i * 7919).toString(36)).join('+');
  long.add(secret);
  expect(long.redact(`it: ${secret}, sorry`)).toBe('it: (secret), sorry');
});

test('a long text is redacted in pieces, and so is a secret between two of them', () => {
  const found = new KnownSecrets();
  found.add('correct-horse-battery-staple');
  for (const filler of ['x', 'a line\n'])
    for (const before of [2 ** 18 - 100, 2 ** 18 - 14, 2 ** 18 + 5]) {
      const start = filler.repeat(2 ** 18).slice(0, before);
      const text = `${start}correct-horse-battery-staple${filler.repeat(2 ** 16)}`;
      expect(found.redact(text).replace('(secret)(secret)', '(secret)')).toBe(
        text.replace('correct-horse-battery-staple', '(secret)'),
      );
    }
});
