// What files are called, how they begin, and what none of them does.
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { found, sources } from './support/project/sources.ts';

describe('files', () => {
  test('none is a drawer', () => {
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

  test('each begins by saying what it is', () => {
    expect(sources.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => path)).toEqual(
      [],
    );
  });

  // A call has room for about a hundred thousand arguments; a list of objects may be longer.
  test('none hands the members of a list to a call as its arguments', () => {
    const spread =
      /\.(?:push|unshift|concat|fromCharCode|fromCodePoint)\(\s*\.\.\.|Math\.(?:max|min)\([^()]*\.\.\./g;
    expect(found(spread, () => true)).toEqual([]);
  });

  test('none switches the type checker or the linter off', () => {
    const loose = /:\s*any\b|\bas any\b|<any>/g;
    expect(found(loose, () => true)).toEqual([]);
    const silenced = sources.filter(({ text }) =>
      /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/.test(text),
    );
    expect(silenced.map(({ path }) => path)).toEqual([]);
  });
});
