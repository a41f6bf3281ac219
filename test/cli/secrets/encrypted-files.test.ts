// When `plan`, `drift` and `expire` start `sops`, which reads keys in the home and the environment of whoever runs them: only for the address
// of a webhook, and only for key services that the environment allows.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const VAULT = 'https://vault.evil.example.com:8200';
const OWN_KEY = 'age: [{ recipient: age1x, enc: x }]';
const VAULT_KEY = `hc_vault: [{ vault_address: '${VAULT}', engine_path: transit, key_name: k, enc: x }]`;

/** What `sops` would authenticate with at Vault. */
const CREDENTIALS = '"$VAULT_TOKEN" "$(cat "$HOME/.vault-token")"';
const TOKENS = ['hvs.of-the-environment', 'hvs.of-the-home'];
const ANSWER = '{"part":"https://hooks.example.com/T0KEN"}';

const CHANNEL = 'notification_channels:\n  - type: webhook\n    event_types: [user.join]\n';
const FILES = {
  secret: `identity_providers:
  - { name: staff, type: google, client_id: meshform, client_secret: "\${sops:sealed.yaml#part}" }
`,
  header: `${CHANNEL}    target: { url: https://hooks.example.com/x, headers: { Key: "\${sops:sealed.yaml#part}" } }\n`,
  address: `${CHANNEL}    target: { url: "\${sops:sealed.yaml#part}" }\n`,
};

interface Looked {
  readonly code: number;
  readonly output: string;
  /** What `sops` had to authenticate with; undefined if it was not started. */
  readonly sent: string | undefined;
}

/** A command on a folder with an encrypted file, run by somebody who has the keys to a Vault. */
async function looked(verb: string, files: string, key: string, allowed?: string): Promise<Looked> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  return inFolder(async home => {
    const [bin, folder, sent] = ['bin', 'network', 'sent'].map(name => join(home, name));
    for (const made of [bin, folder]) await mkdir(made ?? '');
    const script = `#!/bin/sh\necho ${CREDENTIALS} >> '${sent}'\necho '${ANSWER}'\n`;
    await writeFile(join(bin ?? '', 'sops'), script);
    await chmod(join(bin ?? '', 'sops'), 0o755);
    await writeFile(join(home, '.vault-token'), TOKENS[1] ?? '');
    await writeFile(join(folder ?? '', 'network.yaml'), files);
    await writeFile(
      join(folder ?? '', 'sealed.yaml'),
      `part: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\nsops:\n  ${key}\n  mac: x\n`,
    );
    const env = {
      ...environmentOf(account),
      HOME: home,
      PATH: [bin, '/bin', '/usr/bin'].join(delimiter),
      VAULT_TOKEN: TOKENS[0] ?? '',
      ...(allowed !== undefined && { MESHFORM_SOPS_ALLOW: allowed }),
    };
    const argv = [verb, folder ?? '', ...(verb === 'expire' ? ['--yes'] : [])];
    const { code, stdout, stderr } = await meshform(argv, { env, cwd: home });
    return {
      code,
      output: stdout + stderr,
      sent: existsSync(sent ?? '') ? await readFile(sent ?? '', 'utf8') : undefined,
    };
  });
}

test('every command that docs/secrets.md lists says in its help when it decrypts', async () => {
  const page = await readFile(new URL('../../../docs/secrets.md', import.meta.url), 'utf8');
  const [, list = ''] = /compares the files with the account \(([^)]*)\)/.exec(page) ?? [];
  const listed = [...list.matchAll(/`([a-z ]*[a-z])[^`]*`/g)].map(([, words = '']) => words);
  expect(listed).toContain('plan check');
  for (const words of listed) {
    const { stdout } = await meshform([...words.split(' '), '--help']);
    expect(stdout.replaceAll(/\s+/g, ' '), words).toContain(
      'sops decrypts a file only for the address of a webhook',
    );
  }
});

describe.each(['plan', 'drift', 'expire'])('%s', verb => {
  test.each(['secret', 'header'] as const)('decrypts nothing for a %s', async place => {
    const { code, output, sent } = await looked(verb, FILES[place], OWN_KEY);
    expect({ code, output }).toMatchObject({ code: verb === 'drift' ? 2 : 0 });
    expect(sent).toBeUndefined();
  });

  test('decrypts the address of a webhook, which identifies the channel', async () => {
    const { code, output, sent } = await looked(verb, FILES.address, OWN_KEY);
    expect({ code, output }).toMatchObject({ code: verb === 'drift' ? 2 : 0 });
    // Not even there: no Vault is allowed.
    expect(sent?.trim()).toBe('');
    expect(output).not.toContain('T0KEN');
  });

  test.each([undefined, 'hc_vault', 'hc_vault=https://vault.example.com'])(
    'sends the Vault tokens to no address of a file if %s is allowed',
    async allowed => {
      const { code, output, sent } = await looked(verb, FILES.address, VAULT_KEY, allowed);
      expect(code).toBe(3);
      expect(output).toContain(`hc_vault=${VAULT}`);
      expect(sent).toBeUndefined();
    },
  );

  test('sends no Vault token to a second address beside an allowed one', async () => {
    const both = VAULT_KEY.replace(
      '[{',
      "[{ vault_address: 'https://vault.example.com', engine_path: transit, key_name: k, enc: x }, {",
    );
    const { sent } = await looked(verb, FILES.address, both, 'hc_vault=https://vault.example.com');
    expect(sent).toBeUndefined();
  });

  test('sends the Vault tokens to the allowed address', async () => {
    const { sent } = await looked(verb, FILES.address, VAULT_KEY, `hc_vault=${VAULT}`);
    // Once for each time that it compares.
    expect(new Set(sent?.trim().split('\n'))).toEqual(new Set([TOKENS.join(' ')]));
  });
});
