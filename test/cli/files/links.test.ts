// What a pull request can put into a folder prints nothing from outside of it, and makes nothing look removed.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';
import { git } from '../../support/git.ts';

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
])(
  'a link out of the checkout is an error and is not read, in place of %s',
  (_, path, target, named) =>
    inFolder(async folder => {
      const account = await startAccount();
      onTestFinished(() => account.close());
      const cwd = join(folder, 'checkout');
      await mkdir(join(cwd, 'net'), { recursive: true });
      await mkdir(join(cwd, 'more'));
      git(cwd, 'init', '--quiet');
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

test.each([
  ['desired state', ['validate', 'net'], 'net/x.yaml', 'secrets/key'],
  ['a project file', ['validate', 'net'], 'net/meshform.yaml', 'secrets/key'],
  ['a fleet', ['fleet', 'plan', 'net'], 'net/fleet.yaml', 'secrets/key'],
  ['desired state, by two links', ['validate', 'net'], 'net/x.yaml', 'y.yaml'],
])('a link to a file of secrets in place of %s prints nothing of it', (_, argv, path, target) =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'net/secrets'), { recursive: true });
    await writeFile(join(cwd, 'net/secrets/key'), 'canary-name: canary-value\n');
    await writeFile(join(cwd, 'net/a.yaml'), GROUP);
    await symlink('secrets/key', join(cwd, 'net/y.yaml'));
    await symlink(target, join(cwd, path));
    const { code, stdout, stderr } = await meshform(argv, { cwd });
    expect(code).toBe(3);
    expect(stdout + stderr).toContain('does not end in .yaml');
    expect(stdout + stderr).not.toContain('canary');
  }),
);

test('the fleet file of a folder is not read through a link out of the folder', () =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'net'));
    await writeFile(join(cwd, 'token.yaml'), 'canary-name: canary-value\n');
    await symlink('../token.yaml', join(cwd, 'net/fleet.yaml'));
    const { code, stderr } = await meshform(['fleet', 'plan', 'net'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('`net/fleet.yaml` cannot be read: it points outside the folder');
    expect(stderr).not.toContain('canary');
  }));

test.each([
  ['out of the work tree', '../base/x.yaml', '../../canary.yaml', 'is not in the work tree'],
  ['to a file of secrets', '../base/x.yaml', 'key', 'does not end in .yaml'],
  ['that is no link, but a file of secrets', '../base/key', 'key', 'does not end in .yaml'],
])('a project file lists no layer that is a link %s', (_, layer, target, why) =>
  inFolder(async folder => {
    const cwd = join(folder, 'checkout');
    await mkdir(join(cwd, 'base'), { recursive: true });
    await mkdir(join(cwd, 'net'));
    git(cwd, 'init', '--quiet');
    for (const path of [join(folder, 'canary.yaml'), join(cwd, 'base/key')])
      await writeFile(path, 'canary-name: canary-value\n');
    await symlink(target, join(cwd, 'base/x.yaml'));
    await writeFile(join(cwd, 'net/meshform.yaml'), `layers: [${layer}, .]\n`);
    await writeFile(join(cwd, 'net/a.yaml'), GROUP);
    const { code, stdout, stderr } = await meshform(['validate', 'net'], { cwd });
    expect(code).toBe(3);
    expect(stdout + stderr).toContain(why);
    expect(stdout + stderr).not.toContain('canary');
  }),
);
