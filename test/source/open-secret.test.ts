// Secrets at the moment they are sent: what they come to, and why there is nothing to send.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Inputs } from '../../src/source/values/externalInputs.ts';
import { type Decrypt, openSecret } from '../../src/source/values/openSecret.ts';
import { hasReference } from '../../src/source/values/reference.ts';
import { loadFiles } from '../support/files.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  KEY: 'hunter2',
  EMPTY: '',
  BLANK: ' ',
  MESHFORM_TOKEN: 'ours',
};
const FILES: Readonly<Record<string, string>> = { 'team.txt': 'platform\n', 'blank.txt': ' \n' };
const heard: string[] = [];
const inputs: Inputs = {
  env: name => VARIABLES[name],
  file: path => FILES[path],
  vars: new Map(),
  onSecret: value => heard.push(value),
};
const DECRYPTED = {
  hook: { key: 'hush', pin: 1234, empty: '', blank: '  ' },
  'a.b': { 'c/d': 'deep' },
};
const decrypt: Decrypt = async (file, as) => {
  if (file !== 'sealed.yaml') return { why: 'no key is here', hint: 'look' };
  return as === 'json' ? JSON.stringify(DECRYPTED) : 'the whole\n';
};
const open = (template: string) => openSecret(template, inputs, decrypt);

describe('opening a secret', () => {
  test.each([
    ['Bearer ${env:KEY}', 'Bearer hunter2'],
    ['${file:team.txt}', 'platform'],
    ['${env:UNSET:-default}', 'default'],
    ['Bearer ${env:KEY}${env:UNSET:-}', 'Bearer hunter2'],
    ['$${env:KEY} ${env:KEY}', '${env:KEY} hunter2'],
    ['${sops:sealed.yaml#hook.key}', 'hush'],
    ['${env:KEY}-${sops:sealed.yaml#hook.key}-${env:KEY}', 'hunter2-hush-hunter2'],
    ['${sops:sealed.yaml#/a.b/c~1d}', 'deep'],
    ['${sops: sealed.yaml # hook.key }', 'hush'],
    ['${sops:sealed.yaml#hook.empty:-none}', 'none'],
    ['${sops:sealed.yaml#hook.lost:-none}', 'none'],
    ['${sops:sealed.yaml}', 'the whole'],
  ])('%j gives %j', async (template, value) => {
    expect(await open(template)).toBe(value);
  });

  test.each([
    ['hush-${env:KEY}-${env:UNSET}', 'the variable `UNSET` is not set', '${env:UNSET}'],
    ['${var:KEY}', 'variables cannot hold secrets'],
    ['${env:EMPTY}', 'the variable `EMPTY` is empty'],
    ['${env:BLANK}', 'the variable `BLANK` is only blanks'],
    ['${file:blank.txt}', 'the file `blank.txt` contains only blanks'],
    ['${sops:sealed.yaml#hook.blank}', '`sealed.yaml` has no value `hook.blank`'],
    ['${env:MESHFORM_TOKEN}', '`MESHFORM_TOKEN` is reserved for meshform'],
    ['${file:lost.txt}', 'the file `lost.txt` does not exist here'],
    ['${sops:sealed.yaml#hook.empty}', '`sealed.yaml` has no value `hook.empty`'],
    ['${sops:sealed.yaml#constructor.name}', 'has no value'],
  ])('%j is not set, and the hint says why', async (template, why, missing = template) => {
    expect(await open(template)).toEqual({
      code: 'SECRET_UNDEFINED',
      message: `a secret is not set: ${missing}`,
      hint: expect.stringContaining(why),
    });
  });

  test.each([
    ['${env:UNSET:-}'],
    ['${env:EMPTY:-}'],
    ['${env:UNSET:- }'],
    ['${file:lost.txt:-}'],
    ['${sops:sealed.yaml#hook.empty:-}'],
    [' ${env:UNSET:-} ${env:EMPTY:-}', '${env:UNSET:-}'],
  ])('%j is empty, although it has a default', async (template, named = template) => {
    expect(await open(template)).toEqual({
      code: 'SECRET_UNDEFINED',
      message: `a secret is empty: ${named}`,
      hint: 'its default is empty, and an empty secret protects nothing: set the source, or remove `:-`, and apply again',
    });
  });

  test.each([
    ['${sops:sealed.yaml#hook.pin}', '`hook.pin` of `sealed.yaml` is not a string'],
    ['${sops:other.yaml#hook.key}', '`other.yaml` could not be decrypted: no key is here'],
  ])('%j is unreadable', async (template, message) => {
    const fault = await open(template);
    expect(fault).toMatchObject({ code: 'SECRET_UNREADABLE', message });
    expect(JSON.stringify(fault)).not.toMatch(/hush|1234/);
  });

  test.each([
    ['', 'prints nothing'],
    ['opening the file\n{"hook":{"key":"hush"}}', 'prints a text before the JSON'],
    ['hook:\n  key: hush\n', 'prints YAML'],
    ['{"hook":', 'is cut short'],
  ])('is not possible if `sops` prints %j: it %s', async printed => {
    const fault = await openSecret('${sops:sealed.yaml#hook.key}', inputs, async () => printed);
    expect(fault).toEqual({
      code: 'SECRET_UNREADABLE',
      message: '`sealed.yaml` could not be decrypted: the output of `sops` is not JSON',
      hint: 'check the output of `sops --decrypt --output-type json sealed.yaml`: a script named `sops` must print nothing else on stdout',
    });
  });

  test('the error of a whole file that is empty names the file only', async () => {
    const fault = await openSecret('${sops:sealed.yaml}', inputs, async () => '\n');
    expect(fault).toMatchObject({
      code: 'SECRET_UNDEFINED',
      hint: '`sealed.yaml` is empty; set it and apply again',
    });
  });

  test('reports every part of it for redaction', async () => {
    heard.length = 0;
    await open('${env:KEY} ${sops:sealed.yaml#hook.key} ${env:UNSET:-default}');
    expect(heard).toEqual(['hunter2', 'hush']);
  });
});

test.each([
  ['${env:A}', true],
  ['x ${file:a/b.txt} y', true],
  ['${sops:a.enc.yaml#b}', true],
  ['$${env:A}', false],
  ['${A}', false],
  ['${other:A}', false],
  ['', false],
])('%j asks for a value from outside: %s', (text, expected) => {
  expect(hasReference(text)).toBe(expected);
});

describe('an encrypted file among those of desired state', () => {
  const sealed = readFileSync(new URL('sealed.enc.yaml', import.meta.url), 'utf8');
  const network = 'groups: [{ name: engineers }]';

  test('declares nothing, and is not an error', () => {
    const { desired, diagnostics } = loadFiles({
      'network.yaml': network,
      'sealed.enc.yaml': sealed,
    });
    expect(diagnostics).toEqual([]);
    expect(desired.map(({ key }) => key)).toEqual(['engineers']);
  });

  test('is an error if it could declare objects whose removal nobody could see', () => {
    const { diagnostics } = loadFiles({
      'network.yaml': network,
      'sealed.enc.yaml': sealed.replace('hook:', 'groups:'),
    });
    expect(diagnostics).toMatchObject([
      { code: 'SOURCE_UNREADABLE', severity: 'error', at: { file: 'sealed.enc.yaml', line: 1 } },
    ]);
  });

  test('a file that only looks encrypted is read normally', () => {
    const { diagnostics } = loadFiles({ 'network.yaml': `${network}\nsops: { version: 3 }` });
    expect(diagnostics).toMatchObject([{ code: 'SCHEMA_UNKNOWN_FIELD' }]);
  });
});
