// Part of `npm run build`, after the library is compiled. Bundles the program into a single file in `dist/`, in which a command
// evaluates only the modules that it uses. The validators are in separate files that are loaded on demand. Programs that import
// the package use the library, which is not bundled. `build.ts FOLDER` writes to that folder and bundles the library as well, for
// tests that start hundreds of processes.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';
import { checkFile, checkText, computedAhead, schemasAhead } from './ahead.ts';
import { builtins } from './builtins.ts';
import { dependencies, optional } from './dependencies.ts';
import { parts } from './parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [folder] = process.argv.slice(2);
const DIST = resolve(folder ?? join(ROOT, 'dist'));
const CHECKS = join(DIST, 'checks');

mkdirSync(DIST, { recursive: true });
for (const file of readdirSync(DIST).filter(name => name.startsWith('meshform')))
  rmSync(join(DIST, file));
rmSync(CHECKS, { recursive: true, force: true });
mkdirSync(CHECKS, { recursive: true });
for (const [name, schema] of schemasAhead()) {
  const { code } = transformSync(checkText(schema), { minify: true });
  writeFileSync(join(CHECKS, checkFile(name)), code);
}
await build({
  entryPoints: {
    meshform: join(ROOT, 'src/cli/main.ts'),
    ...(folder !== undefined && { 'meshform-library': join(ROOT, 'src/index.ts') }),
  },
  outdir: DIST,
  chunkNames: 'meshform-[hash]',
  splitting: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Function names are kept for the stack traces in bug reports.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
  external: [...optional],
  plugins: [computedAhead, ...dependencies, parts, builtins],
});
