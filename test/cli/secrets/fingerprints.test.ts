// `--fingerprints`: a secret whose value changed is a change, although no file and no answer of the server shows it.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { type Ended, environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = `
identity_providers:
  - { type: oidc, name: staff, issuer: "https://login.example.com", client_id: x, client_secret: "${'${env:HUSH}'}" }
`;
const KEY = { MESHFORM_FINGERPRINT_KEY: 'a key of enough length' };
const PRINTS = ['--fingerprints', 'prints.json'];

interface Setting {
  readonly folder: string;
  readonly run: (argv: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly prints: () => Promise<string>;
  /** Numbers of requests that wrote, so far. */
  readonly writes: () => number;
}

async function inSetting(use: (setting: Setting) => Promise<void>): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await inFolder(async folder => {
    await mkdir(join(folder, 'network'));
    await writeFile(join(folder, 'network', 'network.yaml'), FILES);
    await use({
      folder,
      run: (argv, env = { ...KEY, HUSH: 'first' }) =>
        meshform(argv, { cwd: folder, env: { ...environmentOf(account), ...env } }),
      prints: () => readFile(join(folder, 'prints.json'), 'utf8'),
      writes: () => account.requests.filter(({ method }) => method !== 'GET').length,
    });
  });
}

const PLAN = ['plan', 'network', '--detailed-exitcode', ...PRINTS];
const APPLY = ['apply', 'network', '--yes', ...PRINTS];

test('a secret that matches its fingerprint is not a change; a secret that does not match is planned as a change, and sent', () =>
  inSetting(async ({ run, prints, writes }) => {
    expect(await run(APPLY)).toMatchObject({ code: 0 });
    const first = await prints();
    expect(await run(PLAN)).toMatchObject({ code: 0 });

    const second = { ...KEY, HUSH: 'second' };
    const without = PLAN.slice(0, 3);
    expect(await run(without, second), 'nobody notices without').toMatchObject({ code: 0 });
    const planned = await run(PLAN, second);
    expect(planned).toMatchObject({ code: 2 });
    expect(planned.stdout).toContain('~ client_secret = (secret) -> (secret)');
    expect(await prints(), 'a plan remembers nothing').toBe(first);

    const before = writes();
    expect(await run(APPLY, second)).toMatchObject({ code: 0 });
    expect(writes() - before).toBe(1);
    expect(await prints()).not.toBe(first);
    expect(await run(PLAN, second)).toMatchObject({ code: 0 });
    expect(await run(APPLY)).toMatchObject({ code: 0 });
    expect(await prints(), 'equal values, equal files').toBe(first);
    expect(first).not.toMatch(/first|enough/);
  }));

test('a value without a fingerprint is sent once', () =>
  inSetting(async ({ run, writes }) => {
    await run(APPLY.slice(0, 3));
    const before = writes();
    expect(await run(APPLY)).toMatchObject({ code: 0 });
    expect(await run(APPLY)).toMatchObject({ code: 0 });
    expect(writes() - before).toBe(1);
  }));

test('the fingerprint of a deleted object is removed', () =>
  inSetting(async ({ run, prints, folder }) => {
    await run(APPLY);
    const other = FILES.replace('name: staff', 'name: guests');
    await writeFile(join(folder, 'network', 'network.yaml'), other);
    const prune = ['--prune', 'unmanaged', '--allow', 'DELETES_OBJECT'];
    expect(await run([...APPLY, ...prune])).toMatchObject({ code: 0 });
    const { fingerprints } = JSON.parse(await prints());
    expect(Object.keys(fingerprints)).toEqual(['identity_provider.guests /client_secret']);
  }));

test('the values of a saved plan get fingerprints too', () =>
  inSetting(async ({ run, prints }) => {
    await run(['plan', 'network', '--out', 'plan.json', ...PRINTS]);
    expect(await run(['apply', 'plan.json', '--yes', ...PRINTS])).toMatchObject({ code: 0 });
    expect(await prints()).toContain('identity_provider.staff');
    expect(await run(PLAN)).toMatchObject({ code: 0 });
  }));

describe('a fingerprint file is refused', () => {
  test.each([
    ['without a key', { HUSH: 'first' }],
    ['with a key that can be guessed', { HUSH: 'first', MESHFORM_FINGERPRINT_KEY: 'short' }],
  ])('%s', (_, env) =>
    inSetting(async ({ run }) => {
      const ended = await run(PLAN, env);
      expect(ended).toMatchObject({ code: 64 });
      expect(ended.stderr).toContain('set MESHFORM_FINGERPRINT_KEY');
      expect(ended.stderr).not.toContain('short');
    }),
  );

  test('a file is refused if the key of the run differs from the key of the file', () =>
    inSetting(async ({ run }) => {
      await run(APPLY);
      const ended = await run(PLAN, { HUSH: 'first', MESHFORM_FINGERPRINT_KEY: 'x'.repeat(20) });
      expect(ended).toMatchObject({ code: 3 });
      expect(ended.stderr).toContain('it was written with a different key');
    }));

  test('a file is refused if a secret cannot be compared', () =>
    inSetting(async ({ run }) => {
      const ended = await run(PLAN, KEY);
      expect(ended).toMatchObject({ code: 3 });
      expect(ended.stderr).toContain('network/network.yaml:3:5 error SECRET_UNDEFINED');
    }));
});

test('a fingerprint file that cannot be written is reported, and the apply stays', () =>
  inSetting(async ({ run }) => {
    const ended = await run(['apply', 'network', '--yes', '--fingerprints', 'not/there.json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('its fingerprints were not stored: it does not exist');
  }));
