// An undo that deletes a group says which of its members joined by themselves: those that the run put there did not.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

const FILES = 'groups: [{ name: servers, peers: [one, two] }]\n';

async function applied(
  tell: (
    account: TestAccount,
    undo: (...flags: string[]) => ReturnType<typeof meshform>,
  ) => Promise<void>,
): Promise<void> {
  const account = await startAccount();
  onTestFinished(() => account.close());
  await account.enrol('one');
  await account.enrol('two');
  await inFolder(async cwd => {
    await writeFile(join(cwd, 'network.yaml'), FILES);
    const run = (...flags: string[]) =>
      meshform(['apply', '.', '--yes', ...flags], { env: environmentOf(account), cwd });
    expect(await run('--journal', 'run.jsonl')).toMatchObject({ code: 0 });
    await tell(account, (...flags) =>
      run('--undo', 'run.jsonl', '--allow', 'DELETES_OBJECT', ...flags),
    );
  });
}

test('an undo does not count members that the run put into a new group as enrolled', () =>
  applied(async (_, undo) => {
    const undone = await undo();
    expect(undone.code, undone.stdout + undone.stderr).toBe(0);
    expect(undone.stdout).not.toContain('LOSES_MEMBERS');
  }));

test('an undo reports the number of members that enrolled since the apply', () =>
  applied(async (account, undo) => {
    const groups = (await account.call('GET', '/api/groups')) as { id: string; name: string }[];
    await account.enrol('three', [groups.find(({ name }) => name === 'servers')?.id ?? '']);
    const refused = await undo();
    expect(refused.code).toBe(6);
    expect(`${refused.stdout}${refused.stderr}`.replaceAll(/\s+/g, ' ')).toContain(
      '1 member of group.servers joined by enrolment',
    );
    expect(await undo('--allow', 'LOSES_MEMBERS')).toMatchObject({ code: 0 });
  }));
