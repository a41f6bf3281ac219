// The client for objects of any kind: where they are, and what is not taken for one.
import { describe, expect, test } from 'vitest';
import {
  createObject,
  deleteObject,
  listObjects,
  readObject,
  updateObject,
} from '../../src/api/account/objectClient.ts';
import type { Kind } from '../../src/kinds/kind.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import { present } from '../../src/model/errors.ts';
import { remoteId } from '../../src/model/names.ts';
import { failureOf } from './calls.ts';
import { client, nockEachTest, server } from './nocked.ts';

nockEachTest();

/** A kind with nothing to it but what `more` says of it. */
function kindWith(more: object = {}): Kind {
  const [kind] = kindTable([
    {
      title: 'Thing',
      description: 'A thing.',
      type: 'object',
      properties: {
        name: { type: 'string' },
        friends: { type: 'array', items: { type: 'string' }, 'x-trait': { ref: 'thing' } },
      },
      'x-kind': {
        name: 'thing',
        plural: 'things',
        at: 'things[]',
        path: '/api/things',
        identity: ['name'],
        verbs: ['create', 'update', 'delete'],
        ...more,
      },
    },
  ]).values();
  return present(kind, 'the kind of the test');
}

const thing = kindWith();
const nested: Kind = { ...thing, path: '/api/homes/{home}/things' };
const at = { id: remoteId('t1') };

describe('a list', () => {
  test('gives every object with its id', async () => {
    server()
      .get('/api/things')
      .reply(200, [{ id: 't1' }, { id: 7, name: 'seven' }]);
    expect(await listObjects(client(), thing)).toEqual([
      { id: 't1', body: { id: 't1' } },
      { id: '7', body: { id: 7, name: 'seven' } },
    ]);
  });

  test('a list that is null is read as an empty list', async () => {
    server().get('/api/things').reply(200, 'null');
    expect(await listObjects(client(), thing)).toEqual([]);
  });

  test.each([
    ['an object', { things: [] }, 'is not a list of objects'],
    ['a list of names', ['t1'], 'is not a list of objects'],
    ['a list with a gap', [null], 'is not a list of objects'],
    ['an object without an id', [{ name: 'lost' }], 'lists an object without an id'],
    ['an object whose id is empty', [{ id: '' }], 'lists an object without an id'],
    ['an object whose id is a path', [{ id: '.' }], 'has an object whose id cannot be `.`'],
    [
      'an object whose id is the path above',
      [{ id: '..' }],
      'has an object whose id cannot be `..`',
    ],
    ['two objects of one id', [{ id: 't1' }, { id: 't1' }], 'lists two objects with the id t1'],
    [
      'an object whose id no number can hold',
      [{ id: 2 ** 53 }],
      'has an object with an id that is too large a number: 9007199254740992',
    ],
    [
      'an object with a gap in one of its lists',
      [{ id: 't1', friends: ['t2', null] }],
      'contains null in `friends`',
    ],
    [
      'an object that points at an id which no number can hold',
      [{ id: 't1', friends: [{ id: 2 ** 60 }] }],
      'refers, in `friends.0`, to an id that is too large a number',
    ],
  ])('is not %s', async (_, body, why) => {
    server().get('/api/things').reply(200, body);
    expect(await failureOf(listObjects(client(), thing))).toMatchObject({
      code: 'API_BAD_ANSWER',
      message: `the response to GET /api/things ${why}`,
    });
  });

  test('a list under a parent has the parent’s id, encoded, in its path', async () => {
    server().get('/api/homes/a%2Fb/things').reply(200, []);
    expect(await listObjects(client(), nested, remoteId('a/b'))).toEqual([]);
  });
});

