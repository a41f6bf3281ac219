// How long files and folders get, what they are called, how they begin, and what none of them does.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { found, isWritten, type Source, sources } from './support/project/sources.ts';

const TESTS = new URL('./', import.meta.url);

/** The folders with more than eighteen of these files. */
function crowded(paths: readonly string[]): string[] {
  const folders = Map.groupBy(paths, path => dirname(path));
  return [...folders].filter(([, files]) => files.length > 18).map(([folder]) => folder);
}

describe('files', () => {
  const written = sources.filter(isWritten);
  const length = ({ text }: Source) => text.trimEnd().split('\n').length;

  test('none is longer than 300 lines', () => {
    expect(written.filter(source => length(source) > 300).map(({ path }) => path)).toEqual([]);
  });

  test('half of them are shorter than 100 lines', () => {
    const lengths = written.map(length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(100);
  });

  test('no folder holds more than eighteen, registries of one file a thing apart', () => {
    const registries = ['cli/commands', 'emulator/resources', 'engine/checks', 'wire/transforms'];
    const paths = sources.map(({ path }) => path);
    expect(crowded(paths).filter(folder => !registries.includes(folder))).toEqual([]);
  });

  test('nor does a folder of tests', () => {
    const tests = readdirSync(TESTS, { recursive: true, encoding: 'utf8' });
    expect(crowded(tests.filter(path => path.endsWith('.ts')))).toEqual([]);
  });

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
      'base',
      'manager',
      'service',
    ];
    expect(
      written
        .filter(({ path }) => path.split('/').some(part => drawers.includes(basename(part, '.ts'))))
        .map(({ path }) => path),
    ).toEqual([]);
  });

  test('each begins by saying what it is', () => {
    expect(written.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => path)).toEqual(
      [],
    );
  });

  // A call has room for about a hundred thousand arguments; a list of objects may be longer.
  test('none hands the members of a list to a call as its arguments', () => {
    const spread =
      /\.(?:push|unshift|concat|fromCharCode|fromCodePoint)\(\s*\.\.\.|Math\.(?:max|min)\([^()]*\.\.\./g;
    expect(found(spread, isWritten)).toEqual([]);
  });

  test('none switches the type checker or the linter off', () => {
    const loose = /:\s*any\b|\bas any\b|<any>/g;
    expect(found(loose, () => true)).toEqual([]);
    const silenced = written.filter(({ text }) =>
      /@ts-(?:ignore|expect-error|nocheck)|biome-ignore/.test(text),
    );
    expect(silenced.map(({ path }) => path)).toEqual([]);
  });
});
