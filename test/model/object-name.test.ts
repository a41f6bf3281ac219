// Names of objects in flags and hints: what is printed is read back as the same object, whatever the object is called.

import { describe, expect, test } from 'vitest';
import { kindNamedIn } from '../../src/kinds/lookup.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import type { Key } from '../../src/model/names.ts';
import { exactPattern, objectName, objectNamed, patternNamed } from '../../src/model/objectName.ts';
import { anyText, fc } from '../support/seeded.ts';

const kinds = readKinds();
const kindNamed = kindNamedIn(kinds);

const hostileName = fc.oneof(
  anyText({ minLength: 1 }),
  fc.string({
    unit: fc.constantFrom(...'ab/\\"\'[].*:\n\t $`é漢👩‍💻\u202e\u200b'),
    minLength: 1,
    maxLength: 12,
  }),
  fc.constantFrom(
    'group.a',
    'group["a"]',
    'group/a',
    '\\',
    '\\/',
    '*',
    'id:7',
    'networks.resources/a',
  ),
);

const object = fc
  .constantFrom(...kinds.values())
  .chain(kind =>
    fc
      .array(hostileName, { minLength: kind.depth, maxLength: kind.depth })
      .map(names => ({ kind, key: keyOf(names) })),
  );

describe('parsing a printed name returns the name', () => {
  test('parsing `kind/name` returns the name', () => {
    fc.assert(
      fc.property(object, ({ kind, key }) => {
        const printed = objectName({ kind: kind.name, key }, kind.depth);
        expect(objectNamed(printed, kindNamed)).toEqual({ kind: kind.name, key });
      }),
      { numRuns: 2000, seed: 13 },
    );
  });

  test('parsing an address returns the name', () => {
    fc.assert(
      fc.property(object, ({ kind, key }) => {
        const printed = addressOf(kind.name, key);
        expect(objectNamed(printed, kindNamed)).toEqual({ kind: kind.name, key });
      }),
      { numRuns: 2000, seed: 13 },
    );
  });

  test('parsing a pattern that means one object returns the name', () => {
    fc.assert(
      fc.property(object, ({ kind, key }) => {
        const printed = exactPattern({ kind: kind.name, key }, kind.depth);
        expect(patternNamed(printed, kindNamed)).toMatchObject({ kind: kind.name, parts: [key] });
      }),
      { numRuns: 2000, seed: 13 },
    );
  });
});

describe('a text names', () => {
  test.each([
    ['group/a', 'group', 'a'],
    ['group.a', 'group', 'a'],
    ['group["a"]', 'group', 'a'],
    ['groups/a', 'group', 'a'],
    ['group/a/b', 'group', 'a/b'],
    ['group/a\\/b', 'group', 'a/b'],
    ['group.a/b', 'group', 'a/b'],
    ['group["a/b"]', 'group', 'a/b'],
    ['group/a\\b', 'group', 'a\\b'],
    ['group/a.b', 'group', 'a.b'],
    ['group/x["y"]', 'group', 'x["y"]'],
    ['network_resource/net/db', 'network_resource', 'net/db'],
    ['networks.resources/net/db', 'network_resource', 'net/db'],
    ['networks.resources.net/db', 'network_resource', 'net/db'],
    ['network_resource["net/d\\\\/b"]', 'network_resource', 'net/d\\/b'],
    ['network_resource/net/d\\/b', 'network_resource', 'net/d\\/b'],
    ['group/id:7', 'group', 'id:7'],
  ])('%s', (text, kind, key) => {
    expect(objectNamed(text, kindNamed)).toEqual({ kind, key: key as Key });
  });

  test.each(['a', 'a/b', 'a.b', 'a["b"]', 'group', 'group["a', 'group["a" ]'])(
    '%s names no object',
    text => {
      expect(objectNamed(text, kindNamed)).toBeNull();
    },
  );

  test('a `*` matches any text, unless it is escaped or in quotes', () => {
    const partsOf = (text: string) => patternNamed(text, kindNamed)?.parts;
    expect(partsOf('group/a*b*')).toEqual(['a', 'b', '']);
    expect(partsOf('group.a*')).toEqual(['a', '']);
    expect(partsOf('group/a\\*b')).toEqual(['a*b']);
    expect(partsOf('group/a\\\\*b')).toEqual(['a\\', 'b']);
    expect(partsOf('group["a*b"]')).toEqual(['a*b']);
    expect(partsOf('network_resource/net/*')).toEqual(['net/', '']);
  });
});
