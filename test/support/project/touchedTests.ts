// The tests to run after a change: of the rooms of the changed files, those that import a changed file, or a file that imports one.
import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** The paths of the tests for changed files. All paths are relative to the repository. */
export function touchedTests(changed: readonly string[]): readonly string[] {
  const files = new Map(
    [...filesIn('src'), ...filesIn('test')].map(path => [path, importsOf(path)]),
  );
  const touched = new Set(changed);
  for (let step = 0; step < 2; step++)
    for (const [path, imports] of files)
      if (imports.some(to => changed.includes(to) || (step > 0 && touched.has(to))))
        touched.add(path);
  const rooms = new Set(changed.map(path => path.split('/')[1]?.replace(/\.ts$/, '')));
  const isOwn = (path: string) => changed.includes(path) || rooms.has(path.split('/')[1]);
  return [...touched].filter(path => path.endsWith('.test.ts') && isOwn(path)).sort();
}

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
