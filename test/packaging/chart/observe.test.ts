// The pod that collects the traffic log. `npm run test:packaging` renders it; this holds what its texts say.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

test('the chart does not observe by default, and otherwise uses its own token', () => {
  const { observe } = parse(textOf('charts/meshform/values.yaml'));
  expect(observe).toEqual({
    enabled: false,
    tokenSecret: { name: '', key: 'token' },
    claim: '',
    args: [],
  });
});

test('the observe template is empty without `enabled`, has one writer, and runs without a shell', () => {
  const template = textOf('charts/meshform/templates/observe.yaml');
  expect(template).toMatch(
    /^\{\{- if \.Values\.observe\.enabled \}\}\n[^\0]*?\{\{- end \}\}\n\n\{\{- define /,
  );
  expect(template).toContain('"replicas: 1\\nstrategy: { type: Recreate }"');
  expect(template).toContain('list "observe" "--store=/traffic/store" "--follow"');
  expect(template).not.toMatch(/command:|\bsh\b|journals|desired/);
});
