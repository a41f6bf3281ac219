// An apply that lacks a secret it will need refuses before its first write, and names every secret that is missing.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const COMPANY = fileURLToPath(new URL('../../../examples/company', import.meta.url));
const SECRETS = 'notifications.yaml';
const NAMES = ['CHAT_AUTHORIZATION', 'HELPDESK_QUEUE_KEY', 'HELPDESK_TOKEN'];

test('an apply of the example company’s notifications names each variable that is not set, and its place', () =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
    await cp(join(COMPANY, SECRETS), join(folder, 'company', SECRETS));
    const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
    expect(await run('plan', 'company', '--out', 'plan.json')).toMatchObject({ code: 0 });
    for (const what of ['company', 'plan.json']) {
      const ended = await run('apply', what, '--yes', '--allow', 'REVEALS_SECRET');
      expect(ended, what).toMatchObject({ code: 3 });
      for (const name of NAMES)
        expect(ended.stderr).toContain(`the variable \`${name}\` is not set`);
      expect(ended.stderr).toMatch(/company\/[\w/.-]+:\d+:\d+ error SECRET_UNDEFINED/);
    }
    expect(account.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  }));

test('a variable with the name of an inherited property counts as missing, for files and for saved plans', () =>
  inFolder(async folder => {
    const account = await startAccount();
    onTestFinished(() => account.close());
    const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
    const provider = `identity_providers:
  - { name: staff, type: oidc, client_id: x, client_secret: "\${env:__proto__}", issuer: "https://id.example.com" }
`;
    await writeFile(join(folder, 'network.yaml'), provider);
    const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
    expect(await run('plan', '.', '--out', 'plan.json')).toMatchObject({ code: 0 });
    for (const what of ['.', 'plan.json']) {
      const ended = await run('apply', what, '--yes');
      expect(ended, what).toMatchObject({ code: 3 });
      expect(ended.stderr).toContain('the variable `__proto__` is not set');
    }
  }));

describe('a secret file that is missing at the time of the apply', () => {
  test('is named in the error, and nothing is written', () =>
    inFolder(async folder => {
      const account = await startAccount();
      onTestFinished(() => account.close());
      const env = { ...environmentOf(account), MESHFORM_JOURNALS: '' };
      const provider = `groups: [{ name: devs }]
identity_providers:
  - { name: staff, type: oidc, client_id: x, client_secret: "\${file:secret}", issuer: "https://id.example.com" }
`;
      await writeFile(join(folder, 'network.yaml'), provider);
      const run = (...argv: string[]) => meshform(argv, { env, cwd: folder });
      const ended = await run('apply', '.', '--yes');
      expect(ended).toMatchObject({ code: 3 });
      expect(ended.stderr).toContain('the file `secret` does not exist here');
      expect(account.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
      await writeFile(join(folder, 'secret'), 'hush-hush');
      expect(await run('apply', '.', '--yes')).toMatchObject({ code: 0 });
      expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('hush-hush');
    }));
});
