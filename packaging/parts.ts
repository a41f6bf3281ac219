// The parts of the bundle: code that every command needs, the commands, and the emulator. If each `import()` of the sources
// loaded a separate file, loading hundreds of files would take longer than evaluating them. Instead, an `import()` evaluates a
// module that is already in a part.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
/** Dynamic imports, without `import()` in types. */
const LATER = /(?<!\btypeof\s+)\bimport\(\s*'(\.[^']+\.ts)'\s*\)/g;

/** The part of a dynamically imported module, by its path under `src/`. */
const partOf = (path: string): string =>
  /^(cli\/)?emulator\//.test(path) ? 'emulator' : path === 'cli/run.ts' ? 'run' : 'commands';

const under = (path: string): string => relative(SRC, path).split(sep).join('/');

/** The dynamically imported modules, by part. */
function importedLater(): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.ts'),
  );
  const found = files.flatMap(file => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return [...text.matchAll(LATER)].map(([, to = '']) => under(resolve(SRC, dirname(file), to)));
  });
  return Map.groupBy([...new Set(found)].sort(), partOf);
}

/** The text of a source file in which each `import()` loads a part and evaluates one of its modules. */
export function withParts(file: string, text: string): string {
  return text.replaceAll(LATER, (_, to: string) => {
    const path = under(resolve(dirname(file), to));
    return `import('meshform:${partOf(path)}').then(part => part.modules['${path}']())`;
  });
}

/** The parts, as modules that export their modules. */
export const parts: Plugin = {
  name: 'parts',
  setup: ({ onResolve, onLoad }) => {
    const later = importedLater();
    onResolve({ filter: /^meshform:/ }, ({ path }) => ({ path: path.slice(9), namespace: 'part' }));
    onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
      contents: `export const modules = {
        ${(later.get(path) ?? []).map(one => `'${one}': () => require('./${one}')`).join(',\n')}
      };`,
      resolveDir: SRC,
      loader: 'js',
    }));
  },
};
