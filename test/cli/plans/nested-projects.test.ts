// Project files of nested folders: an inner file cannot switch off the guards of the files above it.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const GROUPS = 'groups: [{ name: kept }]\n';

/** Runs meshform in a folder with these files; `account` in a text is replaced by the id of the account. */
async function nested(
  files: Readonly<Record<string, string>>,
  story: (run: (...argv: string[]) => ReturnType<typeof meshform>) => Promise<void>,
): Promise<void> {
  const account = await startAccount({ seed: 1 });
  onTestFinished(() => account.close());
  await account.call('POST', '/api/groups', { name: 'guarded' });
  await inFolder(async cwd => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), text);
    }
    await story((...argv) => meshform(argv, { env: environmentOf(account), cwd }));
  });
}

test('an object that an outer file protects is not deleted', () =>
  nested(
    {
      'meshform.yaml': 'protect: [group/guarded]\n',
      'network/meshform.yaml': 'protect: [group/other]\n',
      'network/groups.yaml': GROUPS,
    },
    async run => {
      const planned = await run('plan', 'network', '--prune', 'unmanaged');
      expect(planned.code).toBe(6);
      expect(planned.stderr).toContain('PROTECTED');
    },
  ));

test('a second account in an outer project file ends every command with exit code 3', () =>
  nested(
    {
      'meshform.yaml': 'account: ours\n',
      'network/meshform.yaml': 'account: theirs\n',
      'network/groups.yaml': GROUPS,
    },
    async run => {
      for (const argv of [
        ['validate', 'network'],
        ['plan', 'network'],
        ['apply', 'network', '--yes'],
      ]) {
        const ended = await run(...argv);
        expect(ended.code).toBe(3);
        expect(ended.stdout + ended.stderr).toContain(
          'network/meshform.yaml:1:10 error PROJECT_ACCOUNTS_DIFFER',
        );
      }
    },
  ));

test('an outer project file may name only the server of the run', () =>
  nested(
    {
      'meshform.yaml': 'url: https://other.example.com\n',
      'network/meshform.yaml': 'rate: 600\n',
      'network/groups.yaml': GROUPS,
    },
    async run => {
      const planned = await run('plan', 'network');
      expect(planned.code).toBe(3);
      expect(planned.stderr).toContain('SERVER_DIFFERS');
    },
  ));
