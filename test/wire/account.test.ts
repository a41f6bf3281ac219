// What live objects are called, and which of them are not ours.
import { describe, expect, test } from 'vitest';
import { kindName, remoteId } from '../../src/model/names.ts';
import type { Live } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { decodeAccount, type ReadObject } from '../../src/wire/decodeAccount.ts';
import { INVENTED_KINDS } from './inventedKinds.ts';

const object = (kind: string, body: JsonObject, parentId?: string): ReadObject => ({
  kind: kindName(kind),
  id: remoteId(String(body.id)),
  body,
  ...(parentId !== undefined && { parentId: remoteId(parentId) }),
});

const live = (...objects: ReadObject[]): Live[] => decodeAccount(INVENTED_KINDS, objects);
const keys = (...objects: ReadObject[]) => live(...objects).map(({ key }) => key);

const crew = (id: string, name: string, more: JsonObject = {}) =>
  object('crew', { id, name, ...more });

describe('an object is named', () => {
  test('an object is named by its name, if no other object has it', () => {
    expect(keys(crew('c1', 'a'), crew('c2', 'b'))).toEqual(['a', 'b']);
  });

  test('an object is named by its id, if another object has its name', () => {
    expect(keys(crew('c1', 'a'), crew('c2', 'a'), crew('c3', 'a'), crew('c4', 'b'))).toEqual([
      'id:c1',
      'id:c2',
      'id:c3',
      'b',
    ]);
  });

  test('an object is named by its id if it has no name', () => {
    expect(keys(crew('c1', ''), object('crew', { id: 'c2' }))).toEqual(['id:c1', 'id:c2']);
  });

  test('an object is named by its id if its name looks like one', () => {
    expect(keys(crew('c1', 'id:c2'), crew('c2', 'b'))).toEqual(['id:c1', 'b']);
  });

  test('an object is named by the names of its parent and its own', () => {
    const piece = object('piece', { id: 'q1', name: 'p/q' }, 't1');
    expect(keys(object('thing', { id: 't1', name: 'lamp' }), piece)).toEqual([
      'lamp',
      'lamp/p\\/q',
    ]);
  });

  test('an object is named by its id, if its parent has no name', () => {
    const thing = (id: string) => object('thing', { id, name: 'lamp' });
    const piece = object('piece', { id: 'q1', name: 'p' }, 't1');
    expect(keys(thing('t1'), thing('t2'), piece).at(-1)).toBe('id:q1');
  });

  test('an object is named by its id, if only its references identify it', () => {
    expect(keys(crew('c1', 'a'), object('passage', { id: 's1', lead: 'c1' }))).toEqual([
      'a',
      'id:s1',
    ]);
  });

  test('the same, in any order of the objects', () => {
    const objects = [crew('c1', 'a'), crew('c2', 'a'), object('thing', { id: 't1', name: 'a' })];
    const there = Object.fromEntries(live(...objects).map(({ id, key }) => [id, key]));
    const back = Object.fromEntries(live(...objects.toReversed()).map(({ id, key }) => [id, key]));
    expect(back).toEqual(there);
  });
});

describe('the references of an object', () => {
  const thing = object('thing', {
    id: 't1',
    name: 'lamp',
    crews: [{ id: 'c1' }, { id: 'c2' }, { id: 'gone' }],
  });
  const [read] = live(thing, crew('c1', 'a'), crew('c2', '')).filter(({ id }) => id === 't1');

  test('are names; ids if the object has no name or does not exist', () => {
    expect(read?.fields.crews).toEqual(['a', 'id:c2', 'id:gone']);
  });

  test('are also kept as ids', () => {
    expect(read?.idFields.crews).toEqual(['id:c1', 'id:c2', 'id:gone']);
  });
});

describe('values that the server alone sets', () => {
  test('are kept as read', () => {
    const [read] = live(object('thing', { id: 't1', name: 'lamp', made: 'today', size: 1 }));
    expect(read?.serverFields).toEqual({ id: 't1', made: 'today' });
  });

  test('are not kept if they are secret, masked or not', () => {
    const objects = ['****', 'hush'].map((token, i) => object('thing', { id: `t${i}`, token }));
    expect(JSON.stringify(live(...objects))).not.toMatch(/\*|hush/);
  });
});

describe('an object is never written', () => {
  test.each([
    ['because of what it is called', { name: 'Everyone' }, 'it is of everyone'],
    ['because of whose it is', { name: 'a', owner: 'them' }, 'it is of others'],
    ['because of how it begins', { name: 'a', note: 'hands off, please' }, 'it says so'],
  ])('%s', (_, body, because) => {
    expect(live(crew('c1', '', body))[0]?.reserved).toBe(because);
  });

  test.each([
    ['of ours', { name: 'a', owner: 'us' }],
    ['of which nobody is said to be the owner', { name: 'everyone', owner: '' }],
    ['with another beginning', { name: 'a', note: 'keep your hands off' }],
  ])('an object %s may be written', (_, body) => {
    expect(live(crew('c1', '', body))[0]).not.toHaveProperty('reserved');
  });
});
