// Encrypted files are opened by the `sops` on the PATH. A script stands in for it here: what it is asked, and what its
// ends mean, is what is tested.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sopsFiles } from '../../src/read/sops.ts';
import { inFolder } from '../support/cli.ts';

const sealedWith = (keys: string) => `data: ENC[x]\nsops:\n  ${keys}\n  mac: x\n`;

/** A folder of desired state beside a `sops` that does as `script` says. */
async function withSops<T>(
  script: string,
  use: (folder: string, env: Record<string, string>) => Promise<T>,
): Promise<T> {
  return inFolder(async home => {
    const folder = join(home, 'network');
    const bin = join(home, 'bin');
    await mkdir(folder);
    await mkdir(bin);
    await writeFile(join(folder, 'sealed.yaml'), sealedWith('age: [{ recipient: age1x, enc: x }]'));
    await writeFile(join(home, 'outside.yaml'), 'sealed');
    await writeFile(join(bin, 'sops'), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, 'sops'), 0o755);
    return use(folder, {
      PATH: [bin, '/bin', '/usr/bin'].join(delimiter),
      SOPS_LOG: join(home, 'log'),
    });
  });
}

test('a file can be decrypted as JSON and as text, each only once', async () => {
  await withSops('echo "$*" >> "$SOPS_LOG"; echo "{}"', async (folder, env) => {
    const decrypt = sopsFiles(folder, { env });
    const answers = await Promise.all([
      decrypt('sealed.yaml', 'json'),
      decrypt('sealed.yaml', 'json'),
      decrypt('sealed.yaml', 'text'),
    ]);
    expect(answers).toEqual(['{}\n', '{}\n', '{}\n']);
    const asked = (await readFile(env.SOPS_LOG ?? '', 'utf8')).trim().split('\n').sort();
    expect(asked.map(line => line.replaceAll(folder, ''))).toEqual([
      '--decrypt --input-type yaml --output-type json /sealed.yaml',
      '--decrypt --input-type yaml /sealed.yaml',
    ]);
  });
});

test('sops gets the keys of the environment, and neither meshform’s nor other secrets', async () => {
  const script =
    'echo "$SOPS_AGE_KEY_FILE $VAULT_TOKEN [$AWS_SECRET_ACCESS_KEY$MESHFORM_TOKEN$DEPLOY_KEY]"';
  await withSops(script, async (folder, env) => {
    const keys = {
      SOPS_AGE_KEY_FILE: '/keys.txt',
      VAULT_TOKEN: 'hvs.x',
      MESHFORM_SOPS_ALLOW: 'hc_vault=https://vault.example.com',
    };
    const others = { AWS_SECRET_ACCESS_KEY: 'x', MESHFORM_TOKEN: 'ours', DEPLOY_KEY: 'ours too' };
    const decrypt = sopsFiles(folder, { env: { ...env, ...keys, ...others } });
    expect(await decrypt('sealed.yaml', 'text')).toBe('/keys.txt hvs.x []\n');
  });
});

test('the home folder of sops has the keys of this machine, and only the credentials of allowed key services', async () => {
  const script =
    'cd "$HOME" && cat .config/sops/age/keys.txt .gnupg/x .vault-token .aws/credentials 2>&1';
  await withSops(script, async (folder, env) => {
    const home = join(folder, '..', 'home');
    for (const one of ['.config/sops/age', '.gnupg', '.aws'])
      await mkdir(join(home, one), { recursive: true });
    await writeFile(join(home, '.config/sops/age/keys.txt'), 'age-key\n');
    await writeFile(join(home, '.gnupg/x'), 'pgp-key\n');
    await writeFile(join(home, '.vault-token'), 'vault-token\n');
    await writeFile(join(home, '.aws/credentials'), 'aws-credentials\n');
    const seen = async (allowed: string) => {
      const own = { ...env, HOME: home, MESHFORM_SOPS_ALLOW: allowed };
      return sopsFiles(folder, { env: own })('sealed.yaml', 'text');
    };
    // `cat` fails where a file is not there, and its messages are printed for nobody.
    expect(await seen('')).toMatchObject({ why: '`sops` failed' });
    expect(await seen('hc_vault=https://vault.example.com,kms=arn:aws:kms:x')).toBe(
      'age-key\npgp-key\nvault-token\naws-credentials\n',
    );
    expect(existsSync(join(home, '.vault-token'))).toBe(true);
  });
});

