// The input of digests: unequal values have unequal texts.
import { expect, test } from 'vitest';
import { stableText } from '../../src/model/text/stableText.ts';

test('does not depend on the order of keys', () => {
  expect(stableText({ b: [1, 'x'], a: null })).toBe('{"a":null,"b":[1,"x"]}');
});

test('tells a number that is too large for JSON from null', () => {
  const [large, nothing] = [JSON.parse('{ "a": 1e999 }'), JSON.parse('{ "a": null }')];
  expect(stableText(large)).not.toBe(stableText(nothing));
});

test('tells halves of characters apart', () => {
  const [one, other] = [JSON.parse('"\\ud800"'), JSON.parse('"\\ud801"')];
  expect(stableText(one)).not.toBe(stableText(other));
});
