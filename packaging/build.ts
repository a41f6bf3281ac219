// `npm run build`, after the library is compiled: bundles the program into a single file in `dist/`, in which a command
// evaluates only the modules that it uses, with the validators in files that are loaded on demand. Programs that import the
// package use the library, which is not bundled.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';
import { checkFile, checkText, computedAhead, schemasAhead } from './ahead.ts';
import { builtins } from './builtins.ts';
import { dependencies } from './dependencies.ts';
import { parts } from './parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const CHECKS = join(DIST, 'checks');

for (const file of readdirSync(DIST).filter(name => name.startsWith('meshform')))
  rmSync(join(DIST, file));
rmSync(CHECKS, { recursive: true, force: true });
mkdirSync(CHECKS, { recursive: true });
for (const [name, schema] of schemasAhead()) {
  const { code } = transformSync(checkText(schema), { minify: true });
  writeFileSync(join(CHECKS, checkFile(name)), code);
}
await build({
  entryPoints: [join(ROOT, 'src/cli/main.ts')],
  ...{ outdir: DIST, entryNames: 'meshform', chunkNames: 'meshform-[hash]', splitting: true },
  ...{ bundle: true, format: 'esm', platform: 'node', target: 'node24' },
  // Function names are kept for the stack traces in bug reports.
  ...{ minifySyntax: true, minifyWhitespace: true, legalComments: 'none', logLevel: 'warning' },
  plugins: [computedAhead, ...dependencies, parts, builtins],
});