describe('one object', () => {
  test('is read at its own path', async () => {
    server().get('/api/things/t1').reply(200, { id: 't1' });
    expect(await readObject(client(), thing, at)).toEqual({ id: 't1' });
  });

  test('is read at its own path, with any id encoded', async () => {
    server().get('/api/things/a%2Fb%3Fc').reply(200, { id: 'a/b?c' });
    expect(await readObject(client(), thing, { id: remoteId('a/b?c') })).toEqual({ id: 'a/b?c' });
  });

  test('is not requested for an id that is a path', async () => {
    for (const id of ['.', '..'])
      for (const asked of [
        readObject(client(), thing, { id: remoteId(id) }),
        deleteObject(client(), thing, { id: remoteId(id) }),
        listObjects(client(), nested, remoteId(id)),
      ])
        expect(await failureOf(asked)).toMatchObject({
          code: 'API_INVALID',
          message: `the id of a thing cannot be \`${id}\``,
        });
  });

  test('is read at the path of its parent', async () => {
    server().get('/api/homes/h1/things/t1').reply(200, { id: 't1' });
    const place = { ...at, parentId: remoteId('h1') };
    expect(await readObject(client(), nested, place)).toEqual({ id: 't1' });
  });

  test('an object of a singleton kind is read at the collection’s path', async () => {
    const single = kindWith({ cardinality: 'singleton' });
    server().get('/api/things').reply(200, { id: 5 });
    expect(await readObject(client(), single, { id: remoteId(5) })).toEqual({ id: 5 });
  });

  test('an object without its own path is found in the list', async () => {
    const listed = kindWith({ readAfterWrite: 'list' });
    const objects = [{ id: 't0' }, { id: 't1', name: 'one' }];
    server().get('/api/things').twice().reply(200, objects);
    expect(await readObject(client(), listed, at)).toEqual({ id: 't1', name: 'one' });
    expect(await failureOf(readObject(client(), listed, { id: remoteId('t9') }))).toMatchObject({
      code: 'API_NOT_FOUND',
      message: '/api/things no longer lists t9',
    });
  });

  test('is refused if one of its lists has a gap: a write would close it', async () => {
    server()
      .get('/api/things/t1')
      .reply(200, { id: 't1', friends: [null] });
    expect(await failureOf(readObject(client(), thing, at))).toMatchObject({
      code: 'API_BAD_ANSWER',
      message: 'the response to GET /api/things/t1 contains null in `friends`',
    });
  });

  test('is not accepted as a list', async () => {
    server().get('/api/things/t1').reply(200, []);
    expect(await failureOf(readObject(client(), thing, at))).toMatchObject({
      code: 'API_BAD_ANSWER',
    });
  });
});

describe('a create', () => {
  test('returns the id and the whole response', async () => {
    server().post('/api/things', { name: 'one' }).reply(200, { id: 1, name: 'one' });
    expect(await createObject(client(), thing, { name: 'one' })).toEqual({
      id: '1',
      answer: { id: 1, name: 'one' },
    });
  });

  test.each([
    ['nothing', ''],
    ['no object', '"done"'],
    ['no id', '{"name":"one"}'],
    ['an id that no number can hold', '{"id":9007199254740993}'],
  ])('a create that is answered with %s may have created its object', async (_, body) => {
    server().post('/api/things').reply(200, body);
    expect(await failureOf(createObject(client(), thing, {}))).toMatchObject({
      code: 'API_BAD_ANSWER',
      mayHaveHappened: true,
    });
  });
});

describe('a secret that is shown once', () => {
  const keyed = kindWith({ oneTimeSecret: { field: 'plain_token', envelope: 'made' } });
  const made = { id: 't1', name: 'one' };
  const shown = async (plain_token: unknown) => {
    server().post('/api/things').reply(200, JSON.stringify({ plain_token, made }));
    return (await createObject(client(), keyed, {})).revealed;
  };

  test.each<[string, unknown, string | undefined]>([
    ['a string', 'hush', 'hush'],
    ['an object with it alone', { token: 'hush' }, 'hush'],
    ['an object that begins with an id', { id: 't1', token: 'hush' }, 'hush'],
    ['an object with an id of its own', { id: 'k9', token: 'hush' }, 'hush'],
    ['an object with the name', { name: 'one', value: 'hush' }, 'hush'],
    ['an object with more texts', { hint: 'hu', plain_token: 'hush' }, 'hush'],
    ['an object that does not tell which it is', { first: 'hush', second: 'hash' }, undefined],
    ['an object without a text', { id: 't1' }, undefined],
  ])('is found in %s', async (_, plain_token, secret) => {
    expect(await shown(plain_token)).toBe(secret);
  });
});

describe('an update', () => {
  test('returns the response', async () => {
    server().put('/api/things/t1', { name: 'two' }).reply(200, { id: 't1', name: 'two' });
    expect(await updateObject(client(), thing, at, { name: 'two' })).toEqual({
      id: 't1',
      name: 'two',
    });
  });

  test.each([
    ['nothing', ''],
    ['an empty object', '{}'],
    ['another object', '{"id":"t2"}'],
    ['a list', '[]'],
  ])('an update that is answered with %s leaves unknown what was stored', async (_, body) => {
    server().put('/api/things/t1').reply(200, body);
    expect(await updateObject(client(), thing, at, {})).toBeNull();
  });
});

test('a delete needs no response body', async () => {
  server().delete('/api/things/t1').reply(200, {});
  expect(await deleteObject(client(), thing, at)).toBeUndefined();
});
