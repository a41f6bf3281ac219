// How text from outside reaches a sentence, a command line and a stream: by the functions that make it safe to print.
import { describe, expect, test } from 'vitest';
import { found, type Source, sources } from './support/project/sources.ts';

test('only the source, and the schema of its files, use the terms of templates and layers', () => {
  const knows = ({ room, path }: Source) => room === 'source' || path.startsWith('kinds/schema/');
  const words = /'(?:extends|for_each|omit|override|sets|templates)'/g;
  expect(found(words, source => !knows(source))).toEqual([]);
});

describe('text from outside', () => {
  const isPrinted = (source: Source) => source.room !== 'emulator';

  test('is quoted in a sentence by `quoted` only', () => {
    const quotes = ['model/text/visible.ts', 'report/text/markdown.ts'];
    const bare = found(/\\`\$\{.*/g, source => isPrinted(source) && !quotes.includes(source.path));
    expect(bare).toEqual([]);
  });

  test('is put into a command line by `shellWord`', () => {
    expect(found(/(?:--[a-z]+ |=)'\$\{.*/g, isPrinted)).toEqual([]);
  });

  test('reaches a stream through a renderer or `say`, and is never concatenated there', () => {
    const loose = /\.write\(\s*`[^`]*\$\{.*/g;
    const renders = ['cli/io.ts', 'cli/run.ts', 'cli/api/apiAnswer.ts', 'cli/api/apiCall.ts'];
    expect(found(loose, ({ room, path }) => room === 'cli' && !renders.includes(path))).toEqual([]);
  });

  test('bypasses the guard of the streams only in the three files that import `control`', () => {
    const importers = sources.filter(({ code }) => /import \{[^}]*\bcontrol\b[^}]*\}/.test(code));
    expect(importers.map(({ path }) => path).sort()).toEqual([
      'cli/apply/applyRequest.ts',
      // A patch is bytes of files, and holds nothing that the guard would change.
      'cli/files/suggesting.ts',
      'cli/statusLine.ts',
    ]);
  });

  test('is printed as JSON by `jsonText`, `jsonLine` and `jsonString` only', () => {
    const own = [
      // Nothing of these is printed as it is: digests, comparisons, and what `visible` sees next.
      'report/run/journalLines.ts',
      'report/text/table.ts',
      'cli/api/apiFailure.ts',
      'cli/api/apiExample.ts',
      'report/explain/explainWords.ts',
      'report/explain/explainText.ts',
    ];
    const rooms = ['cli', 'report'];
    const loose = found(
      /JSON\.stringify/g,
      ({ room, path }) => rooms.includes(room) && !own.includes(path),
    );
    expect(loose).toEqual([]);
  });
});
