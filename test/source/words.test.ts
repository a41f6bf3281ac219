// Values in sentences: short, and in YAML just as they would have to be written.
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { inYaml } from '../../src/model/text/yamlText.ts';
import { enumerated, kindOf, named, quotedBriefly } from '../../src/source/sentenceWords.ts';
import { fc } from '../support/seeded.ts';

describe('a text in YAML notation', () => {
  const awkward = fc
    .array(
      fc.constantFrom(
        'a',
        'no',
        '1',
        '.',
        ':',
        ' ',
        '#',
        '-',
        '*',
        '&',
        '[',
        '"',
        "'",
        '\n',
        '\\',
        '~',
        'e5',
        '0x',
        ',',
        '%',
        '@',
        '`',
        '|',
        '>',
        '?',
        '!',
        '{',
        '<',
        '=',
      ),
      { maxLength: 6 },
    )
    .map(parts => parts.join(''));

  test('reads back as that text, in lists as well', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), awkward), text => {
        expect(parse(`[${inYaml(text)}, x]`)).toEqual([text, 'x']);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['engineers', 'engineers'],
    ['two words', 'two words'],
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['1.10', '"1.10"'],
    ['5432', '"5432"'],
    ['true', '"true"'],
    ['*.example.com', '"*.example.com"'],
    ['a: b', '"a: b"'],
    ['', '""'],
  ])('%j is %s', (text, written) => {
    expect(inYaml(text)).toBe(written);
  });
});

test.each([
  ['engineers', '`engineers`'],
  ['two  words', '`two  words`'],
  ['a\nb\u001b[2Jc\u2028d', '`a\\nb\\u001b[2Jc\\u2028d`'],
  ['x'.repeat(60), `\`${'x'.repeat(60)}\``],
  ['x'.repeat(80), `\`${'x'.repeat(57)}…\``],
  ['😀'.repeat(80), `\`${'😀'.repeat(57)}…\``],
])('%j is quoted as %s', (text, shown) => {
  expect(quotedBriefly(text)).toBe(shown);
});

test.each([
  ['secret', 'text'],
  [5, 'a number'],
  [true, 'a boolean'],
  [null, 'nothing'],
  [['secret'], 'a list'],
  [{ secret: 1 }, 'a mapping'],
])('%j is %s, and not shown', (value, words) => {
  expect(kindOf(value)).toBe(words);
});

test.each([
  [[], 'this'],
  [['ports'], '`ports`'],
  [['rules', '0', 'ports', '3'], 'member 4 of `ports`'],
  [['0'], 'member 1'],
])('%j is named %s', (path, name) => {
  expect(named(path)).toBe(name);
});

test('names are listed as a person would list them', () => {
  expect(enumerated(['a'], 'or')).toBe('`a`');
  expect(enumerated(['a', 'b'], 'or')).toBe('`a` or `b`');
  expect(enumerated(['a', 'b', 'c'], 'and')).toBe('`a`, `b` and `c`');
});
