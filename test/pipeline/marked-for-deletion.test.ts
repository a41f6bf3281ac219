// What is declared to go needs no more than what names it.
import { describe, expect, test } from 'vitest';
import { loadFiles } from '../support/files.ts';

const FAREWELLS = [
  ['users', 'users:\n  - { email: a@example.com, lifecycle: { delete: true } }\n'],
  ['policies', 'policies:\n  - { name: p, lifecycle: { delete: true } }\n'],
  ['setup keys', 'setup_keys:\n  - { name: k, lifecycle: { delete: true } }\n'],
  ['providers', 'identity_providers:\n  - { name: i, lifecycle: { delete: true } }\n'],
  ['singletons', 'edr:\n  provider_a:\n    lifecycle: { delete: true }\n'],
  [
    'routes',
    'routes:\n  - { network_id: r, network: 10.0.0.0/8, peer: gw, lifecycle: { delete: true } }\n',
  ],
  [
    'children',
    'networks:\n  - name: n\n    resources:\n      - { name: r, lifecycle: { delete: true } }\n',
  ],
] as const;

describe.each(FAREWELLS)('%s', (_, text) => {
  test('can be marked for deletion by name alone', () => {
    const { desired, diagnostics } = loadFiles({ 'a.yaml': text });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(desired.some(({ lifecycle }) => lifecycle.delete)).toBe(true);
  });

  test('need their other fields as long as they stay', () => {
    const { diagnostics } = loadFiles({ 'a.yaml': text.replace('delete: true', 'delete: false') });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
  });
});

test.each([
  ['a name', 'policies:\n  - { description: x, lifecycle: { delete: true } }\n'],
  ['values that are valid', 'users:\n  - { email: a@b.c, role: 3, lifecycle: { delete: true } }\n'],
])('a deletion still needs %s', (_, text) => {
  const { diagnostics } = loadFiles({ 'a.yaml': text });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).not.toEqual([]);
});
