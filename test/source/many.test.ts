// Files of any length: more objects than a call may have arguments, and more faults.
import { expect, test } from 'vitest';
import { addAll, largest } from '../../src/model/text/many.ts';
import { load } from '../support/files.ts';

const MANY = 130_000;
const groups = (member: (i: number) => string): string =>
  `groups:\n${Array.from({ length: MANY }, (_, i) => `- ${member(i)}\n`).join('')}`;

test('of a long file all objects are declared and all faults are found', () => {
  const { desired, diagnostics } = load(groups(i => `{ name: g${i}, nam: x }`));
  expect(desired).toHaveLength(MANY);
  expect(diagnostics.filter(({ code }) => code === 'SCHEMA_UNKNOWN_FIELD')).toHaveLength(MANY);
});

test('lists may have more members than a call may have arguments', () => {
  const numbers = Array.from({ length: 1_200_000 }, (_, i) => i);
  const list: number[] = [];
  addAll(list, numbers);
  expect(list).toEqual(numbers);
  expect([largest(0, numbers), largest(2_000_000, numbers), largest(7, [])]).toEqual([
    1_199_999, 2_000_000, 7,
  ]);
});
