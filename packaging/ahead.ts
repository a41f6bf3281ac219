// The values that the build computes for the bundle: the validated kinds, and compiled validators of the shipped schemas. Each
// validator is in a separate file, because a run needs few of them. The bundle uses these values in place of
// `src/kinds/schema/ahead.ts`.
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
import { kindCheckName, objectCheckName } from '../src/kinds/shippedChecks.ts';
import type { JsonObject } from '../src/model/value.ts';

/** Schemas of whole documents, by their paths under `schemas/`. */
const DOCUMENTS = [
  'access-tests',
  'base',
  'fleet',
  'fleet-credentials',
  'journal',
  'plan',
  'project',
  'rollout',
].map(name => `${name}.schema.json`);

/** Every schema whose validator is compiled ahead, by its name in the bundle. */
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

/** The modules that a validator may require, besides the table of formats. */
const RUNTIME = ['ajv/dist/runtime/ucs2length', 'ajv/dist/runtime/equal'];

/** The validator of a schema as a CommonJS module: a function that takes `require` and returns the validator. */
export function checkText(schema: JsonObject): string {
  const compiler = shippedSchemaCompiler({ source: true, formats: _`require('formats')` });
  const text = standalone.default(compiler, compiler.compile(schema));
  const required = [...text.matchAll(/require\(["']([^"']+)["']\)/g)].map(([, path = '']) => path);
  const unknown = required.filter(path => path !== 'formats' && !RUNTIME.includes(path));
  if (unknown.length > 0) throw new Error(`checks need ${unknown.join(', ')}: add it to RUNTIME`);
  return `module.exports = require => { const module = {}; ${text}\nreturn module.exports; };`;
}

/** The file name of a validator. */
export const checkFile = (name: string): string => `${name.replaceAll(' ', '-')}.cjs`;

/** The replacement of `src/kinds/schema/ahead.ts` in the bundle. */
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

/** Adds the precomputed values to a bundle; the files of the validators are written to the folder \`checks\` beside it. */
export const computedAhead: Plugin = {
  name: 'computed ahead',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]kinds[\\/]schema[\\/]ahead\.ts$/ }, () => ({
      contents: ahead(),
      loader: 'js',
    }));
  },
};
