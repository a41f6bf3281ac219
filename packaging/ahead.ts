// What the build computes for the bundle: the shipped kinds, checked, and the checks of shipped schemas as code, each in a file of its
// own, because a run needs few of them. The bundle has it in place of `src/kinds/schema/ahead.ts`.
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'esbuild';
import {
  LIFECYCLE_SCHEMA,
  readKinds,
  shippedKindSchemas,
  shippedSchema,
} from '../src/kinds/registry.ts';
import { shippedSchemaCompiler } from '../src/kinds/schema/keywords.ts';
import { objectSchema } from '../src/kinds/schema/objectSchema.ts';
import { kindCheckName, objectCheckName } from '../src/kinds/schema/shippedChecks.ts';
import type { JsonObject } from '../src/model/value.ts';

/** Schemas that are held against whole documents, by their paths under `schemas/`. */
const DOCUMENTS = ['access-tests', 'journal', 'plan', 'project'].map(name => `${name}.schema.json`);

/** By its name in the bundle, every schema whose check is compiled ahead. */
export function schemasAhead(): ReadonlyMap<string, JsonObject> {
  const kinds = readKinds();
  const lifecycle = shippedSchema(LIFECYCLE_SCHEMA);
  const objects = [...kinds.values()].map(
    kind => [objectCheckName(kind), objectSchema(kind, kinds, lifecycle)] as const,
  );
  const own = [...kinds.values()].map(kind => [kindCheckName(kind), kind.schema] as const);
  const documents = DOCUMENTS.map(path => [path, shippedSchema(path)] as const);
  return new Map([...objects, ...own, ...documents]);
}

/** What the code of a check may require, besides the table of formats. */
const RUNTIME = ['ajv/dist/runtime/ucs2length', 'ajv/dist/runtime/equal'];

/** The check of a schema as a CommonJS module: a function that takes a `require` and returns the check. */
export function checkText(schema: JsonObject): string {
  const compiler = shippedSchemaCompiler({ source: true, formats: _`require('formats')` });
  const text = standalone.default(compiler, compiler.compile(schema));
  const required = [...text.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, path = '']) => path);
  const unknown = required.filter(path => path !== 'formats' && !RUNTIME.includes(path));
  if (unknown.length > 0) throw new Error(`checks need ${unknown.join(', ')}: add it to RUNTIME`);
  return `module.exports = require => { const module = {}; ${text}\nreturn module.exports; };`;
}

/** The name of the file of a check. */
export const checkFile = (name: string): string => `${name.replaceAll(' ', '-')}.cjs`;

/** In the bundle: `src/kinds/schema/ahead.ts`. */
const ahead = (): string => `
  import { FORMATS } from './formats.ts';
  const holds = Object.fromEntries(Object.entries(FORMATS).map(([name, format]) => [name, format.holds]));
  const GIVEN = { formats: holds, ${RUNTIME.map(path => `'${path}': require('${path}.js')`)} };
  export const CHECKED_KINDS = JSON.parse(${JSON.stringify(JSON.stringify(shippedKindSchemas()))});
  export function compiledCheck(name) {
    const { createRequire } = process.getBuiltinModule('node:module');
    const file = './checks/' + String(name).replaceAll(' ', '-') + '.cjs';
    return createRequire(import.meta.url)(file)(path => GIVEN[path]);
  }`;

/** Puts what is computed ahead into a bundle; the files of the checks belong into the folder \`checks\` beside it. */
export const computedAhead: Plugin = {
  name: 'computed ahead',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]kinds[\\/]schema[\\/]ahead\.ts$/ }, () => ({
      contents: ahead(),
      loader: 'js',
    }));
  },
};
