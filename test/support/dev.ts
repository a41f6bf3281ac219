// `npm run dev`: after each change of a file in `src` or `test`, its lint and the tests that it touches; the type checker watches beside.
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { touchedTests } from './project/touchedTests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = `${ROOT}node_modules/.bin/`;
/** Without the rules about promises: for these, the linter reads the whole project, which takes longer than most tests. */
const LINT = `${ROOT}biome.one-file.json`;
/** Editors write a file in several steps. */
const SETTLES = 100;

const run = (program: string, args: readonly string[]): Promise<unknown> =>
  new Promise(ended =>
    spawn(`${BIN}${program}`, args, { cwd: ROOT, stdio: 'inherit' }).on('close', ended),
  );

async function check(files: readonly string[]): Promise<void> {
  const began = performance.now();
  const tests = touchedTests(files);
  if (tests.length === 0) console.log(`no test of the room imports ${files.join(', ')}`);
  await Promise.all([
    run('biome', ['check', `--config-path=${LINT}`, ...files]),
    tests.length > 0 && run('vitest', ['run', '--reporter=dot', ...tests]),
  ]);
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s for ${files.join(', ')}`);
}

const changed = new Set<string>();
let checking = Promise.resolve();
let settling: NodeJS.Timeout | undefined;
for (const folder of ['src', 'test'])
  watch(`${ROOT}${folder}`, { recursive: true }, (_, name) => {
    if (name === null || !name.endsWith('.ts')) return;
    changed.add(`${folder}/${name}`);
    clearTimeout(settling);
    settling = setTimeout(() => {
      const files = [...changed].filter(file => existsSync(`${ROOT}${file}`));
      changed.clear();
      if (files.length > 0) checking = checking.then(() => check(files));
    }, SETTLES);
  });
console.log(`watching src and test in ${relative(process.cwd(), ROOT) || '.'}`);
await run('tsc', ['--watch', '--noEmit', '--preserveWatchOutput', '-p', 'test']);
