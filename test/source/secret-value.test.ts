// Secret fields: where their values come from, what is said of them unopened, and that no value is kept.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SecretInputs } from '../../src/source/values/externalInputs.ts';
import { openSecret } from '../../src/source/values/openSecret.ts';
import { isSecretText, secretValue } from '../../src/source/values/secretValue.ts';

const AT = { file: 'f', line: 1, column: 1 };
const VARIABLES: Readonly<Record<string, string>> = {
  EMPTY: '',
  KEY: 'hunter2',
  MESHFORM_TOKEN: 'ours',
  MESHFORM_VAR_KEY: 'ours too',
};
const FILES: Readonly<Record<string, string>> = {
  'key.txt': 'hunter2\r\n',
  'open.yaml': 'hook: { key: hunter2 }',
  'torn.enc.yaml': 'a: ENC[x]\nb: ENC[AES256_GCM,data:x,iv:y,tag:z,type:int\nsops: { mac: x }\n',
  'sealed.env': 'ANYTHING=ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]',
  // As `sops` 3.9 wrote it, for a key that nobody has any more.
  'sealed.enc.yaml': readFileSync(new URL('sealed.enc.yaml', import.meta.url), 'utf8'),
};
const inputs: SecretInputs = { env: name => VARIABLES[name], file: path => FILES[path] };

const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) =>
  diagnostics.map(({ code }) => code);

describe('a variable that the files of an account of a fleet may not read', () => {
  const fix = 'list it';
  const withheld = (name: string) =>
    name === 'LISTED' ? undefined : { why: 'is not listed', fix };
  const asked: SecretInputs = { ...inputs, withheld, refusesWithheld: true };

  test.each([
    ['${env:KEY:-public}', ['INPUT_FORBIDDEN']],
    ['Bearer ${env:KEY:-}', ['INPUT_FORBIDDEN']],
    ['${env:LISTED:-public}', []],
  ])('has no default that hides it: %s', (text, found) => {
    expect(codes(secretValue(text, asked, AT))).toEqual(found);
    // A comparison needs no secret.
    expect(codes(secretValue(text, { ...asked, refusesWithheld: false }, AT))).toEqual([]);
  });

  test('keeps its default if the list of allowed variables is unknown', () => {
    const unknown = { ...asked, withheld: () => ({ why: 'is not read here' }) };
    expect(codes(secretValue('${env:KEY:-public}', unknown, AT))).toEqual([]);
  });

  test('has no default in an apply either', async () => {
    expect(await openSecret('${env:KEY:-public}', asked, decrypt)).toMatchObject({
      code: 'SECRET_UNDEFINED',
      hint: 'the variable `KEY` is not listed; add it there and apply again',
    });
    expect(await openSecret('${env:LISTED:-public}', asked, decrypt)).toBe('public');
  });
});

const decrypt = async () => ({ why: 'there is no sops', hint: '' });

describe('a secret', () => {
  test('is represented by its source', () => {
    expect(secretValue('Bearer ${env:KEY}', inputs, AT)).toEqual({
      value: { $secret: 'Bearer ${env:KEY}' },
      diagnostics: [],
    });
  });

  test.each([
    ['${env:UNSET}', ['SECRET_UNDEFINED']],
    ['${env:EMPTY}', ['SECRET_UNDEFINED']],
    ['${env:UNSET:-x}', []],
    ['${env:UNSET:-}', ['SECRET_UNDEFINED']],
    ['${env:EMPTY:- }', ['SECRET_UNDEFINED']],
    ['${env:UNSET:-}${file:lost.txt:-}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.lost:-}', ['SECRET_UNDEFINED']],
    ['${sops:sealed.enc.yaml#hook.lost:-}${env:KEY}', []],
    ['${env:KEY:-}', []],
    ['Bearer ${env:UNSET:-}', []],
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
    ['${sops:torn.enc.yaml#a}', ['SECRET_UNREADABLE']],
    ['${sops:torn.enc.yaml#b}', ['SECRET_UNREADABLE']],
    ['A1B2•••• ${env:KEY}', ['SECRET_LITERAL']],
    ['hunter2 ${NOT_A_REFERENCE}', ['SECRET_LITERAL']],
    ['${env:MESHFORM_VAR_KEY}', ['INPUT_FORBIDDEN']],
    ['${var:KEY}', ['INPUT_FORBIDDEN']],
    ['${var:KEY:-x}', ['INPUT_FORBIDDEN']],
    ['Bearer ${var:}', ['INPUT_UNDEFINED']],
  ])('%j results in %j', (text, expected) => {
    const found = secretValue(text, inputs, AT);
    expect(codes(found)).toEqual(expected);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  test('a damaged secret in an encrypted file is not taken for a number', () => {
    expect(secretValue('${sops:torn.enc.yaml#a}', inputs, AT).diagnostics).toMatchObject([
      {
        message:
          '`a` of `torn.enc.yaml` begins with `ENC[`, but is not a value that SOPS encrypted',
        hint: 'take an undamaged version of the file from Git, or write the value again: sops edit torn.enc.yaml',
      },
    ]);
  });

  test('a missing secret does not stop a plan', () => {
    expect(secretValue('${env:UNSET}', inputs, AT).diagnostics[0]?.severity).toBe('note');
  });
});

describe('a secret that is looked up', () => {
  const heard = (text: string): string[] => {
    const reported: string[] = [];
    secretValue(text, { ...inputs, onSecret: value => reported.push(value) }, AT);
    return reported;
  };

  test('is reported for redaction', () => {
    expect(heard('Bearer ${env:KEY} ${file:key.txt}')).toEqual(['hunter2', 'hunter2']);
  });

  test('is not looked up if the files state a replacement', () => {
    expect(heard('${env:UNSET:-none}')).toEqual([]);
  });
});

test.each([
  ['${env:KEY}', true],
  ['${sops:sealed.enc.yaml#hook.key}', true],
  ['a ${file:key.txt}', true],
  ['****', true],
  ['${var:KEY}', false],
  ['$${env:KEY}', false],
  ['plain', false],
])('%j in a field that may hold a secret is a secret: %j', (text, expected) => {
  expect(isSecretText(text)).toBe(expected);
});
