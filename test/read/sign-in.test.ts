// What git gets of an address with a user and a password.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { RemoteAddress } from '../../src/read/git/remoteAddress.ts';
import { type SignIn, signInAt } from '../../src/read/git/signIn.ts';
import { UnusableRemote } from '../../src/read/git/unusableRemote.ts';

const ENDS = ['%0a', '%0A', '%0d', '%00', '\n', '\r'];

test.each(ENDS.flatMap(end => [`ci${end}host=x:p`, `ci:p${end}host=evil.example`, `p${end}url=x`]))(
  'the credentials %j of a remote are refused, because they would say more than a user and a password',
  written => {
    const address = new RemoteAddress(`https://${written}@host.example/x.git`);
    for (const isFoundByUser of [false, true]) {
      const refusal = expect(() => signInAt(address, isFoundByUser));
      refusal.toThrow(UnusableRemote);
      refusal.toThrow(/^the address of a remote at `https:\/\/host\.example` has a user/);
    }
  },
);

// What git gets from the helper in the settings, which a shell runs.
function answered({ settings, variables }: SignIn): Buffer {
  const [, helper = ''] = settings.at(-1) ?? [];
  return execFileSync('/bin/sh', ['-c', `${helper.slice(1)} "$1"`, 'helper', 'get'], {
    env: { ...variables },
  });
}

test('other encoded bytes of credentials are decoded, whether or not they are UTF-8', () => {
  const address = new RemoteAddress(
    'https://ci%20x:%e2%82%ac%3A%40%25%5cn%E4\\t@host.example/x.git',
  );
  const signIn = signInAt(address, false);
  expect(signIn?.address).toBe('https://host.example/x.git');
  const before = Buffer.from('username=ci x\npassword=€:@%\\n');
  const expected = Buffer.concat([before, Buffer.of(0xe4), Buffer.from('\\t\n')]);
  expect(signIn && answered(signIn)).toEqual(expected);
});
