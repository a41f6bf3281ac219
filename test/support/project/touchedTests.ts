// The tests to run after a change: of the rooms of the changed files, those that import a changed file, or a file that imports one.
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** More files than this take longer than somebody waits who has just saved a file. */
const MOST = 30;
/** With so many tests, those that import the changed files from further away add little. */
const ENOUGH = 8;
/** Tests run commands by the program, which imports everything in a few steps. */
const FURTHEST = 6;

/** The paths of the tests for changed files: of too many, those of the same subject. All paths are relative to the repository. */
export function touchedTests(changed: readonly string[]): readonly string[] {
  const files = new Map(
    [...filesIn('src'), ...filesIn('test')].map(path => [path, importsOf(path)]),
  );
  const rooms = new Set(changed.map(path => path.split('/')[1]?.replace(/\.ts$/, '')));
  const isOwn = (path: string) => changed.includes(path) || rooms.has(path.split('/')[1]);
  const subjects = new Set(changed.map(subjectOf));
  const touched = new Set(changed);
  const tests = () => [...touched].filter(path => path.endsWith('.test.ts') && isOwn(path));
  for (let step = 0; step < FURTHEST && tests().length < ENOUGH; step++) {
    const importers = [...files].filter(([, imports]) => imports.some(to => touched.has(to)));
    for (const [path] of importers) touched.add(path);
  }
  const found = tests();
  const near = found.filter(path => subjects.has(subjectOf(path)));
  const some = found.length > MOST && near.length > 0 ? near : found;
  return some.sort().slice(0, MOST);
}

// Tests of the subject of a folder: `test/cli/export/` for `src/cli/export/`.
const subjectOf = (path: string): string => path.split('/').slice(1, 3).join('/');

const filesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true })
    .map(String)
    .filter(path => path.endsWith('.ts'))
    .map(path => `${folder}/${path}`);

function importsOf(path: string): readonly string[] {
  const file = new URL(path, ROOT);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
  return [...imports].map(([, to = '']) => new URL(to, file).href.slice(ROOT.href.length));
}
