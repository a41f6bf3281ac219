// Laws of layers: however a desired state is divided into layers, it is the same.
import { describe, expect, test, vi } from 'vitest';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { hasHidden } from '../../src/kinds/values/hidden.ts';
import { present } from '../../src/model/errors.ts';
import type { Desired } from '../../src/model/object.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { desiredYaml } from '../../src/report/desired/desiredText.ts';
import { type Loaded, readerOf } from '../../src/source/load.ts';
import { KINDS } from '../support/files.ts';
import { anyAccount } from './generators/accounts.ts';
import { factored } from './generators/factoring.ts';
import { fileText } from './generators/fileText.ts';
import { layersOf } from './generators/layers.ts';
import { changesIn } from './plannedChanges.ts';
import { law, PATIENCE } from './runs.ts';
import { readFor, snapshotOfRead } from './snapshot.ts';

vi.setConfig({ testTimeout: PATIENCE });

const inputs = { env: () => 'x', file: () => undefined, vars: new Map<string, string>() };

/** What layers declare; each is one file, or several. */
function read(
  layers: readonly (readonly string[])[],
  options: { readonly isRendered?: boolean } = {},
): Loaded {
  const sources = layers.flatMap((texts, order) =>
    texts
      .filter(text => text !== '{}')
      .map((text, i) => ({
        file: `${order}-${i}.yaml`,
        text,
        layer: { order, fromLastLayer: `../${order}` },
      })),
  );
  return readerOf(KINDS).read(sources, inputs, options);
}

const faults = ({ diagnostics }: Loaded) =>
  diagnostics.filter(({ severity }) => severity === 'error');

const objects = ({ desired }: Loaded) =>
  Object.fromEntries(
    desired.map(({ kind, key, parent, fields, lifecycle }) => {
      const { shape } = present(KINDS.get(kind), kind);
      return [
        `${kind} ${key}`,
        { parent, lifecycle, fields: canonicalFields(shape, fields, 'desired') },
      ];
    }),
  );

/** Whether an account has nothing that files declare: layers of nothing are an error, whatever the first of them takes back. */
const declaresNothing = (desired: readonly Desired[]): boolean => fileText(desired) === '{}';

/** The top-level keys of a text, each in a file of its own. */
const perKey = (text: string): string[] => {
  const found = Object.entries(JSON.parse(text));
  return found.length === 0
    ? [text]
    : found.map(([key, value]) => JSON.stringify({ [key]: value }));
};

describe('layers', () => {
  test('declare what one file declares', () =>
    law(anyAccount, 60, ({ desired, random }) => {
      if (declaresNothing(desired)) return;
      const layered = read(layersOf(desired, random).map(text => [text]));
      expect(faults(layered)).toEqual([]);
      expect(objects(layered)).toEqual(objects(read([[fileText(desired)]])));
    }));

  test('render to one file that declares the same and renders to itself', () =>
    law(anyAccount, 40, ({ desired, random }) => {
      const texts = layersOf(desired, random).map(text => [text]);
      const layered = read(texts, { isRendered: true });
      if (declaresNothing(desired) || layered.rendered?.masked.length !== 0) return;
      const text = desiredYaml(layered.rendered.value, undefined);
      const again = read([[text]], { isRendered: true });
      expect(faults(again)).toEqual([]);
      expect(objects(again)).toEqual(objects(layered));
      expect(desiredYaml(present(again.rendered, 'a text').value, undefined)).toBe(text);
    }));

  test('have the same plan as one file', () =>
    law(anyAccount, 20, ({ desired: drawn, random }) => {
      // Where an address is hidden, its place is a part of what is declared.
      const desired = drawn.filter(({ kind }) => !hasHidden(present(KINDS.get(kind), kind)));
      if (declaresNothing(desired)) return;
      const layered = read(layersOf(desired, random).map(text => [text]));
      const others = random.some(desired, random.below(desired.length + 1));
      const snapshot = snapshotOfRead(readFor(others));
      const changesOf = (loaded: Loaded) => changesIn(loaded, snapshot);
      expect(changesOf(layered)).toEqual(changesOf(read([[fileText(desired)]])));
    }));

  test('declare the same in any order of files and keys', () =>
    law(anyAccount, 40, ({ desired, random }) => {
      if (declaresNothing(desired)) return;
      const texts = layersOf(desired, random);
      const one = read(texts.map(text => [text]));
      const other = read(texts.map(text => random.shuffled(perKey(text))));
      expect(objects(other)).toEqual(objects(one));
    }));

  test('declare what one file declares if each layer is split into templates and sets', () =>
    law(anyAccount, 60, ({ desired: drawn, random }) => {
      // Where an address is hidden, its place is a part of what is declared.
      const desired = drawn.filter(({ kind }) => !hasHidden(present(KINDS.get(kind), kind)));
      if (declaresNothing(desired)) return;
      const texts = layersOf(desired, random).map((text, order) => {
        const layer = JSON.parse(text) as JsonObject;
        return text === '{}' ? [] : Object.values(factored(layer, random, `of layer ${order} `));
      });
      const split = read(texts, { isRendered: true });
      expect(faults(split)).toEqual([]);
      expect(objects(split)).toEqual(objects(read([[fileText(desired)]])));
      const again = read([[desiredYaml(present(split.rendered, 'a text').value, undefined)]]);
      expect(objects(again)).toEqual(objects(split));
    }));

  test('give every value the place where it is written', () =>
    law(anyAccount, 40, ({ desired, random }) => {
      if (declaresNothing(desired)) return;
      const texts = layersOf(desired, random);
      const lines = texts.map(text => JSON.stringify(JSON.parse(text), null, 1));
      const { desired: found } = read(lines.map(text => [text]));
      for (const { fields, spans } of found)
        for (const [name, value] of Object.entries(fields)) {
          const span = spans[`/${name}`];
          if (typeof value !== 'string' || span === undefined) continue;
          const line = lines[Number(span.file[0])]?.split('\n')[span.line - 1] ?? '';
          expect(line.slice(span.column - 1)).toContain(JSON.stringify(value));
        }
    }));
});
