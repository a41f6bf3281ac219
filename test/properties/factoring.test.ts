// The laws of templates, sets and `for_each`: however objects are factored, they are the same objects.
import { describe, expect, test, vi } from 'vitest';
import { hasHidden } from '../../src/kinds/values/hidden.ts';
import type { Span } from '../../src/model/diagnostic.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { present } from '../../src/model/errors.ts';
import type { Desired } from '../../src/model/object.ts';
import { pathOf } from '../../src/model/text/pointer.ts';
import { isList, isObject, type Json, type JsonObject, valueAt } from '../../src/model/value.ts';
import { desiredYaml } from '../../src/report/desired/desiredText.ts';
import { type Loaded, readerOf } from '../../src/source/load.ts';
import { KINDS } from '../support/files.ts';
import { OF_EVERY_KIND } from '../support/servers/servers.ts';
import { accounts } from './generators/accounts.ts';
import { type Files, factored } from './generators/factoring.ts';
import { fileText } from './generators/fileText.ts';
import type { RandomSource } from './generators/randomSource.ts';
import { changesIn } from './plannedChanges.ts';
import { law, PATIENCE } from './runs.ts';
import { readFor, snapshotOfRead } from './snapshot.ts';

vi.setConfig({ testTimeout: PATIENCE });

const OUTSIDE = { env: () => 'there', file: () => undefined, vars: new Map<string, string>() };

function read(files: Files): Loaded {
  const sources = Object.entries(files).map(([file, text]) => ({ file, text }));
  return readerOf(KINDS).read(sources, OUTSIDE, { isRendered: true });
}

/** What is declared, without its order and places. */
const meaningOf = ({ desired }: Pick<Loaded, 'desired'>) =>
  desired
    .map(({ kind, key, parent, fields, lifecycle }) => ({ kind, key, parent, fields, lifecycle }))
    .sort((a, b) => (`${a.kind} ${a.key}` < `${b.kind} ${b.key}` ? -1 : 1));

/** An account as one file. Where an address is hidden, its place is a part of what is declared. */
function fileOf(desired: readonly Desired[]): JsonObject {
  const kept = desired.filter(({ kind }) => !hasHidden(present(KINDS.get(kind), kind)));
  return JSON.parse(fileText(kept)) as JsonObject;
}

const errorsOf = ({ diagnostics }: Loaded) =>
  diagnostics.filter(({ severity }) => severity === 'error');

const rendered = (loaded: Loaded) => {
  const { value, origins, masked } = present(loaded.rendered, 'a rendered text');
  expect(masked).toEqual([]);
  return { value, origins, text: desiredYaml(value, undefined) };
};

/** A value without the order of its lists and keys. */
function unordered(value: Json): string {
  if (isList(value)) return `[${value.map(unordered).sort().join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${unordered(item)}`,
  );
  return `{${entries.sort().join()}}`;
}

describe('splitting declarations into templates and sets', () => {
  test('declares the same objects, in any distribution over files', () =>
    law(accounts(...OF_EVERY_KIND), 40, ({ desired, random }) => {
      const file = fileOf(desired);
      const plain = read({ 'plain.yaml': JSON.stringify(file) });
      if (hasErrors(plain.diagnostics)) return;
      const loaded = read(factored(file, random));
      expect(errorsOf(loaded)).toEqual([]);
      expect(meaningOf(loaded)).toEqual(meaningOf(plain));
    }));

  test('renders to a file that declares the same and renders to itself', () =>
    law(accounts(...OF_EVERY_KIND), 40, ({ desired, random }) => {
      const file = fileOf(desired);
      const files = factored(file, random);
      const loaded = read(files);
      if (hasErrors(loaded.diagnostics) || loaded.desired.length === 0) return;
      const { text } = rendered(loaded);
      const again = read({ 'rendered.yaml': text });
      expect(errorsOf(again)).toEqual([]);
      expect(meaningOf(again)).toEqual(meaningOf(loaded));
      expect(rendered(again).text).toBe(text);
    }));

  test('declares and renders the same in any order of files and keys', () =>
    law(accounts(...OF_EVERY_KIND), 30, ({ desired, random }) => {
      const files = factored(fileOf(desired), random);
      const loaded = read(files);
      if (hasErrors(loaded.diagnostics) || loaded.desired.length === 0) return;
      const other = read(permuted(files, random));
      expect(errorsOf(other)).toEqual([]);
      expect(meaningOf(other)).toEqual(meaningOf(loaded));
      expect(unordered(rendered(other).value)).toBe(unordered(rendered(loaded).value));
    }));

  test('has the same plan as its rendered text', () =>
    law(accounts(...OF_EVERY_KIND), 20, ({ desired, random }) => {
      const file = fileOf(desired);
      const loaded = read(factored(file, random));
      if (hasErrors(loaded.diagnostics) || loaded.desired.length === 0) return;
      const others = random.some(desired, random.below(desired.length + 1));
      const snapshot = snapshotOfRead(readFor(others));
      const again = read({ 'rendered.yaml': rendered(loaded).text });
      expect(changesIn(again, snapshot)).toEqual(changesIn(loaded, snapshot));
    }));

  test('gives every value the place where its text is', () =>
    law(accounts(...OF_EVERY_KIND), 40, ({ desired, random }) => {
      const files = factored(fileOf(desired), random);
      const loaded = read(files);
      if (hasErrors(loaded.diagnostics) || loaded.desired.length === 0) return;
      const { value, origins } = rendered(loaded);
      for (const [pointer, at] of origins) {
        const found = valueAt(value, pathOf(pointer)) ?? null;
        if (typeof found === 'object' && found !== null) continue;
        const written = scalarAt(files, at);
        expect(written, `${pointer} at ${at.file}:${at.line}:${at.column}`).toEqual(found);
      }
    }));
});

/** The same files in another order, with their documents spread over them, and with the keys of each mapping in another order. */
function permuted(files: Files, random: RandomSource): Files {
  const shuffled = (value: Json): Json => {
    if (isList(value)) return value.map(shuffled);
    if (!isObject(value)) return value;
    const entries = random.shuffled(Object.entries(value));
    return Object.fromEntries(entries.map(([key, item]) => [key, shuffled(item)]));
  };
  const documents = Object.values(files).flatMap(text => text.split('\n---\n'));
  return Object.fromEntries(
    random
      .shuffled(documents)
      .map((text, i) => [`${i}.yaml`, JSON.stringify(shuffled(JSON.parse(text) as Json))]),
  );
}

/** The scalar or the key in JSON that begins at a place. */
function scalarAt(files: Files, { file, line, column }: Span): Json {
  const text = files[file]?.split('\n')[line - 1]?.slice(column - 1) ?? '';
  const [token = ''] = /^(?:"(?:[^"\\]|\\.)*"|[-\w.+]+)/.exec(text) ?? [];
  return JSON.parse(token) as Json;
}
