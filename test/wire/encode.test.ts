// What is sent. Keys have become ids, nothing is sent that was masked, and a PUT loses nothing it did not mean to.
import { describe, expect, test } from 'vitest';
import { secretFrom } from '../../src/model/secrets/secret.ts';
import type { Fields, JsonObject } from '../../src/model/value.ts';
import { encodeCreate, encodeUpdate } from '../../src/wire/encode.ts';
import { INVENTED_KIND, refusalOf, resolve } from './inventedKinds.ts';

const created = (fields: Fields) => encodeCreate(INVENTED_KIND, fields, resolve);
const updated = (fields: Fields, read: JsonObject) =>
  encodeUpdate(INVENTED_KIND, fields, read, resolve);

const KEY = secretFrom('${env:KEY}');

describe('a create', () => {
  test('sends declared values, and nothing that the server alone sets', () => {
    expect(created({ name: 'lamp', size: 0, id: 'x', made: 'today', note: 'n' })).toEqual({
      name: 'lamp',
      size: 0,
      note: 'n',
    });
  });

  test('sends an empty field that the API requires', () => {
    expect(created({ name: 'lamp' })).toEqual({ name: 'lamp', note: '' });
  });

  test('does not send fields that only an update accepts', () => {
    expect(created({ name: 'lamp', late: true })).not.toHaveProperty('late');
  });

  test('sends empty values of its own fields, because absent may mean something else', () => {
    expect(created({ name: '', crews: [], users: {} })).toMatchObject({
      name: '',
      crews: [],
      users: {},
    });
  });

  test('turns keys into ids wherever they occur', () => {
    const fields = {
      crews: ['a', 'id:c7'],
      lead: 'b',
      users: { a: ['root'], b: [] },
      parts: [{ name: 'p', mode: 'x', from: ['a'] }],
    };
    expect(created(fields)).toMatchObject({
      crews: ['id of a', 'c7'],
      lead: 'id of b',
      users: { 'id of a': ['root'], 'id of b': [] },
      parts: [{ name: 'p', mode: 'x', from: ['id of a'] }],
    });
  });

  test('decrypts secrets, at the top level and inside values', () => {
    expect(created({ key: KEY, password: KEY, hook: { url: 'u', headers: { A: KEY } } })).toEqual({
      note: '',
      key: 'opened',
      password: 'opened',
      hook: { url: 'u', headers: { A: 'opened' } },
    });
  });

  test.each<[string, Fields]>([
    ['a field of its own', { key: secretFrom('') }],
    ['somewhere inside', { hook: { url: 'u', headers: { A: KEY, B: secretFrom('') } } }],
  ])('refuses to send a secret that was only read: %s', (_, fields) => {
    expect(refusalOf(() => created(fields)).code).toBe('SECRET_UNDEFINED');
  });
});

describe('a reference with the type of its target', () => {
  const origin = (origin: JsonObject, read?: JsonObject) => {
    const parts = [{ name: 'p', mode: 'x', origin }];
    const shown = { parts: [{ id: 'p1', name: 'p', mode: 'x', ...(read && { origin: read }) }] };
    return updated({ parts }, shown).parts;
  };

  test('has the type that its kind has', () => {
    expect(origin({ machine: 'm' })).toMatchObject([
      { origin: { id: 'id of m', type: 'machine' } },
    ]);
  });

  test('has the type of its target', () => {
    expect(origin({ crew: 'a' })).toMatchObject([{ origin: { id: 'id of a', type: 'red' } }]);
  });

  test('keeps the type it was read with, if nothing else is known', () => {
    expect(origin({ crew: 'id:c7' }, { id: 'c7', type: 'blue' })).toMatchObject([
      { origin: { id: 'c7', type: 'blue' } },
    ]);
  });

  test.each([undefined, { id: 'c8', type: 'blue' }])('is refused without a type', read => {
    expect(refusalOf(() => ({ sent: origin({ crew: 'id:c7' }, read) ?? null }))).toMatchObject({
      code: 'API_BAD_ANSWER',
      message: 'the account does not return the `colour` of crew id:c7, so nothing can refer to it',
    });
  });
});

describe('inside a value', () => {
  const part = (fields: JsonObject) => created({ parts: [fields] }).parts;

  test('empty fields are left out, unless they are required', () => {
    const said = { name: 'p', mode: '', note: '', ports: [], from: ['a'] };
    expect(part(said)).toEqual([{ name: 'p', mode: '', from: ['id of a'] }]);
  });

  test('the chosen one of two fields is sent even if it is empty', () => {
    expect(part({ name: 'p', mode: 'x', from: [] })).toEqual([{ name: 'p', mode: 'x', from: [] }]);
  });

  test('only the first of two fields with values is sent inside a value', () => {
    expect(part({ name: 'p', mode: 'x', from: ['a'], origin: { machine: 'm' } })).toEqual([
      { name: 'p', mode: 'x', from: ['id of a'] },
    ]);
  });

  test('a present field without a value is not sent beside one with a value', () => {
    expect(part({ name: 'p', mode: 'x', from: [], origin: { machine: 'm' } })).toEqual([
      { name: 'p', mode: 'x', origin: { id: 'id of m', type: 'machine' } },
    ]);
  });
});

