// What a plan answers of the findings about the files: which secrets its apply lacks, and references that lead nowhere.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ seed: 1 });
});
afterAll(() => account.close());

const provider = `groups: [{ name: a }]
identity_providers:
  - { name: login, type: oidc, client_id: meshform, client_secret: "\${env:NOT_SET}", issuer: https://login.example.com }
`;

const run = async (cwd: string, ...argv: readonly string[]) =>
  meshform(argv, { env: environmentOf(account), cwd });

test('the last line of a plan says which secrets its apply lacks; with --strict it is an error', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), provider);
    const planned = await run(cwd, 'plan');
    expect(planned.code).toBe(0);
    expect(planned.stderr.trimEnd().split('\n').at(-1)).toBe(
      '1 secret that an apply of this plan needs is not set here: `a.yaml:3:68`',
    );
    const strict = await run(cwd, 'plan', '--strict');
    expect(strict.code).toBe(3);
    expect(strict.stderr).toContain('a.yaml:3:68 error SECRET_UNDEFINED');
  }));

test('a plan does not ask for the secret of an unchanged object', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), provider);
    const env = { ...environmentOf(account), NOT_SET: 'now it is' };
    expect((await meshform(['apply', '--yes'], { env, cwd })).code).toBe(0);
    const { code, stderr } = await run(cwd, 'plan', '--strict');
    expect(stderr).toBe('');
    expect(code).toBe(0);
  }));

test('a dangling reference is reported once', () =>
  inFolder(async cwd => {
    const rule = '{ name: r, sources: [nope], destinations: [a], protocol: icmp }';
    const text = `groups: [{ name: a }]\npolicies: [{ name: p, rules: [${rule}] }]\n`;
    await writeFile(join(cwd, 'a.yaml'), text);
    for (const command of ['plan', 'drift']) {
      const { stderr } = await run(cwd, command);
      expect(stderr.match(/`nope`/g)).toHaveLength(1);
      expect(stderr).toContain('error REF_UNKNOWN');
    }
  }));
