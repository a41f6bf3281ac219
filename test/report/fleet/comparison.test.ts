// Two desired states compared: what each side alone declares, and fields with both values, but never a secret.
import { describe, expect, test } from 'vitest';
import { comparisonOf, isSame } from '../../../src/report/fleet/comparison.ts';
import {
  baselineJson,
  baselineText,
  comparisonJson,
  comparisonText,
} from '../../../src/report/fleet/comparisonText.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { faultsOf } from '../../hostile/verdict.ts';
import { expectDescribed } from '../../support/described.ts';
import { desiredOf, KINDS, load } from '../../support/files.ts';
import { hostileText } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';

const compared = (here: string, there: string) =>
  comparisonOf(desiredOf(here), desiredOf(there), KINDS);
const textOf = (here: string, there: string) =>
  comparisonText({ here: 'acme', there: 'beta', comparison: compared(here, there) }, KINDS, PLAIN);

const BASE = `
groups: [{ name: staff }, { name: servers }]
policies:
  - name: web
    rules: [{ name: in, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443"] }]
`;
const OTHER = `
groups: [{ name: staff }, { name: servers }, { name: on-call }]
policies:
  - name: web
    description: for all
    rules: [{ name: in, sources: [staff], destinations: [servers], protocol: tcp, ports: ["443", "8443"] }]
`;

test('the comparison shows objects of one side, and fields with both values', () => {
  expect(textOf(`${BASE}networks: [{ name: office }]`, OTHER)).toBe(
    [
      'Only in acme',
      '  - network "office"',
      '',
      'Only in beta',
      '  + group "on-call"',
      '',
      'acme -> beta',
      '  ~ policy "web"',
      '      ~ rules["in"].ports = ["443"] -> ["443", "8443"]',
      '      ~ description = not declared -> "for all"',
      '',
      '1 object only in acme, 1 only in beta, 1 different, 2 the same.',
      '',
    ].join('\n'),
  );
});

test('different orders of declarations and sets, and equal values, are not reported as differences', () => {
  const reordered = `
policies:
  - rules: [{ ports: ["443"], protocol: tcp, destinations: [servers], sources: [staff], name: in }]
    name: web
groups: [{ name: servers }, { name: staff }]
`;
  expect(isSame(compared(BASE, reordered))).toBe(true);
});

test('settings of an object count too', () => {
  const text = textOf(
    'groups: [{ name: a }]',
    'groups: [{ name: a, lifecycle: { protect: true } }]',
  );
  expect(text).toContain('~ lifecycle');
});

describe('a secret address', () => {
  const channel = (url: string, TOKEN = 'a-secret-token') =>
    load(`notification_channels: [{ type: generic_http, target: { url: "${url}" } }]`, {
      env: name => (name === 'TOKEN' ? TOKEN : undefined),
      file: () => undefined,
      vars: new Map(),
    }).desired;
  const both = (here: string, there: string, tokens: readonly string[] = []) => {
    const comparison = comparisonOf(channel(here, tokens[0]), channel(there, tokens[1]), KINDS);
    const sides = { here: 'acme', there: 'beta', comparison };
    return {
      comparison,
      shown: comparisonText(sides, KINDS, PLAIN) + comparisonJson(sides, KINDS),
    };
  };
  const REFERENCE = 'https://hook.example/${env:TOKEN}';

  test('is shown by its host on both sides', () => {
    const { shown } = both(
      'https://hook.example/first-secret',
      'https://other.example/second-secret',
    );
    expect(shown).toContain('hook.example');
    expect(shown).toContain('other.example');
    expect(shown).not.toMatch(/first-secret|second-secret/);
  });

  test('a secret address that differs only in its hidden part is a difference', () => {
    const { shown } = both(
      'https://hook.example/first-secret',
      'https://hook.example/second-secret',
    );
    expect(shown).toContain('with another value');
    expect(shown).not.toMatch(/first-secret|second-secret/);
  });

  test('is compared by its reference: a guess beside one reveals nothing', () => {
    expect(isSame(both(REFERENCE, REFERENCE, ['one', 'two']).comparison)).toBe(true);
    const right = both(REFERENCE, 'https://hook.example/a-secret-token');
    const wrong = both(REFERENCE, 'https://hook.example/another-token');
    expect(isSame(right.comparison)).toBe(false);
    expect(right.shown).toBe(wrong.shown);
    expect(right.shown).not.toContain('a-secret-token');
  });
});

test('objects that only some accounts have are shown once for all of these accounts', () => {
  const accounts = [
    { name: 'acme', comparison: compared(BASE, OTHER) },
    { name: 'beta', comparison: compared(BASE, 'groups: [{ name: staff }, { name: servers }]') },
    { name: 'gamma', comparison: compared(BASE, OTHER) },
    { name: 'delta', comparison: compared(BASE, BASE) },
  ];
  const text = baselineText(accounts, KINDS, PLAIN);
  expect(text).toContain('2 accounts:\n  acme, gamma\nOverrides\n  ~ policy "web"\n');
  expect(text).toContain('\nAdds\n  + group "on-call"\n');
  expect(text).toContain('1 account:\n  beta\nOmits\n  - policy "web": staff → servers  tcp 443');
  expect(text.trimEnd().split('\n').at(-1)).toBe(
    '4 accounts: 3 with differences, 1 like their shared layers',
  );
  expectDescribed(baselineJson(accounts, KINDS), 'fleet-comparison.schema.json');
  const document = JSON.parse(baselineJson(accounts, KINDS));
  expect(
    document.accounts.map(({ name, same }: { name: string; same: number }) => [name, same]),
  ).toEqual([
    ['acme', 2],
    ['beta', 2],
    ['gamma', 2],
    ['delta', 3],
  ]);
});

test('names are only ever printed as text', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, other) => {
      const file = (text: string) =>
        `groups: [{ name: ${JSON.stringify(`x${text.replaceAll('$', '')}`)} }]`;
      const comparison = compared(file(name), file(other));
      const sides = { here: name, there: other, comparison };
      const outputs = [
        comparisonText(sides, KINDS, PLAIN),
        comparisonJson(sides, KINDS),
        baselineText([{ name, comparison }], KINDS, PLAIN),
      ];
      for (const output of outputs) expect(faultsOf(output)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
