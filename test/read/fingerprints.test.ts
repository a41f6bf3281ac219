// Fingerprints tell another value from the one that was sent last, and nothing else to anybody.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InvariantError } from '../../src/model/errors.ts';
import type { Address } from '../../src/model/names.ts';
import { Fingerprints } from '../../src/read/fingerprints.ts';
import { inFolder } from '../support/cli.ts';

const KEY = 'a key of enough length';
const HOOK = 'notification_channel.hook' as Address;
const OTHER = 'notification_channel.hook2' as Address;
const HEADER = ['target', 'headers', 'X/Y'];
const TOKEN = ['token'];

async function opened(file: string, key = KEY): Promise<Fingerprints> {
  const found = await Fingerprints.read(file, key);
  if (typeof found === 'string') throw new InvariantError(found);
  return found;
}

const inFile = (use: (file: string) => Promise<void>) =>
  inFolder(folder => use(join(folder, 'fingerprints.json')));

test('a secret counts as changed until it was sent, and again once it changes', () =>
  inFile(async file => {
    const prints = await opened(file);
    expect(prints.isOther(HOOK, HEADER, 'hush')).toBe(true);
    await prints.sent(HOOK, [{ path: HEADER, value: 'hush' }]);
    for (const known of [prints, await opened(file)]) {
      expect(known.isOther(HOOK, HEADER, 'hush')).toBe(false);
      expect(known.isOther(HOOK, HEADER, 'Hush')).toBe(true);
      expect(known.isOther(HOOK, TOKEN, 'hush')).toBe(true);
      expect(known.isOther(OTHER, HEADER, 'hush')).toBe(true);
    }
  }));

test('a secret whose fingerprint was removed counts as changed', () =>
  inFile(async file => {
    const prints = await opened(file);
    const both = [HEADER, TOKEN].map(path => ({ path, value: 'hush' }));
    await prints.sent(HOOK, both);
    await prints.sent(OTHER, both);
    await prints.forget(HOOK, [TOKEN]);
    expect(prints.isOther(HOOK, TOKEN, 'hush')).toBe(true);
    expect(prints.isOther(HOOK, HEADER, 'hush')).toBe(false);
    await prints.forget(HOOK);
    expect(prints.isOther(HOOK, HEADER, 'hush')).toBe(true);
    expect((await opened(file)).isOther(OTHER, HEADER, 'hush')).toBe(false);
  }));

describe('the file of fingerprints', () => {
  test('is the same in any order, readable only by its owner, and holds no value', () =>
    inFolder(async folder => {
      const a = join(folder, 'a.json');
      const b = join(folder, 'b.json');
      const values = [HEADER, TOKEN].map(path => ({ path, value: 'hush' }));
      const first = await opened(a);
      const second = await opened(b);
      await Promise.all([first.sent(HOOK, values), first.sent(OTHER, values)]);
      await second.sent(OTHER, values.toReversed());
      await second.sent(HOOK, values.toReversed());
      const text = await readFile(a, 'utf8');
      expect(await readFile(b, 'utf8')).toBe(text);
      expect(text).not.toMatch(/hush|a key of/);
      const { fingerprints } = JSON.parse(text);
      expect(Object.keys(fingerprints)).toEqual([
        'notification_channel.hook /target/headers/X~1Y',
        'notification_channel.hook /token',
        'notification_channel.hook2 /target/headers/X~1Y',
        'notification_channel.hook2 /token',
      ]);
      expect(new Set(Object.values(fingerprints)).size, 'equal values do not look equal').toBe(4);
      expect((await stat(a)).mode & 0o777).toBe(0o600);
      expect((await readdir(folder)).sort(), 'no draft is left').toEqual(['a.json', 'b.json']);
    }));

  test.each([
    ['{', 'it is not a file of fingerprints'],
    ['[]', 'it is not a file of fingerprints'],
    [
      '{"format_version":"9.0","fingerprints":{}}',
      'it is of format 9.0, and this meshform reads 1.0',
    ],
  ])('cannot be read with the content %j', (text, why) =>
    inFile(async file => {
      await writeFile(file, text);
      expect(await Fingerprints.read(file, KEY)).toBe(why);
    }),
  );

  test('a file with a different key is an error, and does not make every secret count as changed', () =>
    inFile(async file => {
      await (await opened(file)).sent(HOOK, [{ path: TOKEN, value: 'hush' }]);
      expect(await Fingerprints.read(file, 'another key of length')).toBe(
        'it was written with a different key',
      );
    }));

  test('is reported if it cannot be written', () =>
    inFolder(async folder => {
      const prints = await opened(join(folder, 'not', 'there.json'));
      const sending = prints.sent(HOOK, [{ path: TOKEN, value: 'hush' }]);
      await expect(sending).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(prints.forget(HOOK)).rejects.toMatchObject({ code: 'ENOENT' });
    }));
});
