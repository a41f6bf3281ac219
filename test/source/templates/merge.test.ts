// Merging trees: the rules of a JSON Merge Patch, and the place of every value.
import { describe, expect, test } from 'vitest';
import { placeText } from '../../../src/model/diagnostic.ts';
import type { Json, Path } from '../../../src/model/value.ts';
import { composed, mergedTree } from '../../../src/source/templates/merge.ts';
import { parseDocuments } from '../../../src/source/yaml/document.ts';
import type { SourceNode } from '../../../src/source/yaml/node.ts';
import type { Tree } from '../../../src/source/yaml/tree.ts';
import { fc } from '../../support/seeded.ts';

function nodeIn(file: string, text: string): SourceNode {
  const [document] = parseDocuments({ file, text }).documents;
  if (!document) throw new Error('no document');
  return document;
}

function merge(under: string, over: string): SourceNode {
  const below = nodeIn('under', under);
  const above = nodeIn('over', over);
  const from = { ...below.written([]), role: 'template' as const };
  const tree = mergedTree({ tree: below.tree, from }, above.tree);
  return above.withTree({ ...tree, from: { ...above.written([]), role: 'object' } });
}

const valueAfter = (under: string, over: string): Json => merge(under, over).value;
const placesOf = (node: SourceNode, ...paths: Path[]) =>
  paths.map(path => placeText(node.at(path)));

/** RFC 7396, as its text has it. */
function patched(target: Json | undefined, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isMapping = typeof target === 'object' && target !== null && !Array.isArray(target);
  const result = new Map(isMapping ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, patched(result.get(key), value));
  }
  return Object.fromEntries(result);
}

/** The value as JSON, with the keys of every mapping in order. */
function sortedText(value: Json): string {
  const entries = (found: object) =>
    Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(value, (_, found) =>
    typeof found === 'object' && found !== null && !Array.isArray(found)
      ? Object.fromEntries(entries(found))
      : found,
  );
}

describe('a merge', () => {
  test('merges mappings, replaces lists and scalars, and removes what is null', () => {
    expect(
      valueAfter(
        'a: 1\nb: { c: [1, 2], d: x, e: y }\nf: gone\ng: kept\n',
        'a: 2\nb: { c: [3], d: null }\nf: null\n',
      ),
    ).toEqual({ a: 2, b: { c: [3], e: 'y' }, g: 'kept' });
  });

  test('replaces a mapping by a scalar and a scalar by a mapping, without its nulls', () => {
    expect(valueAfter('a: { b: 1 }\nc: 1\n', 'a: 1\nc: { d: null, e: 2 }\n')).toEqual({
      a: 1,
      c: { e: 2 },
    });
  });

  test('keeps nulls in a list', () => {
    expect(valueAfter('a: [1]', 'a: [null, { b: null }]')).toEqual({ a: [null, { b: null }] });
  });

  test('a merge of hostile keys changes only the mapping', () => {
    const result = valueAfter(
      '__proto__: { polluted: 1 }\nconstructor: { a: 1 }\n',
      '__proto__: { more: 2 }\nconstructor: { prototype: { b: 1 } }\n',
    );
    expect(JSON.stringify(result)).toBe(
      '{"__proto__":{"polluted":1,"more":2},"constructor":{"a":1,"prototype":{"b":1}}}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  test('does not treat an unreadable value as a removal', () => {
    const node = merge('a: 1\n', 'a: *nothing\n');
    expect(node.isBroken(['a'])).toBe(true);
  });

  test('keeps the place of every value, and says what uses it', () => {
    const node = merge(
      'a: 1\nb: { c: 1, d: { e: [x, y] } }\nf: { g: { h: 1 } }\n',
      'z: 1\nb: { c: 2, d: { i: 1 } }\n',
    );
    expect(
      placesOf(
        node,
        ['a'],
        ['b'],
        ['b', 'c'],
        ['b', 'd', 'i'],
        ['b', 'd', 'e', '1'],
        ['f', 'g', 'h'],
      ),
    ).toEqual([
      'under:1:4, used at over:1:1',
      'over:2:4',
      'over:2:9',
      'over:2:20',
      'under:2:24, used at over:1:1',
      'under:3:14, used at over:1:1',
    ]);
    expect(node.position(['b', 'd', 'e', '1'])).toEqual({
      file: 'under',
      document: 0,
      path: ['b', 'd', 'e', '1'],
    });
    expect(placeText(node.keyAt(['f', 'g']))).toBe('under:3:6, used at over:1:1');
  });

  test('is a JSON Merge Patch of any two values', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const mapping = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value);
    fc.assert(
      fc.property(mapping, mapping, (under, over) => {
        const result = valueAfter(JSON.stringify(under), JSON.stringify(over));
        expect(JSON.stringify(result)).toBe(JSON.stringify(patched(under as Json, over as Json)));
      }),
    );
  });

  test('a merge of two merged patches is the same as of one after the other', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const mapping = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value);
    fc.assert(
      fc.property(mapping, mapping, mapping, mapping, (...patches) => {
        const [first, ...others] = patches.map(patch => nodeIn('p', JSON.stringify(patch)));
        if (!first) throw new Error('no patch');
        const from = first.written([]);
        const apply = (trees: readonly Tree[]) =>
          trees.reduce<Tree>((tree, over) => mergedTree({ tree, from }, over), first.tree).value;
        const [second, third, fourth] = others.map(({ tree }) => tree);
        if (!second || !third || !fourth) throw new Error('no patch');
        const joined = (under: Tree, over: Tree) => composed({ tree: under, from }, over);
        const one = sortedText(apply([second, third, fourth]));
        expect(sortedText(apply([joined(joined(second, third), fourth)]))).toBe(one);
        expect(sortedText(apply([joined(second, joined(third, fourth))]))).toBe(one);
      }),
    );
  });
});
