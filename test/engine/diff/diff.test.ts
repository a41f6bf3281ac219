import { describe, expect, test } from 'vitest';
import { type DiffOptions, diffFields } from '../../../src/engine/diff/diff.ts';
import { objectShape } from '../../../src/kinds/schema/shape.ts';
import { canonicalFields } from '../../../src/kinds/values/canonical.ts';
import { secretFrom } from '../../../src/model/secrets/secret.ts';
import type { Fields, JsonObject } from '../../../src/model/value.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const SCHEMA: JsonObject = {
  type: 'object',
  required: ['owner'],
  oneOf: [{ required: ['peer'] }, { required: ['peers'] }],
  properties: {
    name: text,
    owner: { ...text, 'x-trait': { mutability: 'immutable' } },
    note: text,
    enabled: { type: 'boolean', default: true },
    steps: texts,
    tags: { ...texts, 'x-trait': { set: true } },
    open: { ...texts, default: [], 'x-trait': { set: true } },
    members: { ...texts, 'x-trait': { ref: 'peer', set: true, shared: true } },
    rules: {
      type: 'array',
      'x-trait': { set: { by: 'name' } },
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, port: { type: 'integer', default: 1 }, about: text },
      },
    },
    headers: { type: 'object', additionalProperties: { ...text, 'x-trait': { secret: true } } },
    grants: { type: 'object', additionalProperties: { ...texts, 'x-trait': { set: true } } },
    place: { type: 'object', properties: { city: text, street: text } },
    target: {
      type: 'object',
      'x-trait': { ref: { oneOf: { peer: { type: 'peer' }, group: { type: 'group' } } } },
    },
    peer: text,
    peers: { ...texts, 'x-trait': { set: true } },
    password: { ...text, writeOnly: true },
    expires: { type: 'integer', 'x-trait': { inputOnly: true } },
    count: { type: 'integer', readOnly: true },
    links: { ...texts, 'x-trait': { sentBack: true } },
  },
};
const SHAPE = objectShape(SCHEMA, SCHEMA);

function diff(desired: Fields, live: Fields, options: Partial<DiffOptions> = {}) {
  const after = canonicalFields(SHAPE, desired, 'desired');
  const before = canonicalFields(SHAPE, live, 'live');
  return diffFields(SHAPE, after, before, {
    written: desired,
    ignore: new Set(),
    exact: new Set(),
    base: {},
    ...options,
  });
}

/** The paths at which two sides differ. */
const paths = (desired: Fields, live: Fields, options: Partial<DiffOptions> = {}) =>
  diff({ enabled: false, ...desired }, live, options).map(({ path }) => path.join('.'));

describe('values', () => {
  test('values that differ are changed', () => {
    expect(diff({ note: 'new', enabled: true }, { note: 'old', enabled: true })).toEqual([
      { type: 'value', path: ['note'], before: 'old', after: 'new' },
    ]);
  });

  test('values that come from a default are marked', () => {
    expect(diff({}, { enabled: false })).toEqual([
      { type: 'value', path: ['enabled'], before: false, after: true, byDefault: true },
    ]);
  });

  test('values that are not declared stay, unless they have a default', () => {
    expect(paths({}, { note: 'kept', tags: ['kept'] })).toEqual([]);
    expect(paths({}, { open: ['22'] })).toEqual(['open']);
  });

  test('empty values are all equal', () => {
    expect(paths({ note: '', tags: [], grants: {} }, {})).toEqual([]);
    expect(paths({ steps: [] }, { note: '' })).toEqual([]);
  });

  test('values that cannot be read back, or belong to the server or another object, are not compared', () => {
    const one = { password: 'a', expires: 1, count: 1, links: ['a'] };
    expect(paths(one, { password: 'b', expires: 2, count: 2, links: ['b'] })).toEqual([]);
  });

  test('ignored values are not compared', () => {
    expect(paths({ note: 'new' }, { note: 'old' }, { ignore: new Set(['note']) })).toEqual([]);
  });

  test('a changed immutable value replaces the object', () => {
    expect(diff({ owner: 'ada', enabled: true }, { owner: 'bob', enabled: true })).toEqual([
      { type: 'value', path: ['owner'], before: 'bob', after: 'ada', replaces: true },
    ]);
  });

  test('values that exclude each other replace each other', () => {
    expect(diff({ peers: ['a'], enabled: true }, { peer: 'b', enabled: true })).toEqual([
      { type: 'value', path: ['peer'], before: 'b' },
      { type: 'value', path: ['peers'], after: ['a'] },
    ]);
  });

  test('references to different kinds differ', () => {
    expect(paths({ target: { peer: 'a' } }, { target: { id: '1', type: 'group' } })).toEqual([
      'target',
    ]);
    expect(paths({ target: { peer: 'a' } }, { target: { peer: 'a' } })).toEqual([]);
  });
});

