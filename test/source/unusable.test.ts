// A secret that names a file outside the folder is an error where it stands, and not a file that is missing.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, meshform } from '../support/cli.ts';

const hook = (key: string) => `notification_channels:
  - type: webhook
    event_types: [user.join]
    target:
      url: https://hook.example.com
      headers: { A: "${key}" }
`;

test.each([
  ['a link that leads out', '${file:key}', '`key` cannot be read: it points outside the folder'],
  [
    'a link to the environment',
    '${file:env}',
    '`env` cannot be read: it points outside the folder',
  ],
  [
    'the folder of git',
    '${file:.git/config}',
    '`.git/config` cannot be read: it is inside a .git folder',
  ],
  ['a folder', '${file:sub}', '`sub` cannot be read: it is a folder'],
  [
    'an encrypted file that leads out',
    '${sops:key#a}',
    '`key` cannot be read: it points outside the folder',
  ],
  [
    'a path that leads out',
    '${file:../token}',
    '`../token` cannot be read: it points outside the folder',
  ],
])('%s', (_, reference, said) =>
  inFolder(async cwd => {
    await mkdir(join(cwd, 'net/.git'), { recursive: true });
    await mkdir(join(cwd, 'net/sub'));
    await writeFile(join(cwd, 'token'), 'nbp_secret');
    await writeFile(join(cwd, 'net/.git/config'), 'nbp_secret');
    await symlink('../token', join(cwd, 'net/key'));
    await symlink('/proc/self/environ', join(cwd, 'net/env'));
    await writeFile(join(cwd, 'net/network.yaml'), hook(reference));
    const { code, stdout, stderr } = await meshform(['validate', 'net'], { cwd });
    expect(code).toBe(3);
    expect(stdout).toContain('net/network.yaml:6:21 error INPUT_FORBIDDEN');
    expect(stdout).toContain(said);
    expect(stdout + stderr).not.toContain('nbp_secret');
  }),
);

test('a missing file is a note until an apply needs it', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), hook('${file:key}'));
    const { code, stdout } = await meshform(['validate'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('note SECRET_UNDEFINED')]);
  }));
