// How the bundle loads the modules of Node. An import statement loads a module with all its exports immediately, which takes
// longer than most commands; the bundle loads each module when it is first used.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';
import { withParts } from './parts.ts';

/**
 * Modules that are slow to load, and that many files import for a single function: they are loaded when the function is called.
 */
const LATE = new Set(['crypto', 'fs/promises', 'net', 'os', 'timers/promises']);

const IMPORT = /^import (\* as \w+|\{[^}]*\}) from '(node:[a-z/_]+)';$/gm;

/** A dynamic import of a Node module. The bundler would convert it to a part that has the module only as its default export. */
const LATE_IMPORT = /\bimport\('(node:[a-z/_]+)'\)/g;

/** The statement that replaces an import from a module of Node. */
function builtinBinding(names: string, path: string): string {
  const module = `process.getBuiltinModule('${path}')`;
  const whole = /^\* as (\w+)$/.exec(names)?.[1];
  if (whole !== undefined) return `const ${whole} = ${module};`;
  const bound = names
    .slice(1, -1)
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '' && !name.startsWith('type '));
  if (!LATE.has(path.replace('node:', '')) || bound.some(name => !/^[a-z]/.test(name)))
    return `const { ${bound.map(name => name.replace(' as ', ': ')).join(', ')} } = ${module};`;
  const late = bound.map(name => {
    const [given = '', own = given] = name.split(' as ');
    return `const ${own} = (...args) => ${module}.${given}(...args);`;
  });
  return late.join(' ');
}

/** Imports of Node modules in our own files, and `require` calls in dependencies. */
export const builtins: Plugin = {
  name: 'modules of Node',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withParts(path, readFileSync(path, 'utf8'))
        .replaceAll(IMPORT, (_, names, from) => builtinBinding(names, from))
        .replaceAll(
          LATE_IMPORT,
          (_, from) => `Promise.resolve(process.getBuiltinModule('${from}'))`,
        ),
      loader: 'ts',
    }));
    onResolve({ filter: new RegExp(`^(node:)?(${builtinModules.join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'node',
    }));
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = ${required(path.replace('node:', ''))};`,
      loader: 'js',
    }));
  },
};

// The `require` call for a module. Of the largest modules, only the requested exports are read.
function required(name: string): string {
  if (name === 'process') return 'process';
  if (name === 'buffer') return '{ Buffer }';
  const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
  // An import would copy all properties of `util`, and so load every module that `util` re-exports.
  return name === 'util' ? `Object.create(${module})` : module;
}
