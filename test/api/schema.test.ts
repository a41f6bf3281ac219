// Schemas of the contract as people read them: examples, fields in words, what a body has that they do not.
import { describe, expect, test } from 'vitest';
import { requestSchema } from '../../src/api/schema/bodies.ts';
import { exampleOf } from '../../src/api/schema/example.ts';
import { fieldsOf, typeText } from '../../src/api/schema/fields.ts';
import { withoutNulls } from '../../src/api/schema/nulls.ts';
import { resolved } from '../../src/api/schema/resolved.ts';
import { unknownFields } from '../../src/api/schema/unknownFieldWarnings.ts';
import { exclusionsOf } from '../../src/api/schema/walk.ts';
import { loadContract } from '../../src/contract/index.ts';
import { present } from '../../src/model/errors.ts';
import type { Json } from '../../src/model/value.ts';

const contract = loadContract();
const { document } = contract;
const requestOf = (id: string) =>
  present(requestSchema(document, contract.operation(id)), `the body of ${id}`);
const withBody = contract.operations.filter(({ request }) => request !== undefined);

describe('the example of a body', () => {
  test.each(withBody.map(({ id }) => id))('the example of a body of %s is valid', id => {
    const example = exampleOf(document, requestOf(id));
    expect(contract.checkRequest(contract.operation(id), example)).toEqual([]);
    expect(unknownFields(document, requestOf(id), example)).toEqual([]);
  });

  test('has only the required fields', () => {
    expect(exampleOf(document, requestOf('createGroup'))).toEqual({ name: 'text' });
  });
});

describe('a schema on its own', () => {
  test.each(withBody.map(({ id }) => id))('a schema of %s on its own has no references', id => {
    expect(JSON.stringify(resolved(document, requestOf(id)))).not.toContain('$ref');
  });
});

describe('the description of fields', () => {
  const lines = (id: string) =>
    fieldsOf(document, requestOf(id)).map(({ depth, name, type, marks }) =>
      `${'  '.repeat(depth)}${name}: ${type} ${marks.join(', ')}`.trimEnd(),
    );

  test('states the type, what is required and the limits', () => {
    expect(lines('createToken')).toEqual([
      'name: string required, at least 1 character',
      'expires_in: integer required, 1 to 365',
    ]);
  });

  test('covers objects, lists and every variant of a value', () => {
    expect(lines('createNotificationChannel')).toEqual([
      'type: one of email, webhook required',
      'target: object or null',
      '  either: object',
      '    emails: list of string required',
      '  either: object',
      '    url: string required, secret',
      '    headers: map of string each one a secret',
      'event_types: list of string required',
      'enabled: boolean required',
    ]);
  });

  test('states which fields exclude each other', () => {
    expect(exclusionsOf(document, requestOf('createIngressPortAllocation'))).toEqual([
      ['port_ranges', 'direct_port'],
    ]);
  });

  test('names the type of every body of the contract', () => {
    expect(withBody.filter(({ id }) => typeText(document, requestOf(id)) === '')).toEqual([]);
  });
});

describe('fields that the contract does not have', () => {
  const unknownIn = (id: string, body: Json) => unknownFields(document, requestOf(id), body);

  test('are found at every depth, with a suggestion', () => {
    const body = { name: 'p', enbled: true, rules: [{ name: 'r', prots: ['1'], 'a/b': 1 }] };
    expect(unknownIn('createPolicy', body)).toEqual([
      { at: '/enbled', hint: 'did you mean `enabled`?' },
      { at: '/rules/0/prots', hint: 'did you mean `ports`?' },
      { at: '/rules/0/a~1b' },
    ]);
  });

  test('are not the keys of a map, nor the fields of any variant of a value', () => {
    const target = { url: 'https://x', headers: { 'X-Anything': 'y' } };
    expect(unknownIn('createNotificationChannel', { target })).toEqual([]);
    const emails = { emails: ['ops@example.com'] };
    expect(unknownIn('createNotificationChannel', { target: emails })).toEqual([]);
  });

  test('are not looked for in a value that is not an object', () => {
    expect(unknownIn('createGroup', 'text')).toEqual([]);
    expect(unknownIn('createGroup', { name: 'x', peers: 'text' })).toEqual([]);
  });
});

test('a null field counts as missing, at every depth; a null member of a list does not', () => {
  const body = { a: null, b: [{ c: null, d: 1 }, null], e: 'x' };
  expect(withoutNulls(body)).toEqual({ b: [{ d: 1 }, null], e: 'x' });
});
