// Keys as text: whatever an object is called, its key reads back as that.
import { describe, expect, test } from 'vitest';
import { addressOf, idInKey, idKey, keyOf, segmentsOf } from '../../src/model/key.ts';
import { type Key, kindName, remoteId } from '../../src/model/names.ts';
import { fc } from '../support/seeded.ts';

const awkward = fc
  .array(fc.constantFrom('a', '/', '\\', ':', 'id:', ' ', '"', '.', 'ü'), {
    minLength: 1,
    maxLength: 8,
  })
  .map(parts => parts.join(''));
const name = fc.oneof(fc.string({ minLength: 1, unit: 'grapheme' }), awkward);

describe('a key without a parent', () => {
  test('is the name, letter by letter', () => {
    fc.assert(
      fc.property(name, text => {
        expect(keyOf([text])).toBe(text);
        expect(segmentsOf(keyOf([text]), 1)).toEqual([text]);
      }),
    );
  });
});

describe('a key with a parent', () => {
  test('parses to the two names', () => {
    fc.assert(
      fc.property(name, name, (parent, child) => {
        expect(segmentsOf(keyOf([parent, child]), 2)).toEqual([parent, child]);
      }),
    );
  });

  test('differs for other names', () => {
    fc.assert(
      fc.property(fc.tuple(name, name), fc.tuple(name, name), (one, other) => {
        fc.pre(one.join('\0') !== other.join('\0'));
        expect(keyOf(one)).not.toBe(keyOf(other));
      }),
    );
  });

  test.each([
    ['production/orders-db', ['production', 'orders-db']],
    ['a\\/b/c', ['a/b', 'c']],
    ['a/b\\/c', ['a', 'b/c']],
    ['a\\\\/b', ['a\\', 'b']],
  ])('%s', (key, names) => {
    expect(segmentsOf(key, 2)).toEqual(names);
    expect(keyOf(names)).toBe(key);
  });

  test.each(['orders-db', 'a/b/c', '/b', 'a/', '/', '', 'a\\/b'])('cannot be read from %j', key => {
    expect(segmentsOf(key, 2)).toBeNull();
  });
});

describe('an id for a key', () => {
  test.each(['ch8i4ug6lnn4g9hqv7m0', '17', 'a/b', ''])('%j is parsed back', id => {
    expect(idInKey(idKey(remoteId(id)))).toBe(id);
  });

  test.each(['engineers', 'ID:17', 'my id:17', ''])('is not parsed from %j', key => {
    expect(idInKey(key)).toBeNull();
  });
});

describe('an address', () => {
  test.each([
    ['engineers', 'group.engineers'],
    ['production/orders-db', 'group.production/orders-db'],
    ['two words', 'group["two words"]'],
    ['say "hi"', 'group["say \\"hi\\""]'],
    ['büro', 'group.büro'],
    ['-dash', 'group["-dash"]'],
    ['', 'group[""]'],
  ])('the address of %j is %s', (key, address) => {
    expect(addressOf(kindName('group'), key as Key)).toBe(address);
  });

  test('differs for another key', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        fc.pre(one !== other);
        const kind = kindName('group');
        expect(addressOf(kind, one as Key)).not.toBe(addressOf(kind, other as Key));
      }),
    );
  });
});