describe('an update', () => {
  const read = { id: 't1', made: 'today', name: 'lamp', note: 'n', size: 3, crews: ['c1'] };

  test('sends the values that were read, overlaid by the declared ones', () => {
    expect(updated({ size: 0, note: '' }, read)).toEqual({
      name: 'lamp',
      note: '',
      size: 0,
      crews: ['c1'],
    });
  });

  test('sends ids as they were read, whether as ids or as objects', () => {
    const crews = [{ id: 'c1', name: 'a', peers_count: 3 }, 'c2', { id: 3 }];
    expect(updated({}, { ...read, crews }).crews).toEqual(['c1', 'c2', '3']);
  });

  test('sends an empty list for a list that was read as null', () => {
    expect(updated({ size: 1 }, { id: 't1', name: 'lamp', crews: null })).toMatchObject({
      crews: [],
    });
  });

  test('sends no values that the account has and the schema does not', () => {
    expect(updated({}, { ...read, added_in_a_later_release: true })).not.toHaveProperty(
      'added_in_a_later_release',
    );
  });

  test('does not send fields that only a create accepts', () => {
    expect(updated({ lifetime: 5 }, { ...read, lifetime: 9 })).not.toHaveProperty('lifetime');
  });

  test('sends fields that a create does not accept', () => {
    expect(updated({ late: true }, read)).toMatchObject({ late: true });
  });

  test('sends an empty field that the API requires and that was never set', () => {
    expect(updated({ size: 1 }, { id: 't1', name: 'lamp' })).toEqual({
      name: 'lamp',
      note: '',
      size: 1,
    });
  });
});

describe('of fields that exclude each other', () => {
  test('the declared one replaces the one that was read', () => {
    const sent = updated({ names: ['a.example'] }, { id: 't1', net: '10.0.0.0/8' });
    expect(sent).toMatchObject({ names: ['a.example'] });
    expect(sent).not.toHaveProperty('net');
  });

  test.each<[JsonObject, string[]]>([
    [{ net: '10.0.0.0/8', names: [] }, ['net']],
    [{ net: '', names: ['a.example'] }, ['names']],
    [{ net: '10.0.0.0/8', names: null }, ['net']],
  ])('the one with a value is sent back: %o', (shown, expected) => {
    const sent = updated({ size: 1 }, { id: 't1', ...shown });
    expect(Object.keys(sent).filter(name => name === 'net' || name === 'names')).toEqual(expected);
  });
});

describe('a field that is sent back', () => {
  test('is sent exactly as it was read', () => {
    const belongings = [{ id: 'b1', type: 'host', more: null }];
    expect(updated({}, { id: 't1', belongings }).belongings).toEqual(belongings);
  });

  test('is sent as an empty list if it was read as null', () => {
    expect(updated({}, { id: 't1', belongings: null }).belongings).toEqual([]);
  });

  test('is not invented if the server does not have it', () => {
    expect(updated({}, { id: 't1' })).not.toHaveProperty('belongings');
  });

  test('is not taken from the files, nor sent with a create', () => {
    const belongings = [{ id: 'ours' }];
    expect(updated({ belongings }, { id: 't1', belongings: [] }).belongings).toEqual([]);
    expect(created({ belongings })).not.toHaveProperty('belongings');
  });
});

describe('items that are identified by name', () => {
  const item = (name: string, id?: string) => ({
    name,
    mode: 'x',
    from: [],
    ...(id !== undefined && { id }),
  });
  const sent = (declared: string[], shown: JsonObject[]) =>
    updated({ parts: declared.map(name => item(name)) }, { id: 't1', parts: shown }).parts;

  test('keep the ids that they were read with', () => {
    expect(sent(['b', 'a'], [item('a', 'p1'), item('b', 'p2')])).toEqual([
      item('b', 'p2'),
      item('a', 'p1'),
    ]);
  });

  test('take over the id of the only remaining one, which was renamed', () => {
    expect(sent(['a', 'new'], [item('a', 'p1'), item('old', 'p2')])).toEqual([
      item('a', 'p1'),
      item('new', 'p2'),
    ]);
  });

  test('have no id if they are new', () => {
    expect(sent(['a', 'b'], [item('a', 'p1')])).toEqual([item('a', 'p1'), item('b')]);
    expect(sent(['c', 'd'], [item('a', 'p1')])).toEqual([item('c'), item('d')]);
  });

  test('are sent back unchanged if they are undeclared', () => {
    const parts = [{ ...item('a', 'p1'), from: [{ id: 'c1', name: 'x' }], note: '', later: 1 }];
    expect(updated({ size: 1 }, { id: 't1', parts }).parts).toEqual([
      { id: 'p1', name: 'a', mode: 'x', from: ['c1'] },
    ]);
  });
});

describe('a secret that only the account has', () => {
  const hook = { url: 'u', headers: { A: '****' } };

  test.each(['****', '', 'in the clear'])('is not sent back, read as %o', key => {
    const sent = updated({ size: 1 }, { id: 't1', key, password: key });
    expect(sent).toEqual({ note: '', size: 1 });
  });

  test('inside a value that must be sent again stops the write', () => {
    expect(refusalOf(() => updated({ size: 1 }, { id: 't1', hook }))).toEqual({
      code: 'SECRET_UNDEFINED',
      message:
        '`hook` contains a secret that the server does not return, so it cannot be sent again',
      hint: 'declare `hook` with the secret in it',
    });
  });

  test('is replaced by the declared one', () => {
    const declared = { key: KEY, hook: { url: 'u', headers: { A: KEY } } };
    expect(updated(declared, { id: 't1', key: '****', hook })).toMatchObject({
      key: 'opened',
      hook: { url: 'u', headers: { A: 'opened' } },
    });
  });
});
