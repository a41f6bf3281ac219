// To delete everything that the files declared, somebody says how much that is.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = 'groups: [{ name: one }, { name: two }, { name: three }]\n';
const REMOVED = ['--prune', 'removed', '--base', './before', '--allow', 'DELETES_OBJECT'];

/** An account with the objects of a folder that declares nothing any more. */
async function inEmptied(
  use: (world: {
    readonly cwd: string;
    readonly account: TestAccount;
    readonly run: (words: readonly string[], answer?: string) => ReturnType<typeof meshform>;
    readonly groups: () => Promise<readonly string[]>;
  }) => Promise<void>,
): Promise<void> {
  await inFolder(async cwd => {
    const account = await startAccount({});
    try {
      await mkdir(join(cwd, 'net'));
      await mkdir(join(cwd, 'before'));
      await writeFile(join(cwd, 'net/a.yaml'), FILES);
      await writeFile(join(cwd, 'before/a.yaml'), FILES);
      const run = (words: readonly string[], answer?: string) =>
        meshform(words, {
          cwd,
          env: environmentOf(account),
          ...(answer !== undefined && { answer, isTerminal: true }),
        });
      expect((await run(['apply', 'net', '--yes'])).code).toBe(0);
      await rm(join(cwd, 'net/a.yaml'));
      const groups = async () =>
        ((await account.call('GET', '/api/groups')) as { name: string }[])
          .map(({ name }) => name)
          .sort();
      await use({ cwd, account, run, groups });
    } finally {
      await account.close();
    }
  });
}

const ALL = ['All', 'one', 'three', 'two'];

test('files that declare nothing are an error without --destroy', () =>
  inEmptied(async ({ run, groups }) => {
    const { code, stderr } = await run(['apply', 'net', ...REMOVED, '--yes']);
    expect(code).toBe(3);
    expect(stderr).toContain('SOURCE_EMPTY');
    expect(stderr).toContain('--destroy');
    expect(await groups()).toEqual(ALL);
  }));

test('a plan with --destroy shows what would be deleted, and its number', () =>
  inEmptied(async ({ run }) => {
    const { code, stdout } = await run(['plan', 'net', ...REMOVED, '--destroy']);
    expect(code).toBe(0);
    expect(stdout).toContain('Plan: 0 to add, 0 to change, 3 to destroy.');
  }));

test.each(['yes', '', '4'])(
  '--destroy asks for the number of objects at a terminal: %j does not confirm',
  answer =>
    inEmptied(async ({ run, groups }) => {
      const words = ['apply', 'net', ...REMOVED, '--destroy', '--yes'];
      expect((await run(words, answer)).code).toBe(6);
      expect(await groups()).toEqual(ALL);
    }),
);

test('typing the right number deletes everything', () =>
  inEmptied(async ({ run, groups }) => {
    expect((await run(['apply', 'net', ...REMOVED, '--destroy'], '3')).code).toBe(0);
    expect(await groups()).toEqual(['All']);
  }));

test('--destroy takes the number of objects without a terminal, and only the right number deletes', () =>
  inEmptied(async ({ run, groups }) => {
    const unasked = await run(['apply', 'net', ...REMOVED, '--destroy', '--yes']);
    expect(unasked.code).toBe(64);
    expect(unasked.stderr).toContain('--destroy=NUMBER');
    const wrong = await run(['apply', 'net', ...REMOVED, '--destroy=2']);
    expect(wrong.code).toBe(6);
    expect(wrong.stderr).toContain('the plan deletes 3 objects');
    expect(await groups()).toEqual(ALL);
    expect((await run(['apply', 'net', ...REMOVED, '--destroy=3'])).code).toBe(0);
    expect(await groups()).toEqual(['All']);
  }));

test('--destroy still requires that hazards are allowed, and keeps protected objects', () =>
  inEmptied(async ({ cwd, run, groups }) => {
    const [prune = '', removed = '', base = '', before = ''] = REMOVED;
    const words = ['apply', 'net', prune, removed, base, before, '--destroy=3'];
    const unallowed = await run(words);
    expect([unallowed.code, unallowed.stderr]).toEqual([
      6,
      expect.stringContaining('DELETES_OBJECT'),
    ]);
    await writeFile(join(cwd, 'net/meshform.yaml'), 'protect: [group/one]\n');
    const kept = await run([...words, '--allow', 'DELETES_OBJECT']);
    expect([kept.code, kept.stderr]).toEqual([6, expect.stringContaining('PROTECTED')]);
    expect(await groups()).toEqual(ALL);
  }));

test('--destroy is refused for files that declare objects, and without `--prune removed`', () =>
  inEmptied(async ({ cwd, run }) => {
    expect((await run(['plan', 'net', '--destroy'])).code).toBe(64);
    await writeFile(join(cwd, 'net/a.yaml'), 'groups: [{ name: one }]\n');
    const { code, stderr } = await run(['plan', 'net', ...REMOVED, '--destroy']);
    expect(code).toBe(64);
    expect(stderr).toContain('`net` declares 1 object');
  }));
