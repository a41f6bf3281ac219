// A plan orders a replacement: the new object, the pointers at it, and the old object.
import { describe, expect, test } from 'vitest';
import type { KindTable } from '../../../src/kinds/kind.ts';
import { kindTable } from '../../../src/kinds/schema/table.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { declared, planFor, type Read } from '../planning.ts';

describe('a replacement', () => {
  const text = { type: 'string' };
  const kind = (name: string, more: JsonObject, properties: JsonObject): JsonObject => ({
    title: name,
    'x-kind': {
      name,
      plural: `${name}s`,
      at: `${name}s[]`,
      path: `/api/${name}s`,
      identity: ['name'],
      verbs: ['create', 'update', 'delete'],
      ...more,
    },
    properties: { name: text, ...properties },
  });
  const table = (replace: string): KindTable =>
    kindTable([
      kind(
        'lock',
        { replace },
        { size: { type: 'integer', 'x-trait': { mutability: 'immutable' } } },
      ),
      kind(
        'door',
        {},
        {
          lock: { ...text, 'x-trait': { ref: 'lock' } },
          note: text,
          key: { ...text, 'x-trait': { ref: 'lock' } },
        },
      ),
    ]);
  const reads: readonly Read[] = [
    ['lock', { id: 'l1', name: 'a', size: 1 }],
    ['door', { id: 'd1', name: 'front', lock: 'l1' }],
    ['door', { id: 'd2', name: 'back', lock: 'l1', key: 'l1' }],
  ];
  const files = [
    declared('lock', 'a', { fields: { name: 'a', size: 2 } }),
    declared('door', 'front', { fields: { name: 'front', lock: 'a' } }),
    declared('door', 'back', {
      fields: { name: 'back', note: 'new' },
      lifecycle: { ignore: ['key'] },
    }),
  ];
  const planned = (replace: string) => planFor(files, reads, { kinds: table(replace) });

  test('a replacement that may exist beside the old object: create, move references, delete', () => {
    expect(planned('create-first').actions.map(({ id }) => id)).toEqual([
      'create lock.a',
      'update door.back',
      'update door.front',
      'delete lock.a',
    ]);
  });

  test('a replacement that may not exist beside the old object: delete, create, move references', () => {
    expect(planned('delete-first').actions.map(({ id }) => id)).toEqual([
      'delete lock.a',
      'create lock.a',
      'update door.back',
      'update door.front',
    ]);
  });

  test('renews every reference to it, even in undeclared fields', () => {
    const { actions, changes, pins } = planned('delete-first');
    const sent = actions.flatMap(action =>
      action.verb === 'update' ? [[action.key, action.fields]] : [],
    );
    expect(Object.fromEntries(sent)).toEqual({
      front: { name: 'front', lock: 'a' },
      back: { name: 'back', note: 'new', lock: 'a', key: 'a' },
    });
    expect(changes.find(({ key }) => key === 'front')?.notes).toEqual([
      'refers to lock.a, which is created again',
    ]);
    expect(pins).toEqual([]);
  });

  test('keeps undeclared values', () => {
    const kinds = table('delete-first');
    const made = planFor([declared('lock', 'a', { fields: { size: 2 } })], reads, {
      kinds,
    }).actions;
    expect(made.find(({ verb }) => verb === 'create')).toMatchObject({
      fields: { name: 'a', size: 2 },
    });
  });

  test('reports references that will dangle', () => {
    const { changes } = planFor(files.slice(0, 1), reads, { kinds: table('delete-first') });
    expect(changes[0]?.notes).toEqual([
      'door.back is not declared and will refer to a deleted object',
      'door.front is not declared and will refer to a deleted object',
    ]);
  });
});
