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

test('a file that only a table or the program imports is tested, with a limited number of tests', () => {
  expect(touchedTests(['src/report/drift/driftText.ts'])).not.toEqual([]);
  const [first, ...others] = touchedTests(['src/cli/export/exporting.ts']);
  expect(first).toMatch(/^test\/cli\/export\//);
  expect(others.length).toBeLessThan(30);
});
