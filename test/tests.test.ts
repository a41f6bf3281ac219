// How the tests are kept: which of them may share a process with others, and which write what they compare with.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { ALONE } from './support/alone.ts';
import { BLESSED } from './support/blessed.ts';
import { repositoryVariables } from './support/ownRepository.ts';
import { COMMAND_FOLDERS, PROOF_FILES, PROOF_FOLDERS } from './support/slow.ts';

const FOLDER = new URL('./', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(path =>
  path.endsWith('.ts'),
);

/** The test files that import nock, by themselves or by a helper. */
function mocked(): string[] {
  const imports = new Map(
    files.map(path => [
      path,
      [...textOf(path).matchAll(/ from '([^']+)'/g)].map(([, from = '']) =>
        from.startsWith('.') ? posix.join(posix.dirname(path), from) : from,
      ),
    ]),
  );
  const reached = new Set(['nock']);
  for (let size = 0; size < reached.size; ) {
    size = reached.size;
    for (const [path, from] of imports) if (from.some(one => reached.has(one))) reached.add(path);
  }
  return [...reached].filter(path => path.endsWith('.test.ts')).sort();
}

test('test files that load nock run in a process of their own', () => {
  expect(mocked()).toEqual([...ALONE]);
});

test('every file and folder of slow tests exists, so that none of them runs with the fast tests after a move', () => {
  const listed = [...COMMAND_FOLDERS, ...PROOF_FOLDERS, ...PROOF_FILES];
  expect(listed.filter(path => !existsSync(new URL(path, FOLDER)))).toEqual([]);
});

test('generators are in the order of `npm run bless`', () => {
  const writing = files.filter(
    path => path.endsWith('.test.ts') && /process\.env\.BLESS\b/.test(textOf(path)),
  );
  const listed = BLESSED.flat().map(name => `${name}.test.ts`);
  expect(listed.toSorted()).toEqual(writing.toSorted());
});

test('no variable leads the git of a test to another repository', () => {
  expect(repositoryVariables().filter(name => process.env[name] !== undefined)).toEqual([]);
});