describe('a key service that the file names', () => {
  const VAULT = 'https://vault.example.com';
  const opened = (allowed?: string) =>
    withSops('echo opened; echo "$*" >> "$SOPS_LOG"', async (folder, env) => {
      const sealed = sealedWith(`hc_vault: [{ vault_address: '${VAULT}', enc: x }]`);
      await writeFile(join(folder, 'sealed.yaml'), sealed);
      const more = allowed === undefined ? {} : { MESHFORM_SOPS_ALLOW: allowed };
      const answer = await sopsFiles(folder, { env: { ...env, ...more } })('sealed.yaml', 'text');
      return { answer, isStarted: existsSync(env.SOPS_LOG ?? '') };
    });

  test.each([undefined, 'hc_vault', 'hc_vault=https://vault.example.org'])(
    'is not asked if the environment allows %s',
    async allowed => {
      const { answer, isStarted } = await opened(allowed);
      expect(isStarted).toBe(false);
      expect(answer).toEqual({
        why: `its key is at \`hc_vault=${VAULT}\` (sealed.yaml:3), which MESHFORM_SOPS_ALLOW does not allow`,
        hint: `only if you trust this service, add it to the environment: MESHFORM_SOPS_ALLOW=hc_vault=${VAULT}; entries are separated by commas`,
      });
    },
  );

  test('is asked if the environment allows its address', async () => {
    expect((await opened(`age, hc_vault=${VAULT}`)).answer).toBe('opened\n');
  });

  test('is not asked if its name cannot be read', async () => {
    await withSops('echo opened', async (folder, env) => {
      await writeFile(join(folder, 'sealed.yaml'), 'x: &x { age: [{ enc: x }] }\nsops: *x\n');
      const answer = await sopsFiles(folder, { env })('sealed.yaml', 'text');
      expect(answer).toMatchObject({ why: 'its metadata cannot be read' });
    });
  });
});

describe('a failed decryption is reported without quoting sops:', () => {
  const reported = async (script: string, file = 'sealed.yaml') =>
    withSops(script, (folder, env) => sopsFiles(folder, { env })(file, 'json'));

  test.each([
    [128, 'none of its keys is available'],
    [51, 'its checksum does not match: the file was changed'],
    [25, 'a value in it cannot be decrypted: the file was changed, or the value was moved'],
    [77, '`sops` ended with 77'],
  ])('sops ends with exit code %d', async (code, why) => {
    expect(await reported(`echo hush; echo hush >&2; exit ${code}`)).toEqual({
      why,
      hint: 'check the output of `sops --decrypt sealed.yaml`',
    });
  });

  test('a file outside the folder is not passed to sops', async () => {
    expect(await reported('echo hush', '../outside.yaml')).toMatchObject({
      why: 'it is not there',
    });
  });

  test('the target of a link is not passed to sops', async () => {
    await withSops('echo hush', async (folder, env) => {
      await symlink(join(folder, '../outside.yaml'), join(folder, 'link.yaml'));
      const found = await sopsFiles(folder, { env })('link.yaml', 'json');
      expect(found).toMatchObject({ why: 'it is not there' });
    });
  });

  test('sops is not installed', async () => {
    await withSops('', async folder => {
      const found = await sopsFiles(folder, { env: { PATH: folder } })('sealed.yaml', 'json');
      expect(found).toMatchObject({ why: '`sops` is not installed, or not on the PATH' });
    });
  });
});
