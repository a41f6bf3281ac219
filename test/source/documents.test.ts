// YAML documents: their values, and the place of every part, whatever the file's line ends, anchors and merges.
import { describe, expect, test } from 'vitest';
import { spanText } from '../../src/model/diagnostic.ts';
import type { Path } from '../../src/model/value.ts';
import { parseDocuments } from '../../src/source/yaml/document.ts';

const parsed = (text: string) => parseDocuments({ file: 'f', text });
const values = (text: string) => parsed(text).documents.map(({ value }) => value);
const faults = (text: string) => parsed(text).diagnostics.map(({ message }) => message);

function placesOf(text: string, ...paths: readonly Path[]): string[] {
  const [document] = parsed(text).documents;
  return paths.map(path => (document ? spanText(document.at(path)) : 'no document'));
}

function keysOf(text: string, ...paths: readonly Path[]): string[] {
  const [document] = parsed(text).documents;
  return paths.map(path => (document ? spanText(document.keyAt(path)) : 'no document'));
}

describe('the place of a value', () => {
  const text = 'groups:\n  - name: engineers\n    peers: [a, b]\n  - { name: x }\n';

  test('is where it begins', () => {
    expect(
      placesOf(
        text,
        [],
        ['groups'],
        ['groups', '0'],
        ['groups', '0', 'peers', '1'],
        ['groups', '1', 'name'],
      ),
    ).toEqual(['f:1:1', 'f:2:3', 'f:2:5', 'f:3:16', 'f:4:13']);
  });

  test('is that of the nearest enclosing value if it is missing', () => {
    expect(placesOf(text, ['groups', '0', 'nothing', 'below'])).toEqual(['f:2:5']);
    expect(placesOf(text, ['policies'])).toEqual(['f:1:1']);
  });

  test('is that of its key if the value is empty', () => {
    expect(placesOf('groups:\n  - name:\n', ['groups', '0', 'name'])).toEqual(['f:2:5']);
    expect(placesOf('groups:\n', ['groups'])).toEqual(['f:1:1']);
    expect(placesOf('groups: ~\n', ['groups'])).toEqual(['f:1:9']);
  });

  test('does not count a byte order mark', () => {
    expect(placesOf(`\uFEFF${text}`, ['groups'], ['groups', '0'])).toEqual(['f:2:3', 'f:2:5']);
    expect(keysOf(`\uFEFF${text}`, ['groups'])).toEqual(['f:1:1']);
  });

  test('does not depend on line endings', () => {
    const dos = text.replaceAll('\n', '\r\n');
    expect(placesOf(dos, ['groups', '1', 'name'])).toEqual(['f:4:13']);
    expect(values(dos)).toEqual(values(text));
  });

  test('counts characters as editors do', () => {
    expect(placesOf('a: { ü: "ö", x: y }\n', ['a', 'x'])).toEqual(['f:1:17']);
  });
});

describe('the place of a key', () => {
  test('is where the key begins', () => {
    const text = 'groups:\n  - name: engineers\n';
    expect(keysOf(text, ['groups'], ['groups', '0', 'name'])).toEqual(['f:1:1', 'f:2:5']);
  });

  test('is that of the member in a list', () => {
    expect(keysOf('a: [x, y]\n', ['a', '1'])).toEqual(['f:1:8']);
  });
});

describe('anchors', () => {
  const text =
    'a: &a { x: 1, y: [2, 3] }\nb: *a\nc: { <<: *a, y: 4 }\nd:\n  <<: [*a, { z: 5, x: 9 }]\n';

  test('insert their values', () => {
    expect(values(text)).toEqual([
      {
        a: { x: 1, y: [2, 3] },
        b: { x: 1, y: [2, 3] },
        c: { y: 4, x: 1 },
        d: { x: 1, y: [2, 3], z: 5 },
      },
    ]);
  });

  test('keep the place where the inserted value was written', () => {
    expect(placesOf(text, ['b'], ['b', 'y', '1'], ['c', 'x'], ['c', 'y'], ['d', 'z'])).toEqual([
      'f:2:4',
      'f:1:22',
      'f:1:12',
      'f:3:17',
      'f:5:17',
    ]);
    expect(keysOf(text, ['b'], ['c', 'x'])).toEqual(['f:2:1', 'f:1:9']);
  });

  test('may be used any number of times', () => {
    const often = `a: &a [x]\nb: [${Array(500).fill('*a').join(', ')}]\n`;
    expect(faults(often)).toEqual([]);
  });

  test('refer to the nearest anchor above, not below', () => {
    expect(values('- &a 1\n- *a\n- &a 2\n- *a\n')).toEqual([[1, 1, 2, 2]]);
    expect(faults('- *a\n- &a 1\n')).toEqual([
      expect.stringContaining('no anchor above it has that name'),
    ]);
  });

  test('end with their document', () => {
    expect(faults('a: &a 1\n---\nb: *a\n')).toEqual([
      expect.stringContaining('no anchor above it has that name'),
    ]);
  });
});

