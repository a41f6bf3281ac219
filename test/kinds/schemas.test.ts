// The schemas that are shipped: they compile in the strictest way, their examples hold, their traits make sense together.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Field, Kind, Shape } from '../../src/kinds/kind.ts';
import { objectIn } from '../../src/kinds/lookup.ts';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler, shippedSchemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { objectSchema } from '../../src/kinds/schema/objectSchema.ts';
import { refsOf } from '../../src/kinds/values/refs.ts';
import { isList, isObject, type Json } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';

const SCHEMAS = new URL('../../schemas/', import.meta.url);
const lifecycle = shippedSchema('lifecycle.schema.json');
const kinds = [...KINDS.values()];
const byName = kinds.map(kind => [String(kind.name), kind] as const);

describe('compiles', () => {
  const files = readdirSync(SCHEMAS, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.schema.json'));

  test.each(files)('%s', file => {
    expect(schemaCompiler().compile(shippedSchema(file))).toBeTypeOf('function');
  });

  test.each(byName)('an object of kind %s', (_, kind) => {
    expect(schemaCompiler().compile(objectSchema(kind, KINDS, lifecycle))).toBeTypeOf('function');
  });

  test.each(['x-knid', 'x-traits'])('a schema with the keyword %s does not compile', keyword => {
    expect(() => schemaCompiler().compile({ type: 'object', [keyword]: {} })).toThrow(keyword);
    expect(() => shippedSchemaCompiler().compile({ type: 'object', [keyword]: {} })).toThrow(
      keyword,
    );
  });

  test('a schema with an unknown format does not compile', () => {
    expect(() => shippedSchemaCompiler().compile({ type: 'string', format: 'ipv7' })).toThrow(
      'ipv7',
    );
  });
});

describe.each(byName)('%s', (_, kind) => {
  const examples = isList(kind.schema.examples) ? kind.schema.examples : [];

  test('has a valid example', () => {
    const check = schemaCompiler().compile(objectSchema(kind, KINDS, lifecycle));
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.map(example => (check(example) ? null : check.errors))).toEqual(
      examples.map(() => null),
    );
  });

  test('has a title and a description', () => {
    expect([
      kind.title,
      kind.description,
      ...fieldsIn(kind).map(({ description }) => description),
    ]).not.toContain('');
  });

  test('has a name made of existing fields', () => {
    const paths = kind.identity.flat();
    expect(paths.filter(path => fieldAtPath(kind, path.split('.')) === undefined)).toEqual([]);
  });

  test('is reserved only by its own fields', () => {
    expect(kind.reserved.filter(({ field }) => !kind.shape.fields.has(field))).toEqual([]);
  });

  test('shares only sets', () => {
    const shared = fieldsIn(kind).filter(field => field.shared);
    expect(shared.filter(({ shape }) => shape.type !== 'list' || shape.set === false)).toEqual([]);
  });

  test('distinguishes members of a list by an existing field', () => {
    const lists = fieldsIn(kind).flatMap(({ shape }) =>
      shape.type === 'list' && shape.set ? [shape] : [],
    );
    const lost = lists.filter(list => {
      const by = list.set ? list.set.by : undefined;
      return by?.some(name => !objectIn(list)?.fields.has(name));
    });
    expect(lost).toEqual([]);
  });

  test('names an existing field for the other side of a relation', () => {
    const lost = fieldsIn(kind).filter(({ inverse, shape }) => {
      const other = pointedAt(shape);
      return inverse && !(other && KINDS.get(other)?.shape.fields.has(inverse));
    });
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  test('refers only to kinds', () => {
    expect([...refsOf(kind)].filter(name => !KINDS.has(name))).toEqual([]);
  });
});

/** The fields of a kind, those inside of its fields included. */
function fieldsIn(kind: Kind): Field[] {
  const inside = (shape: Shape): Field[] => {
    if (shape.type === 'dict') return inside(shape.values);
    const fields = [...(objectIn(shape)?.fields.values() ?? [])];
    return fields.flatMap(field => [field, ...inside(field.shape)]);
  };
  return inside(kind.shape);
}

function fieldAtPath(kind: Kind, path: readonly string[]): Field | undefined {
  const [first = '', ...rest] = path;
  const field = kind.shape.fields.get(first);
  const inner = field && objectIn(field.shape);
  return rest.length === 0 ? field : inner?.fields.get(rest.join('.'));
}

function pointedAt(shape: Shape) {
  if (shape.type === 'list') return pointedAt(shape.items);
  return shape.type === 'scalar' ? shape.ref : undefined;
}

test('every kind has its own place', () => {
  expect(new Set(kinds.map(({ at }) => at)).size).toBe(kinds.length);
});

test('every default is valid', () => {
  const compiler = schemaCompiler();
  const wrong: Json[] = [];
  const visit = (schema: Json): void => {
    if (isList(schema)) schema.forEach(visit);
    if (!isObject(schema)) return;
    const { default: value, ...rest } = schema;
    if (value !== undefined && isObject(schema) && typeof schema.type === 'string') {
      const { items, ...plain } = rest;
      if (!compiler.compile(plain)(value)) wrong.push(schema);
    }
    Object.values(schema).forEach(visit);
  };
  for (const kind of kinds) visit(kind.schema);
  expect(wrong).toEqual([]);
});
