// What an answer means: ids become pointers, nothing is made of `null`, and no secret comes through.
import { describe, expect, test } from 'vitest';
import { isSecret } from '../../src/model/secrets/secret.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { byId, decodeFields } from '../../src/wire/decode.ts';
import { INVENTED_KIND } from './inventedKinds.ts';

const decoded = (body: JsonObject) => decodeFields(INVENTED_KIND.shape, body, byId);

test('values that the server alone sets, and unknown values, are not fields', () => {
  const body = { id: 't1', made: 'today', belongings: [], name: 'lamp', later: { more: 1 } };
  expect(decoded(body)).toEqual({ name: 'lamp' });
});

test('null and absent mean no value', () => {
  expect(decoded({ name: null, size: null, hook: null, users: null })).toEqual({});
});

test('null for a list is an empty list, wherever it is', () => {
  expect(decoded({ crews: null, parts: [{ name: 'p', mode: 'x', from: null }] })).toEqual({
    crews: [],
    parts: [{ name: 'p', mode: 'x', from: [] }],
  });
});

test('an empty value is a value', () => {
  expect(decoded({ name: '', size: 0, late: false, crews: [], users: {} })).toEqual({
    name: '',
    size: 0,
    late: false,
    crews: [],
    users: {},
  });
});

describe('a reference', () => {
  test.each([
    ['an id', 'c1'],
    ['a number', 1],
    ['an object with an id', { id: 'c1', name: 'a', issued: 'api' }],
    ['an object with a number', { id: 1 }],
  ])('may be read as %s', (_, lead) => {
    expect(decoded({ lead }).lead).toMatch(/^id:c?1$/);
  });

  test.each(['', { id: '' }, { id: null }, {}])(
    'a reference to nothing is not a value: %o',
    lead => {
      expect(decoded({ lead })).toEqual({});
    },
  );

  test('a reference to nothing is omitted from a list', () => {
    expect(decoded({ crews: [{ id: 'c1' }, null, '', {}, 'c2'] })).toEqual({
      crews: ['id:c1', 'id:c2'],
    });
  });

  test('may be a key', () => {
    expect(decoded({ users: { c1: ['root'], c2: [], c3: null } })).toEqual({
      users: { 'id:c1': ['root'], 'id:c2': [], 'id:c3': [] },
    });
  });
});

describe('a reference with the type of its target', () => {
  const origin = (origin: JsonObject | null) =>
    decoded({ parts: [{ name: 'p', mode: 'x', origin }] }).parts;
  const part = { name: 'p', mode: 'x' };

  test.each([
    ['by a type of one kind', { id: 'm1', type: 'machine' }, { machine: 'id:m1' }],
    ['by any other type', { id: 'c1', type: 'turquoise' }, { crew: 'id:c1' }],
    ['without a type', { id: 'c1' }, { crew: 'id:c1' }],
  ])('%s', (_, wire, expected) => {
    expect(origin(wire)).toEqual([{ ...part, origin: expected }]);
  });

  test.each([null, {}, { id: '', type: '' }])(
    'a typed reference to nothing is not a value: %o',
    wire => {
      expect(origin(wire)).toEqual([part]);
    },
  );
});

describe('a secret', () => {
  test.each(['****', 'hush', ''])('read as %o only shows that it exists', value => {
    const fields = decoded({ key: value, hook: { url: 'u', headers: { A: value, B: null } } });
    const { key, hook } = fields as { key: JsonObject; hook: { headers: JsonObject } };
    expect(isSecret(key)).toBe(true);
    expect(Object.keys(hook.headers)).toEqual(['A']);
    expect(JSON.stringify(fields)).not.toMatch(/hush|\*/);
  });

  test('a secret that is never returned is not looked for', () => {
    expect(decoded({ password: 'hush' })).toEqual({});
  });
});

test('a value of an unexpected type is not a value if its type matters', () => {
  expect(decoded({ crews: 'c1', users: [], hook: 'u' })).toEqual({});
});
