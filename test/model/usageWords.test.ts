// The numbers of observed traffic are said in the singular and in the plural.
import { expect, test } from 'vitest';
import { daysOfText, flowsOfText, inTheseDays } from '../../src/model/usageWords.ts';

test.each([
  [inTheseDays(1), 'on this day'],
  [inTheseDays(45), 'in these 45 days'],
  [daysOfText(1, 1), '1 of 1 day'],
  [daysOfText(1, 45), '1 of 45 days'],
  [flowsOfText(1, 1), '1 flow of 1 machine'],
  [flowsOfText(12_408, 3), '12,408 flows of 3 machines'],
])('%s', (text, expected) => expect(text).toBe(expected));
