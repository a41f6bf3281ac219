// Which tests `npm run dev` runs after a change.
import { expect, test } from 'vitest';
import { touchedTests } from './support/project/touchedTests.ts';

test('a changed file is tested by the tests of its room that import it, or a file that imports it', () => {
  const tests = touchedTests(['src/engine/pairing/pairObjects.ts']);
  expect(tests).toContain('test/engine/pairing/pair.test.ts');
  expect(tests.filter(path => !path.startsWith('test/engine/'))).toEqual([]);
});

test('a changed test is run itself', () => {
  expect(touchedTests(['test/tables.test.ts'])).toContain('test/tables.test.ts');
});
