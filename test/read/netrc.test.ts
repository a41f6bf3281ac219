// Who git would sign in as because of the `.netrc` of the user.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aheadOfNetrc, userIn } from '../../src/read/git/netrc.ts';
import { UnusableRemote } from '../../src/read/git/unusableRemote.ts';
import { inFolder } from '../support/cli.ts';

const BOB = { login: 'bob', password: 'x y' };

test.each([
  ['machine host.example login bob password "x y"', BOB],
  [
    'machine other.example\nlogin a\npassword b\nmachine HOST.example\n\tpassword "x y" login bob',
    BOB,
  ],
  ['# machine host.example login c\ndefault login bob password "x y"', BOB],
  [
    'macdef host.example\nmachine host.example\n\nmachine host.example login bob password "x y"',
    BOB,
  ],
  ['machine host.example password x machine b login c', { login: '', password: 'x' }],
  ['machine other.example login bob password x', null],
  ['', null],
])('%j has for host.example %j', (text, user) => {
  expect(userIn(text, 'host.example')).toEqual(user);
});

const at = { server: 'https://host.example:8443', user: 'ci', password: 'p' };

const settingsFor = (netrc: string, version = 'git version 2.46.0', password = 'p') =>
  inFolder(async HOME => {
    await writeFile(join(HOME, '.netrc'), netrc);
    return aheadOfNetrc({ ...at, password }, { HOME }, () => Promise.resolve(version));
  });

test('git signs in before it is asked if the `.netrc` has another user, and is refused if it is too old', async () => {
  const other = 'machine host.example login bob password p';
  const first = [['http.https://host.example:8443.proactiveAuth', 'basic']];
  expect(await settingsFor(other)).toEqual(first);
  expect(await settingsFor(other, 'git version 3.0.1')).toEqual(first);
  await expect(settingsFor(other, 'git version 2.45.9')).rejects.toThrow(UnusableRemote);
});

test.each([
  'machine host.example login ci password p',
  'machine other.example login bob password p',
])('nothing changes with %s', async netrc => {
  expect(await settingsFor(netrc, 'git version 2.39.5')).toEqual([]);
});

test('the `.netrc` may have the password of a user alone', async () => {
  const netrc = 'machine host.example login ci password of-ci';
  expect(await settingsFor(netrc, 'git version 2.39.5', '')).toEqual([]);
  await expect(settingsFor(netrc, 'git version 2.39.5', 'p')).rejects.toThrow(UnusableRemote);
});
