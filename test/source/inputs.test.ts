// Values from outside: where they may be used, what stands in for them, and that a secret's value is never kept.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Inputs, plainValue, secretValue, withGiven } from '../../src/source/inputs.ts';

const AT = { file: 'f', line: 1, column: 1 };
const VARIABLES: Readonly<Record<string, string>> = {
  TEAM: 'engineers',
  EMPTY: '',
  KEY: 'hunter2',
  MESHFORM_TOKEN: 'ours',
  meshform_url: 'ours too',
};
const FILES: Readonly<Record<string, string>> = {
  'team.txt': 'platform\n',
  'two.txt': 'a\nb\r\n',
  'open.yaml': 'hook: { key: hunter2 }',
  'sealed.env': 'ANYTHING=ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]',
  // As `sops` 3.9 wrote it, for a key that nobody has any more.
  'sealed.enc.yaml': readFileSync(new URL('sealed.enc.yaml', import.meta.url), 'utf8'),
};
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
    ['${sops:team.enc.yaml#name}', 'INPUT_FORBIDDEN'],
    ['${sops:#name}', 'INPUT_UNDEFINED'],
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
    ['${sops:}', ['INPUT_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.key}', []],
    ['${sops:sealed.enc.yaml#/hook/key}', []],
    ['${sops:sealed.enc.yaml#/dotted.key}', []],
    ['${sops:sealed.enc.yaml#keys.0}', []],
    ['${sops:sealed.enc.yaml}', []],
    ['${sops:sealed.env#ANYTHING}', []],
    ['${sops:lost.enc.yaml#hook.key}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.pin}', ['SECRET_UNREADABLE']],
    ['${sops:sealed.enc.yaml#hook}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.empty}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.lost}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.lost:-x}', []],
    ['${sops:sealed.enc.yaml#open_unencrypted}', ['SECRET_LITERAL']],
    ['${sops:open.yaml#hook.key}', ['SECRET_LITERAL']],
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

describe('a secret that is looked up', () => {
  const heard = (text: string): string[] => {
    const told: string[] = [];
    secretValue(text, { ...inputs, onSecret: value => told.push(value) }, AT);
    return told;
  };

  test('is told to whoever must not repeat it', () => {
    expect(heard('Bearer ${env:KEY}')).toEqual(['hunter2']);
  });

  test('is not, where the files say what stands in for it', () => {
    expect(heard('${env:UNSET:-none}')).toEqual([]);
  });
});

test('a variable that the command line gives comes before the environment’s', () => {
  const env = withGiven(inputs.env, ['KEY=given=twice', 'TEAM', 'EMPTY=']);
  expect(['KEY', 'TEAM', 'EMPTY', 'UNSET'].map(env)).toEqual([
    ...['given=twice', 'engineers', '', undefined],
  ]);
});
