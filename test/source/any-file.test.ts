// Whatever stands in a file: reading it ends, with a place for every fault, and what a schema refuses is an error.
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { schemaCompiler } from '../../src/kinds/schema/keywords.ts';
import { objectSchema } from '../../src/kinds/schema/objectSchema.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../../src/model/value.ts';
import { companyTexts } from '../support/examples/company.ts';
import { KINDS, load } from '../support/files.ts';
import { anyText, fc } from '../support/seeded.ts';

const texts = Object.values(companyTexts());

/** The objects of the company, each with the key of its place. */
const OBJECTS = texts.flatMap(text =>
  Object.entries(parse(text) as JsonObject).flatMap(([key, items]) =>
    (isList(items) ? items : []).map(item => [key, item] as const),
  ),
);

/** By the key of a place, what the schema of its kind says of an object. */
const CHECKS = new Map(
  [...KINDS.values()].map(kind => {
    const schema = objectSchema(kind, KINDS, shippedSchema('lifecycle.schema.json'));
    return [kind.at.replace('[]', ''), schemaCompiler().compile(schema)];
  }),
);

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    'a',
    '${env:X}',
    '*',
    'id:',
    'a/b',
    '10.0.0.1/8',
    -1,
    0,
    1.5,
    [],
    {},
    [null],
    { name: 'a' },
    ['a', 1],
    { toString: '' },
    [{ valueOf: null, toString: 1 }],
  ),
);

/** Every way into a value. */
function waysInto(part: Json, path: readonly string[] = []): (readonly string[])[] {
  const parts = isList(part) ? [...part.entries()] : isObject(part) ? Object.entries(part) : [];
  return [path, ...parts.flatMap(([key, item]) => waysInto(item, [...path, String(key)]))];
}

function replaced(part: Json, path: readonly string[], by: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (isList(part))
    return part.map((item, i) => (String(i) === step ? replaced(item, rest, by) : item));
  return isObject(part) ? { ...part, [step]: replaced(part[step] ?? null, rest, by) } : part;
}

const mutated = fc.constantFrom(...OBJECTS).chain(([key, object]) =>
  fc
    .tuple(fc.constantFrom(...waysInto(object)), value, fc.option(fc.string()))
    .map(([path, by, added]) => {
      const place = added === null ? path : [...path, added];
      return { key, object: replaced(object, place, by as Json) };
    }),
);

describe('an object with a wrong value in one place', () => {
  test('is an error if its schema refuses it', () => {
    fc.assert(
      fc.property(mutated, ({ key, object }) => {
        const { diagnostics } = load(stringify({ [key]: [object] }));
        const isRefused = !isObject(object) || CHECKS.get(key)?.(object) !== true;
        expect(!isRefused || hasErrors(diagnostics)).toBe(true);
        expect(diagnostics.filter(({ at }) => at === undefined || at.line < 1)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a string', () => {
  const broken = fc
    .tuple(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom(
        '"',
        "'",
        '[',
        '{',
        ':',
        ': ',
        '- ',
        '\t',
        '\n',
        '*a',
        '&a ',
        '!x ',
        '|',
        '#',
        '%',
        '@',
        '\0',
        '<<: ',
      ),
    )
    .map(([text, place, slip]) => {
      const at = place % text.length;
      return text.slice(0, at) + slip + text.slice(at);
    });

  test('a string with one typing error is read to its end, with few findings', () => {
    fc.assert(
      fc.property(broken, text => {
        const { diagnostics } = load(text);
        const faults = diagnostics.filter(({ code }) => code === 'SOURCE_YAML');
        expect(faults.length).toBeLessThanOrEqual(2);
        expect(
          diagnostics.filter(({ message }) => message.includes('\n') || message === ''),
        ).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('a string of any characters is read to its end', () => {
    const any = fc.oneof(
      anyText({ maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            'groups',
            ':',
            ' ',
            '\n',
            '- ',
            'name',
            '[',
            ']',
            '{',
            '}',
            '"',
            '&a',
            '*a',
            '<<',
            ',',
            '#',
            '|',
            '?',
          ),
          { maxLength: 40 },
        )
        .map(parts => parts.join('')),
    );
    fc.assert(
      fc.property(any, text => {
        expect(() => load(text)).not.toThrow();
      }),
      { numRuns: 400 },
    );
  });

  test('is the same when it is written in another style', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.constantFrom('QUOTE_DOUBLE', 'QUOTE_SINGLE', 'PLAIN'),
        fc.boolean(),
        (text, type, flow) => {
          const again = stringify(parse(text), {
            defaultStringType: type,
            collectionStyle: flow ? 'flow' : 'block',
          });
          const fieldsOf = (read: string) =>
            load(read).desired.map(({ kind, key, fields }) => ({ kind, key, fields }));
          expect(fieldsOf(again)).toEqual(fieldsOf(text));
        },
      ),
      { numRuns: 20 },
    );
  });
});
