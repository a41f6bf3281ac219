// Groups of the identity provider: files refer to them, also under --strict, and no run ever writes them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const POLICY = `
policies:
  - name: staff reach servers
    rules: [{ name: r, protocol: all, sources: [staff], destinations: [servers] }]
`;

async function accountOfProvider(): Promise<TestAccount> {
  const account = await startAccount({ seed: 1 });
  onTestFinished(() => account.close());
  await account.control('POST', '/emulator/groups', { name: 'staff', issued: 'jwt' });
  return account;
}

const groupsOf = async ({ call }: TestAccount) =>
  (await call('GET', '/api/groups')) as { name: string; issued: string }[];

test('a provider group declared by its name alone passes --strict and stays unchanged', async () => {
  const account = await accountOfProvider();
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), `groups: [{ name: staff }, { name: servers }]\n${POLICY}`);
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    expect(await run('validate', '--strict')).toMatchObject({ code: 0 });
    const applied = await run('apply', '--strict', '--yes');
    expect(applied.code).toBe(0);
    expect(applied.stderr).toContain('note PAIR_RESERVED');
    const again = await run('plan', '--strict', '--prune', 'unmanaged', '--only', 'group/*');
    expect(again.stdout).toContain('No changes.');
    expect(await run('drift', '--strict')).toMatchObject({ code: 0 });
  });
  const staff = (await groupsOf(account)).filter(({ name }) => name === 'staff');
  expect(staff).toMatchObject([{ name: 'staff', issued: 'jwt' }]);
  expect(account.requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('a provider group declared with any other field is an error', async () => {
  const account = await accountOfProvider();
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), 'groups: [{ name: staff, peers: [] }]\n');
    const planned = await meshform(['plan'], { env: environmentOf(account), cwd });
    expect(planned.code).toBe(3);
    expect(planned.stderr).toContain('error PAIR_RESERVED');
  });
});

test('the error for an undeclared name under --strict says what to declare', () =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), `groups: [{ name: servers }]\n${POLICY}`);
    const checked = await meshform(['validate', '--strict'], { cwd });
    expect(checked.code).toBe(3);
    expect(checked.stdout + checked.stderr).toContain('declare only its name');
  }));

test('a run with an account recognises an undeclared name as a provider group, and reports no error', async () => {
  const account = await accountOfProvider();
  await inFolder(async cwd => {
    const run = (...argv: string[]) => meshform(argv, { env: environmentOf(account), cwd });
    await writeFile(join(cwd, 'a.yaml'), `groups: [{ name: servers }]\n${POLICY}`);
    for (const argv of [['plan'], ['apply', '--yes'], ['drift']]) {
      const ended = await run(...argv, '--strict');
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.stderr).not.toContain('REF_NOT_DECLARED');
    }
    // Any other undeclared object is still an error.
    await account.call('POST', '/api/groups', { name: 'mine' });
    await writeFile(
      join(cwd, 'a.yaml'),
      `groups: [{ name: servers }]\n${POLICY.replace('[staff]', '[mine]')}`,
    );
    for (const argv of [['plan'], ['apply', '--yes'], ['drift']]) {
      const refused = await run(...argv, '--strict');
      expect(refused.code, refused.stdout).toBe(3);
      expect(refused.stderr).toContain('error REF_NOT_DECLARED');
    }
  });
});
