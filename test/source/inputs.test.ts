// Values from outside: where they may be used, what stands in for them, and that a secret's value is never kept.
import { describe, expect, test } from 'vitest';
import {
  hasReference,
  type Inputs,
  openSecret,
  plainValue,
  secretValue,
} from '../../src/source/inputs.ts';

const AT = { file: 'f', line: 1, column: 1 };
const VARIABLES: Readonly<Record<string, string>> = {
  TEAM: 'engineers',
  EMPTY: '',
  KEY: 'hunter2',
  MESHFORM_TOKEN: 'ours',
  meshform_url: 'ours too',
};
const FILES: Readonly<Record<string, string>> = { 'team.txt': 'platform\n', 'two.txt': 'a\nb\r\n' };
const inputs: Inputs = {
  env: name => VARIABLES[name],
  file: path => FILES[path],
  allowed: new Set([...Object.keys(VARIABLES), ...Object.keys(FILES), 'UNSET', 'lost.txt']),
};
const nothingAllowed: Inputs = { ...inputs, allowed: new Set() };

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('an ordinary text', () => {
  test.each([
    ['plain', 'plain'],
    ['${env:TEAM}', 'engineers'],
    ['the ${env:TEAM} of ${file:team.txt}!', 'the engineers of platform!'],
    ['${env: TEAM }', 'engineers'],
    ['${env:EMPTY}', ''],
    ['${env:EMPTY:-nobody}', 'nobody'],
    ['${env:UNSET:-nobody}', 'nobody'],
    ['${env:UNSET:-}', ''],
    ['${env:TEAM:-nobody}', 'engineers'],
    ['${file:two.txt}', 'a\nb'],
    ['${file:lost.txt:-none}', 'none'],
    ['$${env:TEAM}', '${env:TEAM}'],
    ['${TEAM} $TEAM {env:TEAM} ${env:TEAM', '${TEAM} $TEAM {env:TEAM} ${env:TEAM'],
  ])('%j becomes %j', (text, value) => {
    expect(plainValue(text, inputs, AT)).toEqual({ value, diagnostics: [] });
  });

  test.each([
    ['${env:UNSET}', 'INPUT_UNDEFINED'],
    ['${file:lost.txt}', 'INPUT_UNDEFINED'],
    ['${env:}', 'INPUT_UNDEFINED'],
    ['${env:MESHFORM_TOKEN}', 'INPUT_FORBIDDEN'],
    ['${env:meshform_url:-x}', 'INPUT_FORBIDDEN'],
    ['${env:HOME:-x}', 'INPUT_NOT_ALLOWED'],
    ['${file:other.txt}', 'INPUT_NOT_ALLOWED'],
  ])('%j is %s', (text, code) => {
    expect(codes(plainValue(text, inputs, AT))).toEqual([code]);
  });

  test('with several faults has them all', () => {
    expect(codes(plainValue('${env:HOME} ${env:UNSET} ${env:TEAM}', inputs, AT))).toEqual([
      'INPUT_NOT_ALLOWED',
      'INPUT_UNDEFINED',
    ]);
  });

  test('does not read from outside what nobody allowed', () => {
    const asked: string[] = [];
    const watching: Inputs = { ...nothingAllowed, env: name => asked.push(name).toString() };
    plainValue('${env:KEY}', watching, AT);
    expect(asked).toEqual([]);
  });
});

describe('a secret', () => {
  test('is where it comes from, and needs nobody’s leave', () => {
    expect(secretValue('Bearer ${env:KEY}', nothingAllowed, AT)).toEqual({
      value: { $secret: 'Bearer ${env:KEY}' },
      diagnostics: [],
    });
  });

  test.each([
    ['${env:UNSET}', ['SECRET_UNDEFINED']],
    ['${env:EMPTY}', ['SECRET_UNDEFINED']],
    ['${env:UNSET:-x}', []],
    ['${env:UNSET:-}', []],
    ['${env:MESHFORM_TOKEN}', ['INPUT_FORBIDDEN']],
    ['hunter2', ['SECRET_LITERAL']],
    ['$${env:KEY}', ['SECRET_LITERAL']],
    ['', ['SECRET_LITERAL']],
    ['****', ['SECRET_LITERAL']],
    ['A1B2•••• ${env:KEY}', ['SECRET_LITERAL']],
  ])('%j earns %j', (text, expected) => {
    const found = secretValue(text, nothingAllowed, AT);
    expect(codes(found)).toEqual(expected);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  test('that is not there does not stop a plan', () => {
    expect(secretValue('${env:UNSET}', inputs, AT).diagnostics[0]?.severity).toBe('note');
  });
});

describe('opening a secret', () => {
  test.each([
    ['Bearer ${env:KEY}', 'Bearer hunter2'],
    ['${file:team.txt}', 'platform'],
    ['${env:UNSET:-default}', 'default'],
    ['${env:UNSET:-}', ''],
    ['${env:KEY}${env:UNSET}', null],
    ['${env:EMPTY}', null],
    ['${env:MESHFORM_TOKEN}', null],
    ['$${env:KEY} ${env:KEY}', '${env:KEY} hunter2'],
  ])('%j gives %j', (template, value) => {
    expect(openSecret(template, nothingAllowed)).toBe(value);
  });
});

test.each([
  ['${env:A}', true],
  ['x ${file:a/b.txt} y', true],
  ['$${env:A}', false],
  ['${A}', false],
  ['', false],
])('%j asks for something from outside: %s', (text, expected) => {
  expect(hasReference(text)).toBe(expected);
});
