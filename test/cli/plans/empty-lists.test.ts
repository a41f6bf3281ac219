// `groups: []` reads as "no groups", but an empty list declares nothing, so pruning leaves its kind alone, and says so.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAccount, type TestAccount } from '../../support/account.ts';
import { environmentOf, inFolder, meshform } from '../../support/cli.ts';

let account: TestAccount;
beforeAll(async () => {
  account = await startAccount({ seed: 1 });
  await account.call('POST', '/api/groups', { name: 'stays' });
});
afterAll(() => account.close());

const planned = (text: string, ...flags: string[]) =>
  inFolder(async cwd => {
    await writeFile(join(cwd, 'a.yaml'), text);
    return meshform(['plan', '.', ...flags], { env: environmentOf(account), cwd });
  });

const NETWORKS = 'networks: [{ name: n, resources: [] }]\n';

test('an empty list deletes nothing with --prune unmanaged, and a warning says so', async () => {
  const { code, stdout, stderr } = await planned(`groups: []\n${NETWORKS}`, '--prune', 'unmanaged');
  expect(code).toBe(0);
  expect(stdout).not.toContain('group.stays will be deleted');
  expect(stderr).toContain('a.yaml:1:1 warning PRUNE_EMPTY_LIST\n  `groups: []` deletes nothing');
  expect(stderr).toContain('a.yaml:2:23 warning PRUNE_EMPTY_LIST\n  `resources: []`');
});

test.each([
  ['without pruning', `groups: []\n${NETWORKS}`, []],
  [
    'if a file declares another group',
    'groups: []\n---\ngroups: [{ name: a }]\n',
    ['--prune', 'unmanaged'],
  ],
  [
    'for a kind that is never pruned',
    'peers: []\ngroups: [{ name: a }]\n',
    ['--prune', 'unmanaged'],
  ],
])('an empty list gets no warning %s', async (_, text, flags) => {
  const { stderr } = await planned(text, ...flags);
  expect(stderr).not.toContain('PRUNE_EMPTY_LIST');
});
