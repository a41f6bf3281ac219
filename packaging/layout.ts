// `npm run build:layout`: the layout library as one file, `assets/layout/dagre.js`, with its licence. The file is committed, so
// that the program needs no further package. `test/packaging-layout.test.ts` builds the file again and compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where the file is, from the root of the package. */
export const LAYOUT_FILE = 'assets/layout/dagre.js';

/** The packages in the file. The bill of materials names them, because the file is shipped. */
export const LAYOUT_PACKAGES: readonly string[] = ['@dagrejs/dagre', '@dagrejs/graphlib'];

/** The library as the body of a function with the parameter `exports`, to which it adds `Graph` and `layout`. */
export async function layoutText(): Promise<string> {
  const licences = LAYOUT_PACKAGES.map(name => {
    const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}`;
  });
  const { outputFiles } = await build({
    stdin: {
      contents: `export { Graph, layout } from '@dagrejs/dagre';`,
      resolveDir: ROOT,
    },
    write: false,
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'node24',
    minify: true,
    legalComments: 'none',
    banner: { js: `/*\n${[...new Set(licences)].join('\n\n')}\n*/` },
  });
  return outputFiles.map(({ text }) => text).join('');
}

if (import.meta.main) writeFileSync(join(ROOT, LAYOUT_FILE), await layoutText());
