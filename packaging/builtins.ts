// How the bundle gets the modules of Node. An import statement makes a module of all that one exports and loads it at once, which takes
// longer than most commands; the bundle asks for each where it is first used.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';
import { withParts } from './parts.ts';

/** Modules that take long to load, and that many files import for one function: they are loaded when that is called. */
const LATE = new Set(['crypto', 'fs/promises', 'net', 'os', 'timers/promises']);

const IMPORT = /^import (\* as \w+|\{[^}]*\}) from '(node:[a-z/_]+)';$/gm;

/** The statement that stands for an import from a module of Node. */
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

/** Imports of modules of Node in our own files, and what dependencies require of it. */
export const builtins: Plugin = {
  name: 'modules of Node',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: withParts(path, readFileSync(path, 'utf8')).replaceAll(IMPORT, (_, names, from) =>
        builtinBinding(names, from),
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

// Of the largest ones only what is asked for is looked up.
function required(name: string): string {
  if (name === 'process') return 'process';
  if (name === 'buffer') return '{ Buffer }';
  const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
  // To copy its properties, as an import does, would load every module that it passes on.
  return name === 'util' ? `Object.create(${module})` : module;
}