describe('several documents', () => {
  test('are read separately', () => {
    expect(values('a: 1\n---\nb: 2\n---\n# nothing\n')).toEqual([{ a: 1 }, { b: 2 }, null]);
  });

  test('have their places in the one file', () => {
    const [, second] = parsed('a: 1\n---\nb: 2\n').documents;
    expect(second && spanText(second.at(['b']))).toBe('f:3:4');
  });

  test('lose only the document that cannot be read', () => {
    const { documents, isCut } = parsed('a: 1\n---\nb: [\n---\nc: 3\n');
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 3 }]);
    expect(isCut).toBe(true);
  });
});

describe('scalars', () => {
  test('follow YAML 1.2, and keep their original text', () => {
    const [document] = parsed('a: 6.10\nb: 010\nc: no\nd: "6.10"\ne: 0x1F\nf: 1e3\n').documents;
    expect(document?.value).toEqual({ a: 6.1, b: 10, c: 'no', d: '6.10', e: 31, f: 1000 });
    expect(['a', 'b', 'd', 'e'].map(key => document?.writtenAt([key]))).toEqual([
      '6.10',
      '010',
      undefined,
      '0x1F',
    ]);
  });

  test('are strings as keys', () => {
    expect(values('007: a\n1.10: b\ntrue: c\n~: d\n"8": e\n')).toEqual([
      { '007': 'a', '1.10': 'b', true: 'c', '~': 'd', '8': 'e' },
    ]);
  });

  test('cannot change built-in objects', () => {
    const [value] = values('__proto__: { polluted: true }\nconstructor: x\n');
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.hasOwn({}, 'polluted') || 'polluted' in {}).toBe(false);
  });
});

describe('inputs that would take too long', () => {
  test('aliases of aliases of aliases', () => {
    const levels = 'abcdefgh'.split('');
    const line = (name: string, i: number) =>
      `${name}: &${name} [${Array(10)
        .fill(i === 0 ? 'x' : `*${levels[i - 1]}`)
        .join(', ')}]`;
    expect(faults(levels.map(line).join('\n'))).toEqual([
      expect.stringContaining('more than 1000000 values'),
    ]);
  });

  test('an alias inside its own anchor', () => {
    expect(faults('a: &a [*a]\n')).toEqual([
      expect.stringContaining('this alias is inside the value that it repeats'),
    ]);
  });

  test.each([
    ['lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['dashes', (depth: number) => `${'- '.repeat(depth)}x\n`],
    ['mappings', (depth: number) => `${'{a: '.repeat(depth)}1${'}'.repeat(depth)}`],
  ])('%s nested too deeply', (_, nested) => {
    // The last depth took minutes while each fault of a line read the line again.
    for (const depth of [100, 5000, 200_000]) {
      expect(faults(nested(depth))).toEqual([expect.stringContaining('nested')]);
    }
  });
});

test('a conflict marker of a merge counts only at the beginning of a line, which a separator in a text does not begin', () => {
  const conflict = ['this file contains an unresolved merge conflict'];
  for (const text of ['>>>>>>> x\n', 'a: 1\r\n<<<<<<< x\r\n', 'a: 1\n<<<<<<<'])
    expect(faults(text)).toEqual(conflict);
  for (const text of ['a: b\u2028>>>>>>> x\n', 'a: b >>>>>>> x\n', '>>>>>>>>: x\n'])
    expect(faults(text)).not.toEqual(conflict);
});
