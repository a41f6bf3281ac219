// No sentence of the JSON Schema validator reaches a person: every keyword that can refuse a value has words of its own.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { constraintWords, WORDED } from '../../src/kinds/schema/constraintWords.ts';
import { schemaFindings } from '../../src/source/findings/findings.ts';
import { parseDocuments } from '../../src/source/yaml/document.ts';
import { loadFiles } from '../support/files.ts';

/** A schema for each keyword that can refuse a value, and a value that it refuses. */
const REFUSALS: readonly (readonly [string, object, unknown])[] = [
  ['type', { type: 'string' }, 1],
  ['type', { type: ['string', 'null'] }, 1],
  ['enum', { enum: ['a'] }, 'b'],
  ['const', { const: 'a' }, 'b'],
  ['required', { required: ['a'] }, {}],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }],
  ['additionalProperties', { additionalProperties: false }, { a: 1 }],
  ['unevaluatedProperties', { unevaluatedProperties: false }, { a: 1 }],
  ['propertyNames', { propertyNames: { maxLength: 1 } }, { ab: 1 }],
  ['minimum', { minimum: 1 }, 0],
  ['maximum', { maximum: 1 }, 2],
  ['exclusiveMinimum', { exclusiveMinimum: 1 }, 1],
  ['exclusiveMaximum', { exclusiveMaximum: 1 }, 1],
  ['multipleOf', { multipleOf: 2 }, 3],
  ['minLength', { minLength: 2 }, 'a'],
  ['maxLength', { maxLength: 1 }, 'ab'],
  ['pattern', { pattern: '^a' }, 'b'],
  ['minItems', { minItems: 2 }, [1]],
  ['maxItems', { maxItems: 1 }, [1, 2]],
  ['items', { prefixItems: [true], items: false }, [1, 2]],
  ['unevaluatedItems', { prefixItems: [true], unevaluatedItems: false }, [1, 2]],
  ['uniqueItems', { uniqueItems: true }, [1, 1]],
  ['contains', { contains: { const: 2 }, minContains: 2 }, [1, 2]],
  ['minProperties', { minProperties: 2 }, { a: 1 }],
  ['maxProperties', { maxProperties: 1 }, { a: 1, b: 2 }],
  ['not', { not: { const: 'All' } }, 'All'],
  ['anyOf', { anyOf: [{ const: 1 }, { const: 2 }] }, 3],
  ['oneOf', { oneOf: [{ const: 1 }, { const: 2 }] }, 3],
  ['if', JSON.parse('{ "if": true, "then": { "const": 1 } }'), 2],
  ['false schema', { properties: { a: false } }, { a: 1 }],
];

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });

describe.each(REFUSALS)('%s', (keyword, schema, value) => {
  const check = ajv.compile({ properties: { field: schema } });
  check({ field: value });
  const errors = check.errors ?? [];

  test('has its own words, not the validator’s', () => {
    const error = errors.find(one => one.keyword === keyword);
    expect(error).toBeDefined();
    if (!error) return;
    expect(constraintWords(error)).not.toMatch(/NOT|undefined|schema|propert(y|ies)\b|items\b/);
    expect(constraintWords(error)).not.toBe(error.message);
  });

  test('is reported for a file in its own words, not the validator’s', () => {
    const text = `field: ${JSON.stringify(value)}\n`;
    const [document] = parseDocuments({ file: 'f.yaml', text }).documents;
    if (!document) throw new Error('no document');
    const messages = schemaFindings(errors, document).map(({ message }) => message);
    for (const error of errors) expect(messages.join()).not.toContain(error.message);
    expect(messages.join()).not.toMatch(/NOT|undefined/);
  });
});

test('every keyword that can refuse a value has words', () => {
  const tried = new Set(REFUSALS.map(([keyword]) => keyword));
  expect([...WORDED].filter(keyword => !tried.has(keyword))).toEqual(['format']);
});

test('All among the groups of a key is refused with a sentence', () => {
  const { diagnostics } = loadFiles({
    'a.yaml':
      'setup_keys:\n  - { name: k, type: reusable, expires_in: 86400, auto_groups: [All] }\n',
  });
  expect(diagnostics.map(({ message, hint }) => `${message}; ${hint}`)).toEqual([
    'member 1 of `auto_groups` cannot have this value; any group except All, which contains every peer',
  ]);
});
