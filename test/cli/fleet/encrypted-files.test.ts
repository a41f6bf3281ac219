// `${sops:}` in a fleet: no account of it is opened with a key that the credentials do not give to this account.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { inFleet, type TestFleet } from './fleetFolder.ts';

const CHANNEL = `notification_channels:
  - type: webhook
    event_types: [user.join]
    target: { url: "\${sops:sealed.yaml#part}" }
`;

const sealed = (key = 'age: [{ recipient: age1x, enc: x }]') =>
  `part: ENC[AES256_GCM,data:x,iv:x,tag:x,type:str]\nsops:\n  ${key}\n  mac: x\n`;

/** What `sops` would find keys by. */
const FOUND = '"[$SOPS_AGE_KEY_FILE] [$SOPS_AGE_KEY$SSH_AUTH_SOCK$VAULT_TOKEN] [$(ls -A "$HOME")]"';

/** Beside a `sops` that writes down what it could find keys by, and with the keys of a person in the environment and the home. */
async function withSops(
  { entry, key }: { readonly entry: (fleet: TestFleet) => string; readonly key?: string },
  use: (fleet: TestFleet, run: (words: readonly string[]) => Promise<Seen>) => Promise<void>,
): Promise<void> {
  await inFleet({ tenants: 2 }, async fleet => {
    const { home, msp, domain, write } = fleet;
    const [bin, log, person] = ['bin', 'log', 'person'].map(name => join(home, name));
    await mkdir(join(person ?? '', '.config/sops/age'), { recursive: true });
    await writeFile(join(person ?? '', '.config/sops/age/keys.txt'), 'the key of the provider');
    await mkdir(bin ?? '');
    const script = `#!/bin/sh\necho ${FOUND} >> '${log}'\necho '{"part":"https://hooks.example.com/T0KEN"}'\n`;
    await writeFile(join(bin ?? '', 'sops'), script);
    await chmod(join(bin ?? '', 'sops'), 0o755);
    await mkdir(join(home, 'keys'));
    await writeFile(join(home, 'keys', `${domain(1)}.txt`), 'AGE-SECRET-KEY-1');
    await writeFile(
      join(home, 'credentials.yaml'),
      `msp:\n  url: "${msp.url}"\n  token_env: MSP_TOKEN\n${entry(fleet)}`,
    );
    await write({
      [`customers/${domain(1)}/own.yaml`]: CHANNEL,
      [`customers/${domain(1)}/sealed.yaml`]: sealed(key),
    });
    const env = {
      HOME: person ?? '',
      PATH: [bin, process.env.PATH].join(delimiter),
      SOPS_AGE_KEY: 'AGE-SECRET-KEY-OF-THE-PROVIDER',
      SSH_AUTH_SOCK: '/agent',
      VAULT_TOKEN: 'hvs.x',
      MESHFORM_SOPS_ALLOW: 'hc_vault=https://vault.example.com',
    };
    await use(fleet, async words => {
      const { code, stdout, stderr } = await fleet.fleet(words, { env });
      const asked = existsSync(log ?? '') ? await readFile(log ?? '', 'utf8') : undefined;
      return { code, said: stdout + stderr, asked };
    });
  });
}

interface Seen {
  readonly code: number;
  readonly said: string;
  /** What `sops` could find keys by, each time; undefined if it was not started. */
  readonly asked: string | undefined;
}

test('no file of an account without keys is decrypted, and the message says what to add', async () => {
  await withSops({ entry: () => '' }, async ({ domain, fleet }, run) => {
    const { code, said, asked } = await run(['plan', '--out', 'plans']);
    expect(asked).toBeUndefined();
    expect(code).toBe(3);
    expect(said).toContain(`customers/${domain(1)}/own.yaml:4:20`);
    expect(said).toContain(
      '`sealed.yaml` could not be decrypted: the credentials `msp` name no keys for encrypted files of its accounts',
    );
    expect(said).toContain('write `sops_age_key_file: /keys/${account.name}.txt` into this entry');
    expect(said).toContain('`sops: shared`');
    // The other account is planned all the same.
    expect((await fleet(['plan', '--account', domain(2)])).code).toBe(0);
  });
});

test('an account uses its own age key, and no other key of the machine', async () => {
  const entry = ({ home }: TestFleet) => `  sops_age_key_file: ${home}/keys/\${account.name}.txt\n`;
  await withSops({ entry }, async ({ domain, home }, run) => {
    const { code, said, asked } = await run(['plan', '--out', 'plans']);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(asked).toBe(`[${home}/keys/${domain(1)}.txt] [] []\n`);
    // The apply opens the file again.
    const applied = await run(['apply', 'plans', '--yes']);
    expect({ code: applied.code, said: applied.said }).toMatchObject({ code: 0 });
    const lines = new Set(applied.asked?.trim().split('\n'));
    expect([...lines]).toEqual([`[${home}/keys/${domain(1)}.txt] [] []`]);
  });
});

test('an encrypted file is not decrypted if the key file of its account is missing', async () => {
  const entry = ({ home }: TestFleet) => `  sops_age_key_file: ${home}/keys/\${account.name}.txt\n`;
  await withSops({ entry }, async ({ domain, home, write }, run) => {
    await write({
      [`customers/${domain(2)}/own.yaml`]: CHANNEL,
      [`customers/${domain(2)}/sealed.yaml`]: sealed(),
    });
    const { code, said, asked } = await run(['plan', '--account', domain(2)]);
    expect({ code, asked }).toEqual({ code: 3, asked: undefined });
    expect(said).toContain(`its key file \`${home}/keys/${domain(2)}.txt\` cannot be read`);
  });
});

test('a key service is not asked for an account with its own key, even if the environment allows the service', async () => {
  const entry = ({ home }: TestFleet) => `  sops_age_key_file: ${home}/keys/\${account.name}.txt\n`;
  const key = `hc_vault: [{ vault_address: 'https://vault.example.com', engine_path: t, key_name: k, enc: x }]`;
  await withSops({ entry, key }, async ({ domain }, run) => {
    const { code, said, asked } = await run(['plan', '--account', domain(1)]);
    expect({ code, asked }).toEqual({ code: 3, asked: undefined });
    expect(said).toContain('its key is at `hc_vault=https://vault.example.com` (sealed.yaml:3)');
    expect(said).not.toContain('add it to the environment');
  });
});

test('the keys of the run decrypt the files of all accounts of an entry with `sops: shared`', async () => {
  await withSops({ entry: () => '  sops: shared\n' }, async ({ domain }, run) => {
    const { code, said, asked } = await run(['plan', '--account', domain(1)]);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(asked).toBe('[] [AGE-SECRET-KEY-OF-THE-PROVIDER/agenthvs.x] [.config]\n');
  });
});

test('a comparison of files decrypts nothing', async () => {
  await withSops({ entry: () => '  sops: shared\n' }, async ({ domain, write }, run) => {
    await write({ [`customers/${domain(2)}/own.yaml`]: 'groups: [{ name: own }]\n' });
    const { asked } = await run(['compare', domain(1), domain(2)]);
    expect(asked).toBeUndefined();
  });
});
