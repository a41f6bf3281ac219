// Encrypted files are opened by the `sops` on the PATH. A script stands in for it here: what it is asked, and what its
// ends mean, is what is tested.
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sopsFiles } from '../../src/read/sops.ts';
import { inFolder } from '../support/cli.ts';

/** A folder of desired state beside a `sops` that does as `script` says. */
async function withSops<T>(
  script: string,
  use: (folder: string, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  return inFolder(async home => {
    const [folder, bin] = [join(home, 'network'), join(home, 'bin')];
    await mkdir(folder);
    await mkdir(bin);
    await writeFile(join(folder, 'sealed.yaml'), 'sealed');
    await writeFile(join(home, 'outside.yaml'), 'sealed');
    await writeFile(join(bin, 'sops'), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, 'sops'), 0o755);
    return use(folder, { PATH: [bin, '/bin', '/usr/bin'].join(delimiter), LOG: join(home, 'log') });
  });
}

test('a file is decrypted as JSON or as it is, each once', async () => {
  await withSops('echo "$*" >> "$LOG"; echo "{}"', async (folder, env) => {
    const decrypt = sopsFiles(folder, { env });
    const answers = await Promise.all([
      ...[decrypt('sealed.yaml', 'json'), decrypt('sealed.yaml', 'json')],
      decrypt('sealed.yaml', 'text'),
    ]);
    expect(answers).toEqual(['{}\n', '{}\n', '{}\n']);
    const asked = (await readFile(env.LOG ?? '', 'utf8')).trim().split('\n').sort();
    expect(asked.map(line => line.replaceAll(folder, ''))).toEqual([
      '--decrypt --output-type json /sealed.yaml',
      '--decrypt /sealed.yaml',
    ]);
  });
});

test('it is given the keys of the environment, and nothing of meshform’s', async () => {
  const script = 'echo "$SOPS_AGE_KEY_FILE [$MESHFORM_TOKEN]"';
  await withSops(script, async (folder, env) => {
    const keys = { SOPS_AGE_KEY_FILE: '/keys.txt', MESHFORM_TOKEN: 'ours' };
    const decrypt = sopsFiles(folder, { env: { ...env, ...keys } });
    expect(await decrypt('sealed.yaml', 'text')).toBe('/keys.txt []\n');
  });
});

describe('what cannot be decrypted says why, and nothing that sops says', () => {
  const reported = async (script: string, file = 'sealed.yaml') =>
    withSops(script, (folder, env) => sopsFiles(folder, { env })(file, 'json'));

  test.each([
    [128, 'none of its keys is available'],
    [51, 'its checksum does not match: the file was changed'],
    [25, 'a value in it cannot be decrypted: the file was changed, or the value was moved'],
    [77, '`sops` ended with 77'],
  ])('exit code %d', async (code, why) => {
    expect(await reported(`echo hush; echo hush >&2; exit ${code}`)).toEqual({
      why,
      hint: 'see what `sops --decrypt sealed.yaml` says',
    });
  });

  test('a file outside the folder is not handed to it', async () => {
    expect(await reported('echo hush', '../outside.yaml')).toMatchObject({
      why: 'it is not there',
    });
  });

  test('nor is one that a link leads to', async () => {
    await withSops('echo hush', async (folder, env) => {
      await symlink(join(folder, '../outside.yaml'), join(folder, 'link.yaml'));
      const found = await sopsFiles(folder, { env })('link.yaml', 'json');
      expect(found).toMatchObject({ why: 'it is not there' });
    });
  });

  test('no sops at all', async () => {
    await withSops('', async folder => {
      const found = await sopsFiles(folder, { env: { PATH: folder } })('sealed.yaml', 'json');
      expect(found).toMatchObject({ why: '`sops` is not installed, or not on the PATH' });
    });
  });
});
