// Bad inputs of templates, `for_each`, layers and ends: each is one error, at its place, with what to do next.
import { describe, expect, test } from 'vitest';
import { readerOf } from '../../../src/source/load.ts';
import { KINDS } from '../../support/files.ts';
import { BAD_ROWS, type BadRow } from './badRows.ts';

const inputs = { env: () => 'x', file: () => undefined, vars: new Map<string, string>() };

function errorsOf({ layers }: BadRow) {
  const sources = layers.map((text, order) => ({
    file: `${order}`,
    text,
    ...(layers.length > 1 && { layer: { order, fromLastLayer: `../${order}` } }),
  }));
  const { diagnostics } = readerOf(KINDS).read(sources, inputs);
  return diagnostics.filter(({ severity }) => severity === 'error');
}

describe('a bad input', () => {
  test.each(BAD_ROWS.map(row => [row.title, row] as const))('%s', (_, row) => {
    const found = errorsOf(row).map(({ code, at, hint = '' }) => ({
      code,
      at: at && `${at.file}:${at.line}:${at.column}`,
      hint,
    }));
    expect(found).toEqual([
      { code: row.code, at: row.at, hint: expect.stringContaining(row.help) },
    ]);
  });
});

test('there are at least 60 bad inputs, no two alike', () => {
  expect(new Set(BAD_ROWS.map(({ title }) => title)).size).toBe(BAD_ROWS.length);
  expect(BAD_ROWS.length).toBeGreaterThanOrEqual(60);
});

test('bad inputs change no built-in object', () => {
  for (const row of BAD_ROWS.filter(({ title }) => title.includes('__proto__'))) errorsOf(row);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>).peers).toBeUndefined();
});
