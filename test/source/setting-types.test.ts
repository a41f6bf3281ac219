// Settings of `lifecycle` with values of other types: a fault with its place, and reading goes on.
import { expect, test } from 'vitest';
import { shippedSchema } from '../../src/kinds/registry.ts';
import { isObject } from '../../src/model/value.ts';
import { load } from '../support/files.ts';

const { properties } = shippedSchema('lifecycle.schema.json');
const SETTINGS = Object.keys(isObject(properties) ? properties : {});

/** A group with members of every form, whose declaration all readers of settings look at. */
const groupWith = (setting: string, value: string, i: number) =>
  `  - { name: g${i}, peers: [a, { name: b, until: 2030-01-01 }], lifecycle: { ${setting}: ${value} } }\n`;

test.each(['123', 'true', '1.5', '.inf', '[a]', '[[1]]', '{ a: b }', 'null'])(
  'a setting that is %s is a fault at its place if the setting needs a different type',
  value => {
    const text = `groups:\n${SETTINGS.map((one, i) => groupWith(one, value, i)).join('')}`;
    const errors = load(text).diagnostics.filter(({ severity }) => severity === 'error');
    const lines = new Set(errors.map(({ at }) => at?.line));
    const faultless = SETTINGS.filter((_, i) => !lines.has(i + 2));
    const switches = ['override', 'omit', 'protect', 'break_glass', 'delete'];
    // Nothing here is in an earlier layer, so `override` and `omit` are faults whatever they are.
    expect(faultless).toEqual(value === 'true' ? switches.slice(2) : []);
  },
);

test('a former name that is a number is reported where it is written', () => {
  const text = 'groups:\n  - name: a\n    lifecycle: { was: 123 }\n';
  expect(load(text).diagnostics).toEqual([
    expect.objectContaining({
      code: 'SCHEMA_TYPE',
      at: expect.objectContaining({ line: 3, column: 23 }),
    }),
  ]);
});
