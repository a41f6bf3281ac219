// What the build computes for the bundle is what the sources compute: every check of a shipped schema finds the same, in the same order,
// with the same sentences at the same places.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { checkText, schemasAhead } from '../../packaging/ahead.ts';
import { readKinds, shippedKindSchemas } from '../../src/kinds/registry.ts';
import { FORMATS } from '../../src/kinds/schema/formats.ts';
import { shippedSchemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { objectCheckName } from '../../src/kinds/shippedChecks.ts';
import { present } from '../../src/model/errors.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { schemaFindings } from '../../src/source/findings/findings.ts';
import { locator } from '../../src/source/objects/locate.ts';
import { parseDocuments } from '../../src/source/yaml/document.ts';
import type { SourceNode } from '../../src/source/yaml/node.ts';
import { KINDS } from '../support/files.ts';
import { sources } from '../support/project/sources.ts';

const formats = Object.fromEntries(
  Object.entries(FORMATS).map(([name, { holds }]) => [name, holds]),
);
const load = createRequire(import.meta.url);

/** The check that a text of the build is. */
function evaluated(text: string): ValidateFunction {
  const module: { exports?: (require: (path: string) => unknown) => ValidateFunction } = {};
  new Function('module', text)(module);
  return present(
    module.exports,
    'the exports of a check',
  )(path => (path === 'formats' ? formats : load(path)));
}

interface Both {
  readonly ahead: ValidateFunction;
  readonly compiled: ValidateFunction;
}

const checks: ReadonlyMap<string, Both> = new Map(
  [...schemasAhead()].map(([name, schema]) => [
    name,
    { ahead: evaluated(checkText(schema)), compiled: shippedSchemaCompiler().compile(schema) },
  ]),
);

test('every shipped document that the code checks is compiled ahead', () => {
  const named = sources.flatMap(({ text }) => [
    ...text.matchAll(/shippedSchema\('(?!lifecycle\.)([^']+)'\)/g),
  ]);
  const names = new Set(named.map(([, name = '']) => name));
  expect([...names].sort()).toEqual(
    [...checks.keys()].filter(name => name.endsWith('.schema.json')).sort(),
  );
});

/** What both find in a value; their findings as diagnostics where the value has a place. */
function found({ ahead, compiled }: Both, value: Json, node?: SourceNode) {
  const [one, other] = [ahead, compiled].map(check => {
    const errors = check(value) ? [] : (check.errors ?? []);
    return { errors, said: node ? schemaFindings(errors, node) : [] };
  });
  return { one, other };
}

const FAULTS = fileURLToPath(new URL('../source/faults/', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/** The files of a folder and the folders in it. */
const files = (folder: string): readonly SourceNode[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.yaml'))
    .flatMap(file => {
      const text = readFileSync(`${folder}${file}`, 'utf8');
      return [...parseDocuments({ file, text }).documents];
    });

const objectsIn = (documents: readonly SourceNode[]) => locator(KINDS)(documents).objects;

const checkOf = (name: string): Both => present(checks.get(name), `the check ${name}`);

test('every kind and every document of the program has a check', () => {
  expect([...checks.keys()].filter(name => name.startsWith('object '))).toEqual(
    [...KINDS.values()].map(objectCheckName),
  );
  expect(shippedKindSchemas()).toHaveLength(readKinds().size);
});

test('a check compiled ahead returns the same findings, sentences and places for the bad files of the tests', () => {
  const objects = objectsIn(files(FAULTS));
  const refused = objects.filter(({ kind, node }) => {
    const { one, other } = found(checkOf(objectCheckName(kind)), node.value, node);
    expect(one).toEqual(other);
    return one?.errors.length !== 0;
  });
  expect(refused.length).toBeGreaterThan(50);
});

test('a check compiled ahead returns the same findings, sentences and places for bad project files', () => {
  const projects = files(FAULTS).filter(({ at }) => at([]).file.endsWith('meshform.yaml'));
  for (const node of projects) {
    const { one, other } = found(checkOf('project.schema.json'), node.value, node);
    expect(one).toEqual(other);
  }
  expect(projects.length).toBeGreaterThan(0);
});

/** The value with each of its parts replaced in turn. */
function* mangled(value: Json): Generator<Json> {
  yield* [null, 7, -1.5, 'x', '10.0.0.1/8', [], [null], {}, { name: 'x' }];
  if (isList(value)) {
    yield [...value, ...value];
    for (const [i, part] of value.entries())
      for (const other of mangled(part)) yield value.with(i, other);
  }
  if (!isObject(value)) return;
  yield { ...value, unknown: 1 };
  for (const [name, part] of Object.entries(value)) {
    const { [name]: _, ...rest } = value;
    yield rest;
    for (const other of mangled(part)) yield { ...value, [name]: other };
  }
}

describe('the examples with a wrong value in every place: the same findings', () => {
  const byKind = Map.groupBy(objectsIn(files(EXAMPLES)), ({ kind }) => kind);
  test.each([...byKind].map(([kind, objects]) => [kind.name, kind, objects] as const))(
    '%s',
    (_, kind, objects) => {
      const check = checkOf(objectCheckName(kind));
      let refused = 0;
      for (const { node } of objects.slice(0, 3))
        for (const value of mangled(node.value)) {
          const { one, other } = found(check, value);
          expect(one).toEqual(other);
          refused += one?.errors.length === 0 ? 0 : 1;
        }
      expect(refused).toBeGreaterThan(0);
    },
  );
});

test('a check compiled ahead returns the same findings for an edited plan', () => {
  const path = new URL('../scenarios/', import.meta.url);
  const plan = readdirSync(path, { recursive: true, encoding: 'utf8' }).find(file =>
    file.endsWith('plan.json'),
  );
  const document = JSON.parse(readFileSync(new URL(present(plan, 'a plan'), path), 'utf8'));
  for (const [name, part] of Object.entries(document))
    for (const other of mangled(part as Json).take(40)) {
      const { one, other: compiled } = found(checkOf('plan.schema.json'), {
        ...document,
        [name]: other,
      });
      expect(one).toEqual(compiled);
    }
});
