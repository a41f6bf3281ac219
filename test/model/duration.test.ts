// Durations as people write them.
import { expect, test } from 'vitest';
import { spanOf } from '../../src/model/text/duration.ts';

test.each([
  ['90s', 90_000],
  ['36525d', 36_525 * 86_400_000],
  ['0m', 0],
])('%s', (text, expected) => {
  expect(spanOf(text)).toBe(expected);
});

// Times that far away have years of more than four digits, which no server reads and no text compares with others.
test.each(['36526d', '999999w', '99999999999d', '1.5h', '-1d', '1y', ''])(
  '%j is not a duration',
  text => {
    expect(spanOf(text)).toBeNull();
  },
);
