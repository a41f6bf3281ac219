// The input of digests: unequal values have unequal texts.
import { expect, test } from 'vitest';
import { stableText } from '../../src/model/text/stableText.ts';

test('the stable text does not depend on the order of keys', () => {
  expect(stableText({ b: [1, 'x'], a: null })).toBe('{"a":null,"b":[1,"x"]}');
});

test('the stable text distinguishes a number that is too large for JSON from null', () => {
  const large = JSON.parse('{ "a": 1e999 }');
  expect(stableText(large)).not.toBe(stableText({ a: null }));
});

test('the stable text distinguishes halves of surrogate pairs', () => {
  expect(stableText('\ud800')).not.toBe(stableText('\ud801'));
});
