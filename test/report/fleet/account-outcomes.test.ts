// The exit code of a command that runs for every account of a fleet.
import { expect, test } from 'vitest';
import { codeOfAll } from '../../../src/report/fleet/accountOutcomes.ts';

const codeOf = (...codes: readonly number[]): number => codeOfAll(codes.map(code => ({ code })));

test('accounts that end with different codes give the one that comes first in a fixed order', () => {
  expect(codeOf()).toBe(0);
  expect(codeOf(0, 3, 0, 3)).toBe(3);
  expect(codeOf(3, 6)).toBe(6);
  expect(codeOf(6, 3, 1, 0)).toBe(6);
  expect(codeOf(1, 3)).toBe(3);
  expect(codeOf(2, 1)).toBe(1);
  expect(codeOf(6, 130)).toBe(130);
  expect(codeOf(143, 6, 130)).toBe(143);
  expect(codeOf(4, 5, 3)).toBe(5);
  expect(codeOf(69, 1)).toBe(69);
  // A code that is not in the list is an unexpected error.
  expect(codeOf(0, 77)).toBe(77);
  expect(codeOf(77, 3)).toBe(3);
});
