// What a pull request can put into a folder prints nothing from outside of it, and makes nothing look removed.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUP = 'groups:\n  - name: engineers\n';

test.each([
  ['desired state, to a token', 'net/x.yaml', '../../token', '`net/x.yaml`'],
  ['desired state, to the environment', 'net/x.yaml', '/proc/self/environ', '`net/x.yaml`'],
  ['the project file, to a token', 'net/meshform.yaml', '../../token', '`net/meshform.yaml`'],
  [
    'the project file, to the environment',
    'meshform.yaml',
    '/proc/self/environ',
    '`meshform.yaml`',
  ],
  ['a folder', 'net/more', '../more', '`net/more`'],
])('a link in place of %s', (_, path, target, named) =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const cwd = join(folder, 'checkout');
    await mkdir(join(cwd, 'net'), { recursive: true });
    await mkdir(join(cwd, 'more'));
    await mkdir(join(cwd, '.git'));
    await writeFile(join(folder, 'token'), 'nbp_outside');
    await writeFile(join(cwd, 'net/a.yaml'), GROUP);
    await symlink(target, join(cwd, path));
    for (const argv of [
      ['validate', 'net'],
      ['plan', 'net'],
      ['drift', 'net'],
      ['apply', 'net', '--yes'],
    ]) {
      const { code, stdout, stderr } = await meshform(argv, { cwd, env: environmentOf(account) });
      expect(code).toBe(3);
      expect(stdout + stderr).toContain('error SOURCE_UNREADABLE');
      expect(stdout + stderr).toContain(named);
      expect(stdout + stderr).not.toMatch(/nbp_outside|PATH=|HOME=/);
    }
    expect(account.requests).toEqual([]);
  }),
);
