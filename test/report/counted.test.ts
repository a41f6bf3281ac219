// Sentences with counts: the verb agrees with what is counted.
import { expect, test } from 'vitest';
import { countedOf } from '../../src/report/text/summary.ts';

test.each([
  [0, 1, '0 of 1 action is done'],
  [1, 1, '1 of 1 action is done'],
  [0, 3, '0 of 3 actions are done'],
  [1, 3, '1 of 3 actions is done'],
  [2, 3, '2 of 3 actions are done'],
])('%i of %i: %s', (part, whole, expected) => {
  expect(`${countedOf(part, whole, 'action', ['is', 'are'])} done`).toBe(expected);
});
