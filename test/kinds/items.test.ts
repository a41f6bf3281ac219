// Items of keyed lists: what they are called in paths, and which of two lists are the same.
import { describe, expect, test } from 'vitest';
import { kindTable } from '../../src/kinds/schema/table.ts';
import { itemKey, itemPairs, keyedPath, valueAt } from '../../src/kinds/values/items.ts';
import { present } from '../../src/model/errors.ts';
import { pathName } from '../../src/model/text/pathName.ts';
import { fc } from '../support/seeded.ts';

const text = { type: 'string' };

const shapeWith = (by: string | string[]) => {
  const entry = {
    type: 'object',
    properties: { host: text, port: { type: 'integer' }, key: text },
  };
  const [kind] = kindTable([
    {
      title: 'Board',
      description: 'Made up.',
      type: 'object',
      properties: {
        name: text,
        entries: { type: 'array', items: entry, 'x-trait': { set: { by } } },
      },
      'x-kind': {
        name: 'board',
        plural: 'boards',
        at: 'boards[]',
        path: '/api/boards',
        identity: ['name'],
        verbs: ['create', 'update', 'delete'],
      },
    },
  ]).values();
  return present(kind, 'the kind').shape;
};

const parts = fc.array(fc.string({ unit: fc.constantFrom('/', '\\', 'a', '"', ' ') }), {
  minLength: 2,
  maxLength: 2,
});
const itemOf = ([host = '', port = '']: readonly string[]) => ({ host, port });

describe('the key of an item', () => {
  test('the key of one field is its text as it is', () => {
    expect(itemKey({ host: 'a/b', port: 1 }, ['host'])).toBe('a/b');
  });

  test('the key of several fields is unique', () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const keys = [one, other].map(values => itemKey(itemOf(values), ['host', 'port']));
        expect(keys[0] === keys[1]).toBe(one.join('\0') === other.join('\0'));
      }),
    );
  });

  test('pairs items only if all its fields are equal', () => {
    const a = { host: 'a', port: 1 };
    const b = { host: 'a', port: 2 };
    const c = { host: 'b', port: 1 };
    const live = [
      { ...b, key: 'live' },
      { ...a, key: 'live' },
      { host: 'c', port: 9 },
    ];
    const pairs = itemPairs([a, b], live, ['host', 'port']);
    expect([pairs.get(a), pairs.get(b), pairs.get(c)]).toEqual([live[1], live[0], undefined]);
  });

  test('must consist of fields that the items have', () => {
    expect(() => shapeWith(['host', 'protocol'])).toThrow(/protocol/);
  });
});

describe('a path through a keyed list', () => {
  const entries = [
    { host: 'a.b', port: 1, key: 'one' },
    { host: 'a', port: 2, key: 'two' },
  ];

  test('uses the keys of its items, and leads to the same value as a path by index', () => {
    const shape = shapeWith(['host', 'port']);
    const path = keyedPath(shape, { entries }, ['entries', '1', 'key']);
    expect(path).toEqual(['entries', 'a/2', 'key']);
    expect(valueAt(shape, { entries }, path)).toBe('two');
  });

  test('has a unique text', () => {
    const steps = fc.array(fc.string({ unit: fc.constantFrom('.', '[', ']', '"', 'a', '\\') }));
    fc.assert(
      fc.property(steps, steps, (one, other) => {
        expect(pathName(one) === pathName(other)).toBe(
          one.join('\0') === other.join('\0') && one.length === other.length,
        );
      }),
    );
    expect(pathName(['rules', 'ssh', 'ports'])).toBe('rules.ssh.ports');
    expect(pathName(['entries', 'a.b/1', 'key'])).toBe('entries["a.b/1"].key');
  });
});
