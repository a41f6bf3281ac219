// What files are called, how they begin, and what none of them does.
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { found, sources } from './support/project/sources.ts';

describe('files', () => {
  test('no file has a name such as utils or helpers', () => {
    const drawers = [
      'util',
      'utils',
      'helper',
      'helpers',
      'common',
      'misc',
      'shared',
      'lib',
      'manager',
      'service',
    ];
    expect(
      sources
        .filter(({ path }) => path.split('/').some(part => drawers.includes(basename(part, '.ts'))))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('each file begins with a comment that says what it is', () => {
    expect(sources.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => path)).toEqual(
      [],
    );
  });

  // A call has room for about a hundred thousand arguments; a list of objects may be longer.
  test('no file spreads a list into the arguments of a call', () => {
    const spread =
      /\.(?:push|unshift|concat|fromCharCode|fromCodePoint)\(\s*\.\.\.|Math\.(?:max|min)\([^()]*\.\.\./g;
    expect(found(spread, () => true)).toEqual([]);
  });

  test('no file switches off the type checker or the linter', () => {
    const loose = /:\s*any\b|\bas any\b|<any>/g;
    expect(found(loose, () => true)).toEqual([]);
    const silenced = sources.filter(({ text }) =>
      /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/.test(text),
    );
    expect(silenced.map(({ path }) => path)).toEqual([]);
  });
});
