// Signatures: who can make them, and what they are worth.
import { expect, test } from 'vitest';
import { isRefusal } from '../../src/apply/refusal.ts';
import { type SigningKeys, signerOf } from '../../src/apply/signing/signer.ts';
import type { Signer } from '../../src/model/signer.ts';

const FIRST = 'a first key of enough length';
const SECOND = 'a second key of enough length';

function signer(keys: SigningKeys): Signer {
  const made = signerOf(keys);
  if (isRefusal(made)) throw new Error(made.refused);
  return made;
}

const withKey = (signingKey: string) => signer({ signingKey, token: 'the token' });
const withToken = (token: string) => signer({ token });

test('a signature is for one text and one purpose', () => {
  const { sign, isSigned } = withKey(FIRST);
  const signature = sign('journal', 'a text');
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(isSigned('journal', 'a text', signature)).toBe(true);
  expect(isSigned('journal', 'a text.', signature)).toBe(false);
  expect(isSigned('base', 'a text', signature)).toBe(false);
  for (const other of ['', signature.slice(2), `${signature}00`, `${signature.slice(0, -1)}`, 'é'])
    expect(isSigned('journal', 'a text', other), other).toBe(false);
});

test('the first key signs, and every key verifies', () => {
  const both = withKey(` ${FIRST},${SECOND} , `);
  expect(both.sign('base', 'x')).toBe(withKey(FIRST).sign('base', 'x'));
  expect(both.isSigned('base', 'x', withKey(SECOND).sign('base', 'x'))).toBe(true);
  expect(withKey(SECOND).isSigned('base', 'x', both.sign('base', 'x'))).toBe(false);
});

test('the token is the key only if no key is given', () => {
  const signature = withToken('t1').sign('journal', 'x');
  expect(withToken('t1').isSigned('journal', 'x', signature)).toBe(true);
  expect(withToken('t2').isSigned('journal', 'x', signature)).toBe(false);
  expect(withKey(FIRST).isSigned('journal', 'x', withToken('the token').sign('journal', 'x'))).toBe(
    false,
  );
  expect(withToken(FIRST).sign('journal', 'x')).not.toBe(withKey(FIRST).sign('journal', 'x'));
  expect(withKey('').sign('journal', 'x')).toBe(withToken('the token').sign('journal', 'x'));
});

test('a variable of nothing but commas and spaces is refused: the token does not take its place', () => {
  for (const signingKey of [' ', ',', ' , ,', '\n'])
    expect(signerOf({ signingKey, token: 'the token' })).toEqual({
      refused: 'signing-key',
      variable: 'MESHFORM_SIGNING_KEY',
      isBlank: true,
    });
});

test('a key that can be guessed is refused, and so is an empty key', () => {
  for (const signingKey of ['short', `${FIRST},short`, 'x'.repeat(15)])
    expect(signerOf({ signingKey, token: 't' })).toEqual({
      refused: 'signing-key',
      variable: 'MESHFORM_SIGNING_KEY',
      shortest: 16,
    });
  const none = { refused: 'signing-key', variable: 'MESHFORM_SIGNING_KEY' };
  expect(signerOf({ token: '' })).toEqual(none);
});

test('every key is redacted, even a short one', () => {
  const secrets: string[] = [];
  signerOf({ signingKey: `${FIRST}, short`, token: 't', onSecret: key => secrets.push(key) });
  expect(secrets).toEqual([FIRST, 'short']);
});