describe('lists', () => {
  test('are compared by order if it matters', () => {
    expect(paths({ steps: ['a', 'b'] }, { steps: ['b', 'a'] })).toEqual(['steps']);
  });

  test('are compared without order if it does not matter', () => {
    expect(paths({ tags: ['a', 'b', 'a'] }, { tags: ['b', 'a'] })).toEqual([]);
  });

  test('gain and lose members', () => {
    expect(diff({ tags: ['a', 'c'], enabled: true }, { tags: ['b', 'a'], enabled: true })).toEqual([
      { type: 'members', path: ['tags'], added: ['c'], removed: ['b'], kept: ['a'], foreign: [] },
    ]);
  });

  test('lose members by default', () => {
    expect(diff({ enabled: true }, { open: ['22'], enabled: true })).toEqual([
      {
        type: 'members',
        path: ['open'],
        added: [],
        removed: ['22'],
        kept: [],
        foreign: [],
        byDefault: true,
      },
    ]);
  });
});

describe('keyed lists', () => {
  const rule = (name: string, port = 1) => ({ name, port });

  test('change inside an item', () => {
    expect(paths({ rules: [rule('a', 2), rule('b')] }, { rules: [rule('b'), rule('a')] })).toEqual([
      'rules.a.port',
    ]);
  });

  test('gain and lose items', () => {
    const found = diff(
      { rules: [rule('a'), rule('b')], enabled: true },
      { rules: [rule('c'), rule('d'), rule('e')], enabled: true },
    );
    expect(
      found.map(change => [
        change.path.join('.'),
        change.type === 'value' && change.after !== undefined,
      ]),
    ).toEqual([
      ['rules.a', true],
      ['rules.b', true],
      ['rules.c', false],
      ['rules.d', false],
      ['rules.e', false],
    ]);
  });

  test('match the only remaining item with the only desired one, as renamed', () => {
    expect(
      paths({ rules: [rule('a'), rule('new', 2)] }, { rules: [rule('a'), rule('old')] }),
    ).toEqual(['rules.new.name', 'rules.new.port']);
  });

  test('mark defaults inside items', () => {
    const [change] = diff(
      { rules: [{ name: 'a' }], enabled: true },
      { rules: [rule('a', 2)], enabled: true },
    );
    expect(change).toMatchObject({ path: ['rules', 'a', 'port'], after: 1, byDefault: true });
  });
});

describe('maps and objects', () => {
  test('differ key by key', () => {
    expect(paths({ grants: { a: ['x'], b: [] } }, { grants: { a: ['y'], c: [] } })).toEqual([
      'grants.a',
      'grants.b',
      'grants.c',
    ]);
  });

  test('may hold secrets that are only present or absent', () => {
    const headers = (...names: string[]) =>
      Object.fromEntries(names.map(name => [name, secretFrom('${env:X}')]));
    const read = (...names: string[]) =>
      Object.fromEntries(names.map(name => [name, secretFrom('')]));
    expect(paths({ headers: headers('a') }, { headers: read('a') })).toEqual([]);
    expect(paths({ headers: headers('a') }, { headers: read('b') })).toEqual([
      'headers.a',
      'headers.b',
    ]);
  });

  test('differ field by field, with a missing string equal to an empty one', () => {
    expect(paths({ place: { city: 'Ghent' } }, { place: { city: 'Ghent', street: '' } })).toEqual(
      [],
    );
    expect(
      paths({ place: { city: 'Ghent' } }, { place: { city: 'Bruges', street: 'Markt' } }),
    ).toEqual(['place.city', 'place.street']);
  });
});

describe('shared sets', () => {
  test('gain what is declared and lose nothing that others added', () => {
    const [change] = diff(
      { members: ['a', 'b'], enabled: true },
      { members: ['b', 'c'], enabled: true },
    );
    expect(change).toEqual({
      type: 'members',
      path: ['members'],
      added: ['a'],
      removed: [],
      kept: ['b'],
      foreign: ['c'],
    });
  });

  test('lose members that the base declared and the files no longer do', () => {
    const [change] = diff(
      { members: ['a'], enabled: true },
      { members: ['a', 'b', 'c'], enabled: true },
      { base: { members: ['a', 'b'] } },
    );
    expect(change).toMatchObject({ added: [], removed: ['b'], kept: ['a'], foreign: ['c'] });
  });

  test('lose them although the files no longer declare the set', () => {
    expect(paths({}, { members: ['b', 'c'] }, { base: { members: ['b'] } })).toEqual(['members']);
    expect(paths({}, { members: ['b', 'c'] })).toEqual([]);
  });

  test('are exactly as declared if `lifecycle.exact` names them', () => {
    const exact = new Set(['members']);
    const [change] = diff(
      { members: ['a'], enabled: true },
      { members: ['a', 'c'], enabled: true },
      { exact },
    );
    expect(change).toMatchObject({ removed: ['c'], foreign: [] });
    expect(paths({}, { members: ['c'] }, { exact })).toEqual([]);
  });
});
