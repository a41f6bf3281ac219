// The clone gets a copy of a base of the remote only if it follows the bases of the remote.
import { expect, test } from 'vitest';
import { copyBase, makeBase, storeBase } from '../../src/read/git/storeBase.ts';
import { inFolder } from '../support/cli.ts';
import { git } from '../support/git.ts';

const REF = 'refs/meshform-base/a1/network';

test('a clone with the previous base gets the next one, and a clone without it gets no object', () =>
  inFolder(async folder => {
    git(folder, 'init', '--quiet', '--template=');
    const place = { folder, host: { env: process.env } };
    const base = (text: string, before: string | undefined) => {
      const parents = before === undefined ? [] : [before];
      return { ref: REF, text, signature: 's', recordedAt: 0, parents, before };
    };
    const copied = async (text: string, before: string): Promise<string> => {
      const made = await makeBase(place, base(text, before));
      await copyBase(place, base(text, before), made);
      return made.commit;
    };
    const stored = await storeBase(place, base('one', undefined));
    const first = 'commit' in stored ? stored.commit : '';
    const second = await copied('two', first);
    expect(git(folder, 'rev-parse', REF).trim()).toBe(second);

    const elsewhere = '1'.repeat(40);
    const other = await copied('four', elsewhere);
    expect(git(folder, 'rev-parse', REF).trim()).toBe(second);
    expect(git(folder, 'cat-file', '--batch-all-objects', '--batch-check')).not.toContain(other);
    expect(git(folder, 'fsck', '--strict', '--no-dangling')).toBe('');
  }));
